import { strict as assert } from 'node:assert';
import { strFromU8, unzipSync } from 'fflate';
import { environmentLines } from '../../../src/diagnostics/environment';
import { redactedProfile } from '../../../src/diagnostics/cpuProfile';
import { withoutHome } from '../../../src/diagnostics/redaction';
import { reportFiles } from '../../../src/diagnostics/report';
import { bundle } from '../../../src/diagnostics/reportBundle';
import type { SystemFacts } from '../../../src/diagnostics/systemReport';
import { answered, asked, eventOf } from '../support/events';
import { call, redaction, SECRETS, sources, stopResult, type Sources } from './support';

const AT_TIME = new Date('2026-11-23T12:00:00Z');
const HOME = '/home/ada';

/** The text of each file in a zip. */
function opened(zip: Uint8Array): ReadonlyMap<string, string> {
  assert.equal(Buffer.from(zip.subarray(0, 4)).toString('latin1'), 'PK\u0003\u0004');
  return new Map(Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

function facts(): SystemFacts {
  return {
    versions: [['VS Code', '1.139.1']],
    adapters: [
      { type: 'node', label: 'Node', extension: 'ms.js', version: '1', knownAs: 'js-debug' },
    ],
    settings: [
      {
        name: 'agentDebugger.mcp.port',
        value: JSON.stringify({ token: SECRETS.password }),
        from: 'User settings',
      },
    ],
    environment: environmentLines({
      PATH: `${HOME}/bin:/usr/bin`,
      SOMETHING: SECRETS.environment,
      API_TOKEN: SECRETS.output,
      HTTPS_PROXY: `http://ada:${SECRETS.address}@proxy`,
      EMPTY: '',
    }),
    state: [['Debug sessions', '1 / 2']],
  };
}

/** A tool's result as MCP sends it: as structured data and as text. */
const resultOf = (data: object): object => ({
  content: [{ type: 'text', text: JSON.stringify(data) }],
  structuredContent: data,
});

/** Sources in which every recorded entry contains a credential. */
function planted(): Sources {
  const on = sources();
  on.recording.set(true);
  on.trace.observe(
    asked(1, 'launch', {
      env: { DB: SECRETS.environment },
      args: ['--password', SECRETS.argument],
      program: `${HOME}/app/main.js`,
    }),
  );
  on.trace.observe(eventOf('output', { output: `API_KEY=${SECRETS.output}` }));
  on.trace.observe(asked(2, 'evaluate', { expression: 'config.password' }, 'b'));
  on.trace.observe(answered(2, 'evaluate', { result: SECRETS.evaluated }, 'b'));
  const params = { name: 'start_debugging', arguments: { env: { A: SECRETS.environment } } };
  on.traffic.message('received', 'session-1', { id: 1, method: 'tools/call', params });
  on.traffic.message('sent', 'session-1', {
    id: 1,
    result: {
      content: [{ type: 'text', text: JSON.stringify({ output: [`token: ${SECRETS.github}`] }) }],
      structuredContent: { variables: [{ name: 'password', value: SECRETS.password }] },
    },
  });
  const evaluation = { expression: 'config.password' };
  const evaluated = { status: 'success', result: SECRETS.evaluated };
  const named = { name: 'evaluate_expression', arguments: evaluation };
  on.traffic.message('received', 'session-1', { id: 2, method: 'tools/call', params: named });
  on.traffic.message('sent', 'session-1', { id: 2, result: resultOf(evaluated) });
  const configurations = [{ name: 'Run', env: { DB: SECRETS.environment } }];
  on.traffic.message('sent', 'session-1', { id: 3, result: resultOf({ configurations }) });
  on.calls.ended(
    call({
      input: {
        expression: `fetch('https://a:${SECRETS.address}@b')`,
        env: { X: SECRETS.environment },
      },
      result: {
        ...stopResult({
          changed: [{ name: 'secret', before: null, now: SECRETS.password }],
          output: [`Authorization: Bearer ${SECRETS.bearer}`, SECRETS.github],
        }),
        ...{ message: `API_KEY=${SECRETS.output}` },
      },
    }),
  );
  on.calls.ended(
    call({ tool: 'evaluate_expression', input: evaluation, ...{ result: evaluated } }),
  );
  return on;
}

const PROFILE = JSON.stringify({
  nodes: [
    { id: 1, callFrame: { functionName: 'run', url: `file://${HOME}/x.js`, lineNumber: 1 } },
    { id: 2, callFrame: { functionName: SECRETS.github, url: '', lineNumber: 2 } },
  ],
  samples: [1, 2],
  timeDeltas: [0, 1],
});

describe('a report bundle', () => {
  it('contains the files that it lists and none of the planted secrets', async () => {
    const documents = planted();
    const profile = {
      name: 'cpu-profile.cpuprofile',
      text: (await redactedProfile(PROFILE, (texts) => redaction().lines(texts))) ?? '',
    };
    const files = await reportFiles(
      { documents, facts: facts(), versions: 'Agent Debugger 1', home: HOME, profile },
      AT_TIME,
    );
    const texts = opened(bundle(files, ['not included: heap'], AT_TIME));
    assert.deepEqual(
      [...texts.keys()],
      [
        'README.txt',
        'system.md',
        'calls.log',
        'last-calls.jsonl',
        'transcript.md',
        'mcp-traffic.log',
        'protocol-s1.log',
        'protocol-s2.log',
        'cpu-profile.cpuprofile',
      ],
    );
    for (const [name, text] of texts) {
      for (const [kind, secret] of Object.entries(SECRETS))
        assert.ok(!text.includes(secret), `${name}: ${kind}\n${text}`);
      assert.ok(!text.includes(HOME), name);
      assert.ok(text.length > 50, name);
    }
    for (const name of [...texts.keys()].slice(1))
      assert.ok(texts.get('README.txt')?.includes(`- ${name}: `), name);
    assert.match(texts.get('README.txt') ?? '', /- not included: heap\n/);
  });

  it('still shows the calls, the messages and the system facts', async () => {
    const files = await reportFiles(
      { documents: planted(), facts: facts(), versions: 'V', home: HOME },
      AT_TIME,
    );
    const text = (name: string): string =>
      files.find((each) => each.name === name)?.text ?? assert.fail(name);
    assert.match(text('protocol-s1.log'), /request {3}launch #1 .*"program":"~\/app\/main\.js"/);
    assert.match(text('protocol-s2.log'), /evaluate #2/);
    assert.doesNotMatch(text('protocol-s1.log'), /evaluate/);
    assert.match(text('mcp-traffic.log'), /← {2}request {3}tools\/call start_debugging #1/);
    assert.match(text('system.md'), /\| `node` \| Node \| `ms\.js 1` \| `js-debug` \|/);
    assert.match(text('system.md'), /PATH=~\/bin:\/usr\/bin\nSOMETHING \(set\)/);
    assert.match(text('system.md'), /\nEMPTY \(empty\)\nHTTPS_PROXY \(set\)\n/);
    const [line = ''] = text('last-calls.jsonl').split('\n');
    const last = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual([last['tool'], last['status']], ['step_execution', 'stopped']);
  });

  it('is a valid zip even if there is nothing to report', async () => {
    const empty: SystemFacts = {
      versions: [],
      adapters: [],
      settings: [],
      environment: [],
      state: [],
    };
    const files = await reportFiles(
      { documents: sources(), facts: empty, versions: '', home: '' },
      AT_TIME,
    );
    assert.equal(opened(bundle(files, [], new Date(0))).size, files.length + 1);
  });
});

describe('the home folder', () => {
  it('is not shown in any spelling', () => {
    const home = String.raw`C:\Users\ada`;
    const text = JSON.stringify({ path: `${home}\\x.js` });
    for (const each of [
      `${home}\\x.js`,
      String.raw`c:\Users\ada\x.js`,
      'file:///c:/Users/ada/x.js',
      text,
      JSON.stringify({ text }),
    ])
      assert.doesNotMatch(withoutHome(each, home), /ada/, each);
  });
});

describe('a CPU profile in a report', () => {
  it('keeps its nodes and samples', async () => {
    const text = await redactedProfile(PROFILE, async (texts) => texts);
    assert.deepEqual(JSON.parse(text ?? ''), JSON.parse(PROFILE));
  });

  it('is left out if it is invalid or incomplete', async () => {
    for (const text of ['', PROFILE.slice(0, 50), '[]', '{"nodes":[]}'])
      assert.equal(await redactedProfile(text, async (texts) => texts), undefined, text);
  });
});
