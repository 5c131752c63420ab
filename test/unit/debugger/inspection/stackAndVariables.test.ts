import { strict as assert } from 'node:assert';
import { isFields, listOf } from '../../../../src/debugger/protocol';
import {
  ownScopes,
  readFrames,
  readScopes,
  readVariables,
} from '../../../../src/debugger/inspection/stackAndVariables';
import { readTrace } from '../../support/trace';

/** The names of the own scopes of an adapter's answer. */
function own(scopes: readonly object[]): string[] {
  return ownScopes(
    readScopes({
      scopes: scopes.map((scope, index) => ({
        variablesReference: index + 1,
        expensive: false,
        ...scope,
      })),
    }),
  ).map((scope) => scope.name);
}

describe('own scopes', () => {
  it('js-debug: all blocks and Local, innermost first; no closure though it is hinted as arguments, no expensive Global', () => {
    assert.deepEqual(
      own([
        { name: 'Block: inner', presentationHint: 'locals' },
        { name: 'Block: main', presentationHint: 'locals' },
        { name: 'Local: main', presentationHint: 'locals' },
        { name: 'Closure (outer)', presentationHint: 'arguments' },
        { name: 'Closure', presentationHint: 'arguments' },
        { name: 'Global', expensive: true },
      ]),
      ['Block: inner', 'Block: main', 'Local: main'],
    );
  });

  it('js-debug: no block around the function: vitest wraps a module in a function with all of its declarations', () => {
    assert.deepEqual(
      own([
        { name: 'Local', presentationHint: 'locals' },
        { name: 'Closure (justify)', presentationHint: 'arguments' },
        { name: 'Block', presentationHint: 'locals' },
        { name: 'Closure', presentationHint: 'arguments' },
        { name: 'Global', expensive: true },
      ]),
      ['Local'],
    );
    assert.deepEqual(
      own([
        { name: 'Block: wrap', presentationHint: 'locals' },
        { name: 'Local: wrap', presentationHint: 'locals' },
        { name: 'Block', presentationHint: 'locals' },
        { name: 'Global', expensive: true },
      ]),
      ['Block: wrap', 'Local: wrap'],
    );
  });

  it('js-debug: those of the recorded run', () => {
    const bodies = readTrace('js-debug.jsonl').flatMap((event) =>
      event.type === 'fromAdapter' &&
      isFields(event.message) &&
      event.message['command'] === 'scopes' &&
      isFields(event.message['body'])
        ? [event.message['body']]
        : [],
    );
    assert.ok(bodies.length > 0);
    for (const body of bodies) {
      const all = readScopes(body);
      if (all.length === 0) continue;
      const mine = ownScopes(all);
      assert.equal(all.length, listOf(body['scopes']).length);
      assert.ok(
        mine.length > 0 && mine.every((scope) => /^(Block|Local)/.test(scope.name)),
        all.map((scope) => scope.name).join(', '),
      );
    }
  });

  it('js-debug: a catch block and a with block are the function’s own', () => {
    assert.deepEqual(
      own([
        { name: 'Catch Block', presentationHint: 'locals' },
        { name: 'With Block', presentationHint: 'locals' },
        { name: 'Local', presentationHint: 'locals' },
      ]),
      ['Catch Block', 'With Block', 'Local'],
    );
  });

  it('js-debug: at the top level of a module, the module', () => {
    assert.deepEqual(own([{ name: 'Module' }, { name: 'Global', expensive: true }]), ['Module']);
    assert.deepEqual(own([{ name: 'Script' }, { name: 'Global', expensive: true }]), ['Script']);
  });

  it('debugpy: Locals without Globals, in a function and in a module', () => {
    assert.deepEqual(own([{ name: 'Locals', presentationHint: 'locals' }, { name: 'Globals' }]), [
      'Locals',
    ]);
    assert.deepEqual(own([{ name: 'Locals' }, { name: 'Globals' }]), ['Locals']);
  });

  it('lldb: Locals without Globals and Registers', () => {
    assert.deepEqual(
      own([
        { name: 'Locals', presentationHint: 'locals' },
        { name: 'Globals' },
        { name: 'Registers', presentationHint: 'registers' },
      ]),
      ['Locals'],
    );
  });

  it('delve and others: arguments, locals and the return value', () => {
    assert.deepEqual(
      own([
        { name: 'Arguments', presentationHint: 'arguments' },
        { name: 'Locals', presentationHint: 'locals' },
        { name: 'Globals (package main)', expensive: true },
      ]),
      ['Arguments', 'Locals'],
    );
    assert.deepEqual(
      own([
        { name: 'Return value', presentationHint: 'returnValue' },
        { name: 'Local' },
        { name: 'Parameters' },
      ]),
      ['Return value', 'Local', 'Parameters'],
    );
  });

  it('with names and hints that say nothing, the first cheap one', () => {
    assert.deepEqual(
      own([{ name: 'Slow', expensive: true }, { name: 'Variables' }, { name: 'More' }]),
      ['Variables'],
    );
  });

  it('never registers, never an expensive one, never one without a reference', () => {
    assert.deepEqual(
      own([
        { name: 'CPU', presentationHint: 'registers' },
        { name: 'Locals', expensive: true },
      ]),
      [],
    );
    assert.deepEqual(own([{ name: 'Locals', variablesReference: 0 }]), []);
    assert.deepEqual(own([]), []);
  });

  it('a scope whose name only begins like another word is not taken for it', () => {
    assert.deepEqual(own([{ name: 'Locality' }, { name: 'Local' }]), ['Local']);
  });
});

