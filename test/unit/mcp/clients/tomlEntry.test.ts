import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { EntryFormat } from '../../../../src/mcp/clients/entryFormat';
import { tomlFormat } from '../../../../src/mcp/clients/tomlEntry';
import { UnusableSettings } from '../../../../src/mcp/clients/entryFormat';

const PLACE = { container: 'mcp_servers', name: 'agent-debugger' };
const ENTRY = { url: 'http://127.0.0.1:1/mcp', http_headers: { Authorization: 'Bearer k' } };
const OURS =
  '[mcp_servers.agent-debugger]\nurl = "http://127.0.0.1:1/mcp"\nhttp_headers = { Authorization = "Bearer k" }\n';

describe('our table in TOML', () => {
  let toml: EntryFormat;
  before(async () => (toml = await tomlFormat()));

  it('is added at the end, and removed again', () => {
    const before =
      '# mine\nmodel = "o3" # best\n\n[mcp_servers.other]\nargs = [\n  "a", # first\n  "[not.a.table]",\n]\n';
    const after = toml.set(before, PLACE, ENTRY);
    assert.equal(after, `${before}\n${OURS}`);
    assert.equal(toml.remove(after, PLACE), before);
    assert.equal(toml.set('', PLACE, ENTRY), OURS);
  });

  it('uses the line breaks of the file', () => {
    const after = toml.set('a = 1\r\n', PLACE, ENTRY);
    assert.equal(/[^\r]\n/.test(after), false);
    assert.equal(toml.remove(after, PLACE), 'a = 1\r\n');
  });

  it('is updated in place, and keeps the person’s additions', () => {
    const before =
      '[mcp_servers."agent-debugger"] # debug\nurl = "old"\n# slow machine\nstartup_timeout_sec = 30\n\n[mcp_servers.agent-debugger.http_headers]\nAuthorization = "Bearer old"\n\n[mcp_servers.agent-debugger.tools.stop_debugging]\napproval_mode = "approve"\n\n[profiles.x] # last\nz = 1979-05-27T07:32:00Z\n';
    const after = toml.set(before, PLACE, ENTRY);
    assert.deepEqual(JSON.parse(JSON.stringify(toml.read(after, PLACE))), {
      ...ENTRY,
      startup_timeout_sec: 30,
      tools: { stop_debugging: { approval_mode: 'approve' } },
    });
    assert.equal(
      after,
      '[mcp_servers."agent-debugger"] # debug\nurl = "http://127.0.0.1:1/mcp"\nhttp_headers = { Authorization = "Bearer k" }\n# slow machine\nstartup_timeout_sec = 30\n\n\n[mcp_servers.agent-debugger.tools.stop_debugging]\napproval_mode = "approve"\n\n[profiles.x] # last\nz = 1979-05-27T07:32:00Z\n',
    );
    assert.equal(toml.remove(after, PLACE), '\n[profiles.x] # last\nz = 1979-05-27T07:32:00Z\n');
  });

  it('leaves one blank line before the table after ours when it is removed', () => {
    assert.equal(toml.remove(`a = 1\n\n${OURS}[next]\nb = 2\n`, PLACE), 'a = 1\n\n[next]\nb = 2\n');
    assert.equal(
      toml.remove(`a = 1\n\n${OURS}\n[next]\nb = 2\n`, PLACE),
      'a = 1\n\n[next]\nb = 2\n',
    );
  });

  it('writes a program whose values contain special characters', () => {
    const program = {
      command: 'C:\\Program Files\\Code "x"\\code.exe',
      args: ['a\u007fb', 'é\n'],
      env: { ELECTRON_RUN_AS_NODE: '1', 'odd name': '' },
    };
    assert.deepEqual(
      JSON.parse(JSON.stringify(toml.read(toml.set('', PLACE, program), PLACE))),
      program,
    );
  });

  it('is not written if the file does not parse, and the position of the error is reported', () => {
    assert.throws(
      () => toml.set('a = 1\nb = = 2\n', PLACE, ENTRY),
      (error) =>
        error instanceof UnusableSettings &&
        error.offset !== undefined &&
        error.offset >= 6 &&
        error.offset <= 12 &&
        !error.message.includes('\n'),
    );
    for (const text of [
      '[mcp_servers]\nagent-debugger = { url = "x" }\n',
      'mcp_servers.agent-debugger.url = "x"\n',
      '[mcp_servers.agent-debugger.env]\nA = "1"\n',
    ]) {
      assert.throws(() => toml.set(text, PLACE, ENTRY), UnusableSettings, text);
    }
    assert.throws(
      () => toml.remove('[mcp_servers]\nagent-debugger = { url = "x" }\n', PLACE),
      UnusableSettings,
    );
    assert.equal(toml.remove('[mcp_servers.other]\nurl = "x"\n', PLACE), undefined);
  });

  const value = fc.constantFrom(
    '1',
    '9007199254740993',
    '1e3',
    'true',
    '"x # y"',
    "'[a.b]'",
    '"""\n[mcp_servers.agent-debugger]\nurl = 1\n"""',
    "'''\n# no remark\n'''",
    '[ 1, # one\n  2,\n]',
    '{ a = 1, b = "c" }',
    '1979-05-27',
  );
  const remark = fc.constantFrom('', '\n', '# remark\n', '  # [table]\n', '\n\n');
  const lines = fc
    .array(fc.tuple(value, remark), { maxLength: 3 })
    .map((all) => all.map(([each, after], index) => `k${index} = ${each}\n${after}`).join(''));
  const ours = fc.constantFrom(
    '',
    '[mcp_servers.agent-debugger]\nurl = "old"\n# in it\ntool_timeout_sec = 9\n',
    '[ mcp_servers . "agent-debugger" ]\ncommand = "x"\nargs = [\n"[a]"\n]\n[mcp_servers.agent-debugger.env]\nA = "b"\n',
  );
  const documents = fc
    .tuple(
      lines,
      fc.uniqueArray(
        fc.constantFrom('a', 'mcp_servers.other', 'mcp_servers.agent', 'x."y z"', 'profiles.p'),
        { maxLength: 3 },
      ),
      fc.array(lines, { minLength: 3, maxLength: 3 }),
      ours,
      fc.nat(3),
    )
    .map(([top, tables, bodies, own, at]) => {
      const sections = tables.map((table, index) => `[${table}]\n${bodies[index] ?? ''}`);
      sections.splice(Math.min(at, sections.length), 0, own);
      return top + sections.join('');
    });

  it('leaves everything else unchanged, in any document', () => {
    fc.assert(
      fc.property(documents, (before) => {
        const after = toml.set(before, PLACE, ENTRY);
        assert.deepEqual(toml.others(after, PLACE), toml.others(before, PLACE));
        assert.equal((toml.read(after, PLACE) as Record<string, unknown>)['url'], ENTRY.url);
        assert.equal((toml.read(after, PLACE) as Record<string, unknown>)['command'], undefined);
        const isNew = toml.read(before, PLACE) === undefined;
        if (isNew) assert.equal(after.startsWith(before), true);
        const without = toml.remove(after, PLACE);
        assert.ok(without !== undefined);
        assert.deepEqual(toml.others(without, PLACE), toml.others(before, PLACE));
        if (isNew) assert.equal(without, before);
      }),
      { numRuns: 500 },
    );
  });
});
