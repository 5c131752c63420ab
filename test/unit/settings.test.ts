import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fields } from '../../src/debugger/protocol';
import { ROOT } from './support/trace';

/**
 * Settings that a project may set, with the reason. Only the person may set the others, because an agent that edits
 * files can write a project's settings.
 */
const OPEN_TO_PROJECTS: Readonly<Record<string, string>> = {
  'agentDebugger.requireConsent': 'can only make things stricter',
  'agentDebugger.sets.trace': 'which tools there are; each call asks as before',
  'agentDebugger.sets.live': 'the same, once the workspace is trusted',
  'agentDebugger.sets.advanced': 'the same, once the workspace is trusted',
  'agentDebugger.sets.investigation': 'the same, once the workspace is trusted',
  'agentDebugger.maxResultCharacters': 'the size of an answer, which a call may choose anyway',
};

/** `application`: read only from the person's own settings. `machine`: read on the side where the extension runs. */
const SCOPES: Readonly<Record<string, string>> = {
  'agentDebugger.mcp.port': 'machine',
  'agentDebugger.mcp.autoStart': 'machine',
  'agentDebugger.mcp.offerToVsCode': 'machine',
};

describe('settings', () => {
  const manifest = fields(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')));
  const properties = Object.entries(
    fields(fields(fields(manifest['contributes'])['configuration'])['properties']),
  ).map(([name, value]) => ({ name, scope: fields(value)['scope'] }));

  it('exist in the manifest', () => assert.ok(properties.length > 5));

  for (const { name, scope } of properties) {
    it(`${name}: ${OPEN_TO_PROJECTS[name] ?? 'no project can set it'}`, () => {
      if (name in OPEN_TO_PROJECTS)
        assert.ok(scope === undefined || scope === 'window', String(scope));
      else assert.equal(scope, SCOPES[name] ?? 'application');
    });
  }

  it('include every setting that is listed in this test', () => {
    const names = new Set(properties.map(({ name }) => name));
    for (const name of [...Object.keys(OPEN_TO_PROJECTS), ...Object.keys(SCOPES)])
      assert.ok(names.has(name), name);
  });
});