describe('frames', () => {
  it('are read with their place, and the path is the person’s', () => {
    const [frame] = readFrames({
      stackFrames: [
        {
          id: 0,
          name: 'main',
          line: 3,
          column: 5,
          source: { name: 'a.js', path: 'file:///home/ada/a.js' },
          instructionPointerReference: '0x10',
        },
      ],
    });
    assert.deepEqual(frame, {
      id: 0,
      name: 'main',
      path: '/home/ada/a.js',
      sourceName: 'a.js',
      line: 3,
      column: 5,
      subtle: false,
      isLabel: false,
      instructionPointerReference: '0x10',
    });
  });

  it('without a source they have no path, and an empty path is none', () => {
    const frames = readFrames({
      stackFrames: [
        { id: 1, name: 'x', line: 0, column: 0 },
        { id: 2, source: { path: '' } },
      ],
    });
    assert.deepEqual(
      frames.map((frame) => [frame.path, frame.sourceName, frame.name]),
      [
        [undefined, undefined, 'x'],
        [undefined, undefined, ''],
      ],
    );
  });

  it('labels and deemphasized frames are told apart', () => {
    const frames = readFrames({
      stackFrames: [
        { id: 1, presentationHint: 'label' },
        { id: 2, presentationHint: 'subtle' },
        { id: 3, source: { presentationHint: 'deemphasize' } },
        { id: 4 },
      ],
    });
    assert.deepEqual(
      frames.map((frame) => [frame.isLabel, frame.subtle]),
      [
        [true, true],
        [false, true],
        [false, true],
        [false, false],
      ],
    );
  });

  it('those without an id are left out, nonsense is none, and impossible lines become 0', () => {
    assert.deepEqual(
      readFrames({ stackFrames: [{ name: 'x' }, 5, null, { id: 1, line: -3, column: 1.5 }] }).map(
        (frame) => [frame.id, frame.line, frame.column],
      ),
      [[1, 0, 0]],
    );
    assert.deepEqual([readFrames({}), readFrames({ stackFrames: 'x' })], [[], []]);
  });
});

describe('variables', () => {
  it('are read with all that is known of them', () => {
    const [variable] = readVariables({
      variables: [
        {
          name: 'list',
          value: '(3) […]',
          type: 'Array',
          variablesReference: 4,
          evaluateName: 'this.list',
          memoryReference: '0xff',
          indexedVariables: 3,
          namedVariables: 1,
          presentationHint: { lazy: true },
        },
      ],
    });
    assert.deepEqual(variable, {
      name: 'list',
      value: '(3) […]',
      type: 'Array',
      reference: 4,
      evaluateName: 'this.list',
      memoryReference: '0xff',
      namedVariables: 1,
      indexedVariables: 3,
      lazy: true,
    });
  });

  it('what an adapter leaves out or gets wrong is nothing, not an error', () => {
    const read = readVariables({
      variables: [{ name: {}, value: null, variablesReference: -2 }, null],
    });
    assert.deepEqual(
      read.map((each) => [each.name, each.value, each.type, each.reference, each.lazy]),
      [['', '', undefined, 0, false]],
    );
    assert.deepEqual(readVariables({}), []);
  });
});
