import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import type { Fields } from '../../../src/debugger/protocol';
import { reportFiles } from '../../../src/diagnostics/report';
import { bundle } from '../../../src/diagnostics/reportBundle';
import { Captures } from '../../../src/investigation/captures';
import { ACTION_BINDING } from '../../../src/investigation/pageActions';
import { PageRecorder } from '../../../src/investigation/pageRecorder';
import { reasonerPrompt } from '../../../src/investigation/reasoning';
import { scrubWith } from '../../../src/investigation/scrub';
import { namedSecrets, secretsAcrossLines } from '../../../src/results/namedSecrets';
import { Redactor, withoutKnownForms } from '../../../src/results/redact';
import { growth, LINEAR, repeated } from '../../support/growth';
import { call, sources, stopResult } from '../../unit/diagnostics/support';
import { kept, removeFolders } from '../../unit/investigation/support';
import { asked, eventOf } from '../../unit/support/events';
import { FORMS } from './secretForms';

/** One secret in each form. */
interface Planted {
  readonly what: string;
  readonly text: string;
  readonly secret: string;
}

const LETTERS = Array.from('abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ');
const secret = fc
  .tuple(
    fc.array(fc.constantFrom(...LETTERS), { minLength: 4, maxLength: 12 }),
    fc.integer({ min: 100, max: 99_999 }),
    fc.array(fc.constantFrom(...LETTERS, '-', '_', '.', '~'), { maxLength: 12 }),
  )
  .map(([head, number, tail]) => `${head.join('')}${number}${tail.join('')}z`);

const planted: fc.Arbitrary<readonly Planted[]> = fc
  .array(secret, { minLength: Object.keys(FORMS).length, maxLength: Object.keys(FORMS).length })
  .map((secrets) =>
    Object.entries(FORMS).map(([what, form], index) => {
      // The number makes each secret different from the others.
      const own = `${secrets[index] ?? ''}${index}q`;
      return { what, text: form(own), secret: own };
    }),
  );

const one = { numRuns: 6, endOnFailure: true } as const;

const redactor = new Redactor(() => ({ enabled: true, patterns: [] }));

/** Fails if any of the secrets is in a text. */
function holdsNone(where: string, text: string, all: readonly Planted[]): void {
  const left = all.filter((each) => text.includes(each.secret)).map(({ what }) => what);
  assert.deepEqual(left, [], where);
}

/** The texts of all files below a folder. */
function filesIn(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(folder, file), readFileSync(file, 'utf8')];
    });
}

/** What a page shows: in its console, its requests and the addresses of the person's actions. */
function record(page: PageRecorder, { text, secret: value }: Planted): void {
  const address = `https://example.org/?access_token=${value}`;
  const preview = {
    properties: [
      { name: 'user', type: 'string', value: 'ada' },
      { name: 'password', type: 'string', value },
    ],
  };
  const stackTrace = { callFrames: [{ functionName: 'f', url: address, lineNumber: 1 }] };
  page.event('Runtime.consoleAPICalled', {
    type: 'log',
    args: [
      { type: 'string', value: text },
      { type: 'object', description: 'Object', preview },
    ],
    stackTrace,
  });
  page.event('Runtime.exceptionThrown', {
    exceptionDetails: { exception: { description: `Error: ${text}` } },
  });
  page.event('Log.entryAdded', { entry: { level: 'error', text, url: address } });
  page.event('Page.frameNavigated', { frame: { url: address } });
  page.event('Runtime.bindingCalled', {
    name: ACTION_BINDING,
    payload: JSON.stringify({ type: 'click', url: address, selector: '#pay' }),
  });
  request(page, address, text);
}

function request(page: PageRecorder, url: string, id: string): void {
  page.event('Network.requestWillBeSent', { requestId: id, request: { url, method: 'GET' } });
  page.event('Network.responseReceived', {
    requestId: id,
    response: { status: 200, mimeType: 'application/json' },
  });
  page.event('Network.loadingFinished', { requestId: id, encodedDataLength: 10 });
}

