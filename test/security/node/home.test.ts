import { strict as assert } from 'node:assert';
import { homedir } from 'node:os';
import path from 'node:path';
import { bridgeScript } from '../../../src/mcp/clients/bridgeProgram';
import type { ClientMachine } from '../../../src/mcp/clients/client';
import { homeFolder } from '../../../src/mcp/windows/home';

const machine = (
  value: string | undefined,
  platform: NodeJS.Platform = 'linux',
  home = '/home/ann',
): ClientMachine => ({
  platform,
  home,
  env: { AGENT_DEBUGGER_HOME: value },
  extensionsStorage: '',
  names: () => [],
});

/** The bridge runs with the person's rights, so it is never written to or started from the current folder. */
describe('AGENT_DEBUGGER_HOME', () => {
  for (const value of [undefined, '', '  ']) {
    it(`${JSON.stringify(value)}: uses the default folder`, () => {
      assert.equal(
        homeFolder({ env: { AGENT_DEBUGGER_HOME: value } }),
        path.join(homedir(), '.agent-debugger'),
      );
      assert.equal(bridgeScript(machine(value)), '/home/ann/.agent-debugger/stdio.js');
      assert.equal(
        bridgeScript(machine(value, 'win32', 'C:\\Users\\ann')),
        'C:\\Users\\ann\\.agent-debugger\\stdio.js',
      );
    });
  }

  for (const [value, folder] of [
    ['.', '/home/ann'],
    ['mine', '/home/ann/mine'],
    ['/elsewhere', '/elsewhere'],
    ['/elsewhere/', '/elsewhere'],
  ] as const) {
    it(`${value}: uses ${folder}, independent of the current folder`, () => {
      assert.equal(homeFolder(machine(value)), folder);
      assert.equal(bridgeScript(machine(value)), `${folder}/stdio.js`);
    });
  }

  it('resolves a relative folder on Windows in the profile', () => {
    assert.equal(
      bridgeScript(machine('mine', 'win32', 'C:\\Users\\ann')),
      'C:\\Users\\ann\\mine\\stdio.js',
    );
  });
});
