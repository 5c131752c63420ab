import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { isFields } from '../../../../src/debugger/protocol';
import { derivedPort, portOf } from '../../../../src/mcp/windows/derivedPort';
import { ROOT } from '../../support/trace';

describe('the derived port of a person', () => {
  const ann = { user: '1000', folder: '/home/ann/.agent-debugger' };

  it('never changes, because clients have it in their settings', () => {
    assert.equal(portOf(ann), 27_524);
  });

  it('differs by user and by folder', () => {
    const ports = [
      ann,
      { ...ann, user: '1001' },
      { ...ann, folder: '/home/bob/.agent-debugger' },
    ].map(portOf);
    assert.equal(new Set(ports).size, 3, ports.join());
  });

  it('is below the ephemeral ports of every system, and is not a well-known port', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (user, folder) => {
        const port = portOf({ user, folder });
        assert.ok(port >= 20_000 && port < 30_000, `${port}`);
        assert.ok(![26_321, 27_017, 25_565, 24_678].includes(port), `${port}`);
      }),
      { numRuns: 2000 },
    );
  });

  it('is rarely shared by two of twenty users of a machine', () => {
    let shared = 0;
    for (let machine = 0; machine < 200; machine += 1) {
      const users = Array.from({ length: 20 }, (_, each) => ({
        user: String(1000 + each),
        folder: `/home/m${machine}u${each}/.agent-debugger`,
      }));
      if (new Set(users.map(portOf)).size < users.length) shared += 1;
    }
    // The expected share of such machines is 1.9 %, or 3.8 of 200.
    assert.ok(shared <= 12, `${shared} of 200 machines`);
  });

  it('is the same if the home folder is reached through a link, and differs for another folder', () => {
    const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'derived-port-')));
    const before = process.env['AGENT_DEBUGGER_HOME'];
    const portIn = (folder: string): number => {
      process.env['AGENT_DEBUGGER_HOME'] = folder;
      return derivedPort();
    };
    try {
      mkdirSync(path.join(root, 'var-home'));
      if (process.platform !== 'win32')
        symlinkSync(path.join(root, 'var-home'), path.join(root, 'home'));
      const port = portIn(path.join(root, 'var-home', 'x'));
      if (process.platform !== 'win32') assert.equal(portIn(path.join(root, 'home', 'x')), port);
      assert.equal(portIn(`${path.join(root, 'var-home', 'x')}/`), port);
      mkdirSync(path.join(root, 'var-home', 'x'));
      assert.equal(portIn(path.join(root, 'var-home', 'x')), port, 'once it is there, too');
      assert.notEqual(portIn(path.join(root, 'var-home', 'y')), port);
    } finally {
      if (before === undefined) delete process.env['AGENT_DEBUGGER_HOME'];
      else process.env['AGENT_DEBUGGER_HOME'] = before;
      rmSync(root, { recursive: true });
    }
  });

  it('is the default of the setting', () => {
    const manifest: unknown = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    assert.ok(
      isFields(manifest) &&
        isFields(manifest['contributes']) &&
        isFields(manifest['contributes']['configuration']),
    );
    const { properties } = manifest['contributes']['configuration'];
    assert.ok(isFields(properties) && isFields(properties['agentDebugger.mcp.port']));
    const {
      type,
      default: fallback,
      minimum,
      maximum,
      scope,
    } = properties['agentDebugger.mcp.port'];
    assert.deepEqual(
      { type, fallback, minimum, maximum, scope },
      {
        type: ['integer', 'null'],
        fallback: null,
        minimum: 1024,
        maximum: 65_535,
        scope: 'machine',
      },
    );
  });
});