async function captured(all: readonly Planted[]): Promise<string> {
  const on = kept();
  const { sid } = await on.investigations.start('x');
  const captures = new Captures(on.investigations);
  const { id } = await captures.start(sid, {
    kind: 'capture',
    mode: 'web',
    source: 'page',
    what: `https://example.org/?access_token=${all[0]?.secret ?? ''}`,
    timeoutMs: 60_000,
    run: async (recorder) => {
      // The answers of the page have the secret in their body. Its request's id is the text.
      const send = async (_method: string, params: Fields = {}): Promise<Fields> => ({
        body: params['requestId'],
      });
      const page = new PageRecorder({ send }, recorder, false);
      for (const each of all) {
        record(page, each);
        await recorder.sink('stdout', `${each.text}\n`);
        await recorder.event({
          ts: 1,
          level: 'info',
          module: `https://example.org/?access_token=${each.secret}`,
          func: 'f',
          msg: each.text,
          kv: { password: each.secret, headers: { 'set-cookie': [`sid=${each.secret}`] } },
          stream: 'debugger',
        });
      }
      await page.settle();
      return { via: 'browser', endedBy: 'exit', note: all.map(({ text }) => text).join('\n') };
    },
  });
  await captures.wait(sid, id, 60_000, new AbortController().signal);
  const texts = all.map(({ text }) => text);
  await on.investigations.update(sid, () => ({ hook: texts.join('\n'), title: texts.join('\n') }));
  await on.investigations.writeText(sid, 'analysis/notes.md', texts.join('\n'));
  await on.investigations.writeJson(sid, 'evidence/x1.json', { texts, all: texts.join('\n') });
  return on.root;
}

