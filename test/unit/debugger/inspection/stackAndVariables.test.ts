import { strict as assert } from 'node:assert';
import { isFields, listOf } from '../../../../src/debugger/protocol';
import {
  ownScopes,
  readFrames,
  readScopes,
  readVariables,
} from '../../../../src/debugger/inspection/stackAndVariables';
import { readTrace } from '../../support/trace';

/** The names of the own scopes in an adapter's response. */
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
  it('js-debug: are all blocks and Local, innermost first, without closures (whose hint is arguments) and the expensive Global', () => {
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

  it('js-debug: do not include a block around the function, because vitest wraps a module in a function with all of its declarations', () => {
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

  it('js-debug: are the blocks and locals of the recorded run', () => {
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

  it('js-debug: include a catch block and a with block', () => {
    assert.deepEqual(
      own([
        { name: 'Catch Block', presentationHint: 'locals' },
        { name: 'With Block', presentationHint: 'locals' },
        { name: 'Local', presentationHint: 'locals' },
      ]),
      ['Catch Block', 'With Block', 'Local'],
    );
  });

  it('js-debug: are the module at the top level of a module', () => {
    assert.deepEqual(own([{ name: 'Module' }, { name: 'Global', expensive: true }]), ['Module']);
    assert.deepEqual(own([{ name: 'Script' }, { name: 'Global', expensive: true }]), ['Script']);
  });

  it('debugpy: are Locals without Globals, in a function and in a module', () => {
    assert.deepEqual(own([{ name: 'Locals', presentationHint: 'locals' }, { name: 'Globals' }]), [
      'Locals',
    ]);
    assert.deepEqual(own([{ name: 'Locals' }, { name: 'Globals' }]), ['Locals']);
  });

  it('lldb: are Locals without Globals and Registers', () => {
    assert.deepEqual(
      own([
        { name: 'Locals', presentationHint: 'locals' },
        { name: 'Globals' },
        { name: 'Registers', presentationHint: 'registers' },
      ]),
      ['Locals'],
    );
  });

  it('delve and others: are arguments, locals and the return value', () => {
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

  it('are the first cheap scope if no name or hint is known', () => {
    assert.deepEqual(
      own([{ name: 'Slow', expensive: true }, { name: 'Variables' }, { name: 'More' }]),
      ['Variables'],
    );
  });

  it('never include registers, expensive scopes, or scopes without a reference', () => {
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

  it('do not include a scope whose name merely begins with a known name', () => {
    assert.deepEqual(own([{ name: 'Locality' }, { name: 'Local' }]), ['Local']);
  });
});

describe('frames', () => {
  it('are read with their location and the person’s path', () => {
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

  it('have no path if they have no source or an empty path', () => {
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

  it('are marked as labels or as deemphasized', () => {
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

  it('are left out if they have no id or are invalid, and impossible lines become 0', () => {
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
  it('are read with all of their known properties', () => {
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

  it('have empty properties where an adapter omits them or sends invalid ones, without an error', () => {
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
