import { strict as assert } from 'node:assert';
import { delve } from '../../../../src/debugger/adapters/delve';
import { javaDebug } from '../../../../src/debugger/adapters/javaDebug';
import { jsDebugNode, jsDebugOthers } from '../../../../src/debugger/adapters/jsDebug';
import { debugpy } from '../../../../src/debugger/adapters/debugpy';
import { lldbDap } from '../../../../src/debugger/adapters/lldbDap';
import type { Adapter } from '../../../../src/debugger/adapters/adapter';
import { listOf, type Fields } from '../../../../src/debugger/protocol';

function reading(adapter: Adapter, configuration: Fields, path: string): Fields | undefined {
  return adapter.readingFrom?.(configuration, path);
}

describe('a configuration whose program reads a file', () => {
  it('js-debug: a shell opens it and becomes the runtime', () => {
    const own = { runtimeExecutable: 'npm', runtimeArgs: ['run', 'x'], args: ['$(id)'] };
    assert.deepEqual(reading(jsDebugNode, own, '/p'), {
      runtimeExecutable: '/bin/sh',
      runtimeArgs: ['-c', 'exec "$@" < "$0"', '/p', 'npm', 'run', 'x'],
      args: ['$(id)'],
    });
    assert.equal(reading(jsDebugNode, { runtimeArgs: 'run x' }, '/p'), undefined);
    assert.equal(jsDebugOthers.readingFrom, undefined);
  });

  it('debugpy: Python opens it and starts itself again with the other arguments', () => {
    const { pythonArgs } = reading(debugpy, { pythonArgs: ['-B'] }, '/p') ?? {};
    const [first, , ...others] = listOf(pythonArgs);
    assert.deepEqual([first, ...others], ['-c', '/p', '-B']);
    assert.equal(reading(debugpy, { pythonArgs: '-B' }, '/p'), undefined);
  });

  it('lldb-dap: a setting, unless the program is in a terminal or has a place of its own', () => {
    assert.deepEqual(reading(lldbDap, { preRunCommands: ['a'] }, '/p'), {
      preRunCommands: ['a', '?settings set target.input-path /p'],
    });
    for (const other of [
      { runInTerminal: true },
      { console: 'integratedTerminal' },
      { stdio: ['/x'] },
      { launchCommands: ['run'] },
      { request: 'attach' },
    ])
      assert.equal(reading(lldbDap, other, '/p'), undefined, JSON.stringify(other));
  });

  it('Delve: a property of its own, and output that can be read', () => {
    assert.deepEqual(reading(delve, { mode: 'debug' }, '/p'), {
      ...{ mode: 'debug', outputMode: 'remote', stdinFrom: '/p' },
    });
  });

  it('java-debug: a redirection in a terminal, where VS Code quotes all other words', () => {
    assert.deepEqual(reading(javaDebug, { args: ['$(id)', 'a b'] }, '/p'), {
      ...{ console: 'integratedTerminal', args: ['$(id)', 'a b', '<', '/p'] },
    });
    assert.deepEqual(reading(javaDebug, { args: 'a "b c"' }, '/p')?.['args'], 'a "b c" < /p');
    assert.deepEqual(reading(javaDebug, {}, '/p')?.['args'], '< /p');
  });

  it('java-debug: nothing that VS Code would not quote', () => {
    for (const args of [
      ['a\nid'],
      ['a\tb'],
      ['~'],
      ['~root/x'],
      ['<'],
      ['>'],
      'a > b',
      '"<" x',
      '\\< x',
    ])
      assert.equal(reading(javaDebug, { args }, '/p'), undefined, JSON.stringify(args));
    assert.equal(reading(javaDebug, { vmArgs: '-Da=1\nid' }, '/p'), undefined);
    assert.equal(reading(javaDebug, { cwd: '/a\nid' }, '/p'), undefined);
    assert.equal(reading(javaDebug, {}, '/a b'), undefined);
    for (const args of [['a~b'], ['a<b'], ['x=>y']])
      assert.ok(reading(javaDebug, { args }, '/p') !== undefined, JSON.stringify(args));
  });
});