describe('one redactor for everything that is written', () => {
  afterEach(removeFolders);

  it('removes a secret of each form from results', async () => {
    await fc.assert(
      fc.asyncProperty(planted, async (all) => {
        const shown = await redactor.redact({
          lines: all.map(({ text }) => text),
          message: all.map(({ text }) => text).join('\n'),
          variables: all.map(({ secret: value }) => ({ name: 'password', value: `'${value}'` })),
          data: all.map(({ secret: value }) => ({ headers: { cookie: [`sid=${value}`] } })),
        });
        for (const [name, part] of Object.entries(shown))
          holdsNone(name, JSON.stringify(part).replaceAll('\\', ''), all);
      }),
      one,
    );
  });

  it('removes it from all files of an investigation', async () => {
    await fc.assert(
      fc.asyncProperty(planted, async (all) => {
        const files = filesIn(await captured(all));
        const names = files.map(([name]) => path.posix.basename(name));
        for (const name of [
          'meta.json',
          'capture.ndjson',
          'network.ndjson',
          'console.ndjson',
          'actions.ndjson',
        ])
          assert.ok(names.includes(name), names.join(', '));
        for (const [name, text] of files) holdsNone(name, text, all);
        assert.match(files.map(([, text]) => text).join('\n'), /\[redacted: secret\]/);
      }),
      { ...one, numRuns: 3 },
    );
  });

  it('removes it from the prompt for another model', async () => {
    const outgoing = scrubWith(
      new Redactor(() => ({ enabled: true, patterns: [], isStrict: true })),
      () => true,
    );
    const on = kept();
    const found = await on.investigations.start('x');
    await fc.assert(
      fc.asyncProperty(planted, async (all) => {
        const text = all.map((each) => each.text).join('\n');
        const prompt = reasonerPrompt(
          found,
          'propose_patch',
          [],
          [{ place: 'a.js:1', text }],
          text,
        );
        holdsNone('prompt', await outgoing.text(prompt), all);
      }),
      one,
    );
  });

  it('removes it from all files of a report', async () => {
    await fc.assert(
      fc.asyncProperty(planted, async (all) => {
        for (const each of all) await reported(each);
      }),
      { ...one, numRuns: 2 },
    );
  });

  for (const part of [
    'password=',
    'password:"',
    "password:'",
    'token="',
    '?token=',
    'password=a(',
    'cookie: ',
    'authorization: a b c ',
    '"password":\\"',
    'password:["a",',
    '{password:"x",',
    'token:"a1',
    'form-data; name="password"\r\n\r\n',
    '"name":"password","value":"',
    'password,"cookie",',
    'a.'.repeat(40) + 'token=',
    'password=$x,',
    ' --password x',
    '--password-password',
    '****password="',
    '<password>',
    '\npassword: a',
  ])
    it(`takes linear time for a text of ${JSON.stringify(part.slice(0, 30))}`, async () => {
      const ratio = await growth(
        (length) => repeated(part, length),
        4000,
        (text) => [namedSecrets(text), secretsAcrossLines(text)],
      );
      assert.ok(ratio < LINEAR, `${ratio} times as long`);
    });

  it('removes it from lines of the log', () => {
    fc.assert(
      fc.property(planted, (all) => {
        for (const each of all) holdsNone('log', withoutKnownForms(each.text), [each]);
      }),
      one,
    );
  });

  it('removes a word that is a setting of a file', async () => {
    const lines = ['password: correct-horse', '  db_password: correcthorse'];
    assert.ok(!JSON.stringify(await redactor.redact({ lines })).includes('correct'));
  });

  it('keeps what only looks like a secret', async () => {
    const lines = [
      'const password = readPassword(user);',
      'login({ user, password: config.password })',
      'function login(user: string, password: string): Promise<void>',
      'if (password === stored) return token;',
      'password=config.password',
      'token: Identifier, value: 3',
      "{type: 'Identifier', token: 'foo'}",
      'Unexpected token: }',
      'password: undefined, secret: null',
      "{password: '', token: undefined, hasPassword: true}",
      'authorization: the user ada is not allowed',
      '{"password": "${input:password}", "key": "value"}',
      'https://example.org/?q=tea&page=2&sort=name',
      "{key: 'ab12cd34ef56', code: 'E1234567890'}",
      '10:31:22 server: listening on :3000',
      'tokens=1200 passwords=3',
      'INFO auth: session started',
      'password: string;',
      '    password: str',
      'Password: incorrect',
      '  password: user.pass,',
      'Pass session_id=s2 {"session_id": "s12"}',
    ];
    assert.deepEqual((await redactor.redact({ lines })).lines, lines);
  });
});

async function reported({ what, text, secret: value }: Planted): Promise<void> {
  const documents = sources();
  documents.recording.set(true);
  documents.trace.observe(eventOf('output', { output: text }));
  documents.trace.observe(
    asked(1, 'setExpression', { value: text, headers: { 'set-cookie': [`sid=${value}`] } }),
  );
  documents.traffic.message('sent', 'session-1', {
    id: 1,
    result: { content: [{ type: 'text', text: JSON.stringify({ output: [text] }) }] },
  });
  documents.calls.ended(
    call({
      input: { expression: text },
      result: {
        ...stopResult({ output: [text], changed: [{ name: 'x', before: text, now: text }] }),
        ...{ message: text, result: text },
      },
    }),
  );
  const facts = {
    versions: [['VS Code', '1']] as const,
    adapters: [],
    settings: [{ name: 'x', value: JSON.stringify(text), from: 'User settings' }],
    environment: [],
    state: [],
  };
  const files = await reportFiles(
    { documents, facts, versions: 'x', home: '/home/ada' },
    new Date(0),
  );
  const zip = unzipSync(bundle(files, [], new Date(0)));
  for (const [name, bytes] of Object.entries(zip))
    assert.ok(!new TextDecoder().decode(bytes).includes(value), `${name}: ${what}`);
}
