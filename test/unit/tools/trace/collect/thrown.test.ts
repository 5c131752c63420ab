import { strict as assert } from 'node:assert';
import type { Frame } from '../../../../../src/debugger/inspection/stackAndVariables';
import { Thrown, type Throw } from '../../../../../src/tools/trace/collect/thrown';

function frame(path: string, line: number, name: string, more: Partial<Frame> = {}): Frame {
  return {
    ...{ id: line, name, path, line, sourceName: undefined, column: 1, subtle: false },
    ...{ isLabel: false, instructionPointerReference: undefined },
    ...more,
  };
}

const MAIN = frame('/app/main.js', 9, 'main');
const FEE = frame('/app/fee.js', 3, 'fee');
const LIBRARY = frame('/app/node_modules/zone/zone.js', 5, 'zoneOf');

const thrownIn = (...frames: readonly Frame[]): Throw => ({
  type: 'TypeError',
  message: 'no zone',
  frames,
});

function thrown(): Thrown {
  return new Thrown({
    isOwn: ({ path }) => path?.startsWith('/app/') === true && !path.includes('node_modules'),
    shortPath: (file) => file.replace('/app/', ''),
  });
}

const ROOM = 4000;

describe('thrown exceptions', () => {
  it('are counted by type, message and place, with the own callers of the first', () => {
    const seen = thrown();
    for (const at of [FEE, FEE, { ...FEE, line: 4 }]) seen.add(thrownIn(at, LIBRARY, MAIN));
    seen.add({ ...thrownIn(FEE, MAIN), message: 'other' });
    seen.add({ ...thrownIn(FEE, MAIN), message: '' });
    const row = { type: 'TypeError', message: 'no zone', first_called_from: ['main.js:9 main'] };
    assert.deepEqual(seen.shown(ROOM, false), {
      thrown: 5,
      list: [
        { ...row, at: 'fee.js:3 fee', times: 2 },
        { ...row, at: 'fee.js:4 fee', times: 1 },
        { ...row, message: 'other', at: 'fee.js:3 fee', times: 1 },
        {
          ...{ type: 'TypeError', at: 'fee.js:3 fee', times: 1 },
          first_called_from: ['main.js:9 main'],
        },
      ],
    });
    assert.equal(seen.concerning, 5);
  });

  it('of libraries follow those of own code, at the own call', () => {
    const seen = thrown();
    seen.add(thrownIn(LIBRARY, FEE, MAIN));
    seen.add(thrownIn(MAIN));
    assert.deepEqual(seen.shown(ROOM, false)['list'], [
      { type: 'TypeError', message: 'no zone', at: 'main.js:9 main', times: 1 },
      {
        ...{ type: 'TypeError', message: 'no zone', at: 'fee.js:3 fee', times: 1 },
        thrown_in: 'node_modules/zone/zone.js:5 zoneOf',
        first_called_from: ['main.js:9 main'],
      },
    ]);
  });

  it('without own callers, of the loading of modules, and of iterations are only counted', () => {
    const seen = thrown();
    seen.add(thrownIn(LIBRARY));
    for (const path of [
      '<frozen importlib._bootstrap>',
      '<node_internals>/internal/modules/cjs/loader',
      'node:internal/modules/esm/resolve',
    ])
      seen.add({ ...thrownIn(LIBRARY, frame(path, 1, 'load'), MAIN), type: 'ImportError' });
    for (const type of ['StopIteration', 'GeneratorExit', 'StopAsyncIteration'])
      seen.add({ ...thrownIn(MAIN), type });
    assert.deepEqual(seen.shown(ROOM, false), {
      thrown: 7,
      list: [],
      only_in_libraries: { times: 4, types: ['ImportError 3', 'TypeError 1'] },
      control_flow: {
        times: 3,
        types: ['StopIteration 1', 'GeneratorExit 1', 'StopAsyncIteration 1'],
      },
    });
    assert.equal(seen.concerning, 0, 'they do not count for the limit');
  });

  it('are attributed through labels and functions without a file', () => {
    const seen = thrown();
    const runtime = frame('', 0, '__cxa_throw', { path: undefined });
    const current = { ...FEE, name: 'fee (Current frame)' };
    seen.add(thrownIn(frame('/app/x', 1, 'async', { isLabel: true }), runtime, current));
    seen.add(thrownIn());
    assert.deepEqual(seen.shown(ROOM, false), {
      thrown: 2,
      list: [{ type: 'TypeError', message: 'no zone', at: 'fee.js:3 fee', times: 1 }],
      only_in_libraries: { times: 1, types: ['TypeError 1'] },
    });
  });

  it('tell what was reported as unhandled, and that nothing was', () => {
    const seen = thrown();
    assert.equal(seen.shown(ROOM, true)['unhandled'], undefined, 'nothing was thrown');
    const group = seen.add(thrownIn(FEE));
    assert.equal(seen.shown(ROOM, false)['unhandled'], undefined, 'unknown');
    assert.equal(seen.shown(ROOM, true)['unhandled'], 0);
    seen.markUnhandled(group);
    const { unhandled, list } = seen.shown(ROOM, false);
    assert.equal(unhandled, 1);
    assert.deepEqual(list, [
      { type: 'TypeError', message: 'no zone', at: 'fee.js:3 fee', times: 1, unhandled: 1 },
    ]);
  });

  it('are shown as far as they fit, and the others are counted', () => {
    const seen = thrown();
    for (let index = 0; index < 1200; index += 1)
      seen.add({
        type: `E${index % 7}`,
        message: 'x'.repeat(1000),
        frames: [{ ...FEE, line: index }],
      });
    const { list, more, thrown: total } = seen.shown(ROOM, false);
    assert.ok(Array.isArray(list) && list.length > 5 && JSON.stringify(list).length <= ROOM + 2);
    const { times, types } = more as { times: number; types: string[] };
    assert.deepEqual([total, times, seen.concerning], [1200, 1200 - list.length, 1200]);
    assert.equal(types.at(-1), '2 other types');
  });
});
