import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { z } from 'zod';
import { Redactor } from '../../../src/results/redact';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import { runOutcome } from '../../../src/tools/schemas';
import { redact, AWS, AWS_SECRET, GITHUB, many, JWT, SECRETS } from '../support/credentials';

describe('credentials in results', () => {
  for (const [what, text, secret] of SECRETS) {
    it(`${what} is replaced by a marker with its kind, wherever it is`, async () => {
      for (const result of [
        { status: 'success', result: text },
        { status: 'error', message: `before ${text} after` },
        { lines: [{ text: 'fine' }, { text }] },
        { variables: [{ name: 'x', value: text, children: [{ name: 'y', value: text }] }] },
      ]) {
        const shown = JSON.stringify(await redact(result));
        assert.equal(shown.includes(secret), false, shown);
        assert.match(shown, /\[redacted: [A-Za-z ]+\]/);
      }
    });
  }

  it('a value is checked with the name of its variable before it', async () => {
    const result = await redact({
      variables: [
        { name: 'SESSION_SECRET', value: "'tea and cake'" },
        { name: 'title', value: "'tea and cake'" },
      ],
    });
    assert.deepEqual(result, {
      variables: [
        { name: 'SESSION_SECRET', value: "'[redacted: environment secret]'" },
        { name: 'title', value: "'tea and cake'" },
      ],
    });
  });

  it('a field’s value is checked with the name of the field before it, whatever the name', async () => {
    const result = await redact({
      fields: {
        SHOP_API_KEY: "'tea and cake'",
        title: "'tea and cake'",
        code: "SHOP_API_KEY='tea and cake'",
        name: 'DB_PASSWORD',
      },
    });
    assert.deepEqual(result, {
      fields: {
        SHOP_API_KEY: "'[redacted: environment secret]'",
        title: "'tea and cake'",
        code: "SHOP_API_KEY='[redacted: environment secret]'",
        name: 'DB_PASSWORD',
      },
    });
  });

  it('text that is only similar to a credential stays: names, hashes, UUIDs, paths, code', async () => {
    const result = {
      status: 'success',
      values: [
        'token',
        'password',
        'const apiKey = readKey();',
        'e83c5163316f89bfbde7d9ab23ca2e25604af290',
        '123e4567-e89b-12d3-a456-426614174000',
        '/home/ada/secret/notes.txt',
        'https://example.com/user:name',
        'Bearer of news',
        'TOKEN_COUNT = 12',
        'TOKEN_LIMIT = 4096000',
        AWS.slice(0, 10),
        'risk-adjusted…',
        'sk-…',
        'npm_config_registry and more…',
        "text.startsWith('-----BEGIN PRIVATE KEY-----') || isPem(text)",
        'eyJhbGciOiJIUzI1NiJ9',
        'ask-the-person… again',
      ],
    };
    assert.deepEqual(await redact(result), result);
  });

  it('the result of an evaluation is checked with its expression as the name', async () => {
    const redactor = new Redactor(() => ({ enabled: true, patterns: [] }));
    assert.deepEqual(
      await redactor.redact(
        { status: 'success', result: "'tea and cake'" },
        'process.env.DB_PASSWORD',
      ),
      { status: 'success', result: "'[redacted: environment secret]'" },
    );
    assert.deepEqual(
      await redactor.redact({ status: 'success', result: "'tea and cake'" }, 'menu.title'),
      { status: 'success', result: "'tea and cake'" },
    );
  });

  it('a missing secret is shown, and so are numbers and code', async () => {
    const result = {
      lines: [
        'API_TOKEN = undefined',
        'DB_PASSWORD = None',
        'MAX_TOKENS = 100_000',
        'ACCESS_TOKEN = -100000',
        'const API_KEY = readKey(x);',
      ],
      variables: [{ name: 'API_TOKEN', value: '', type: 'string', code: 'abcdefgh' }],
    };
    assert.deepEqual(await redact(result), result);
  });

  it('the texts by which a caller steers are never changed, whatever the patterns', async () => {
    assert.deepEqual(
      await redact(
        { status: 'success', session_id: 's1', text: 'success s1' },
        { patterns: ['success', 's1'] },
      ),
      { status: 'success', session_id: 's1', text: '[redacted: pattern] [redacted: pattern]' },
    );
  });

  describe('next to our own words', () => {
    const FIELDS = ['status', 'code', 'reason', 'session_id', 'timestamp', 'state', 'owner', 'by'];
    const redactor = new Redactor(() => ({
      enabled: true,
      patterns: ['stopped', 'step', 's1', 'success'],
    }));

    for (const name of FIELDS) {
      it(`a value that a program or a file names ${name} is checked like any other`, async () => {
        for (const result of [
          { configurations: [{ name: 'app', [name]: GITHUB, env: { [name]: GITHUB } }] },
          { stop_event_data: { changed: { [name]: GITHUB } } },
          { path: [{ line: 1, changed: { [name]: GITHUB } }] },
          { data: { [name]: { [name]: [GITHUB] } } },
          { [name]: GITHUB },
        ]) {
          for (const tool of [undefined, ...ALL_TOOLS]) {
            const shown = JSON.stringify(
              await new Redactor(() => ({ enabled: true, patterns: [] })).redact(
                result,
                undefined,
                tool?.output,
              ),
            );
            assert.equal(shown.includes(GITHUB), false, shown);
          }
        }
      });
    }

    it('our own words stay in their places, whatever the patterns', async () => {
      const stop = {
        timestamp: '2026-11-23T09:46:00.000Z',
        session_id: 's1',
        reason: 'step',
        text: 'step s1',
      };
      const shown = await redactor.redact(
        {
          status: 'stopped',
          stop_event_data: stop,
          members: [{ session_id: 's1', name: 's1', state: 'stopped' }],
        },
        undefined,
        runOutcome,
      );
      assert.deepEqual(shown, {
        status: 'stopped',
        stop_event_data: { ...stop, text: '[redacted: pattern] [redacted: pattern]' },
        members: [{ session_id: 's1', name: '[redacted: pattern]', state: 'stopped' }],
      });
    });

    it('other text in their places is checked', async () => {
      assert.deepEqual(
        await redactor.redact(
          { stop_event_data: { reason: `exception ${GITHUB}`, session_id: 's1 s1' } },
          undefined,
          runOutcome,
        ),
        {
          stop_event_data: {
            reason: 'exception [redacted: GITHUB TOKEN]',
            session_id: '[redacted: pattern] [redacted: pattern]',
          },
        },
      );
    });

    it('our own field names stay, whatever the patterns', async () => {
      const all = new Redactor(() => ({ enabled: true, patterns: ['[a-z_]+'] }));
      const shape = z.looseObject({
        status: z.enum(['success']),
        list: z.array(z.object({ name: z.string() })),
        omitted: z.record(z.string(), z.string()),
      });
      assert.deepEqual(
        await all.redact(
          { status: 'success', list: [{ name: '7' }], omitted: { lines: '7' }, more: ['7'] },
          undefined,
          shape,
        ),
        { status: 'success', list: [{ name: '7' }], omitted: { lines: '7' }, more: ['7'] },
      );
    });
  });

  it('keys that are not ours are checked as well: those of environments, configurations and variables', async () => {
    const other = GITHUB.replace('wWP', 'wWQ');
    const shown = await redact({
      configuration: { env: { PATH: '/bin', [GITHUB]: '1', [other]: '2', AFTER: '3' } },
      path: [{ changed: { [`cache["${GITHUB}"]`]: '7' } }],
    });
    assert.deepEqual(shown, {
      configuration: {
        env: {
          PATH: '/bin',
          '[redacted: GITHUB TOKEN]': '1',
          '[redacted: GITHUB TOKEN] (2)': '2',
          AFTER: '3',
        },
      },
      path: [{ changed: { 'cache["[redacted: GITHUB TOKEN]"]': '7' } }],
    });
    assert.deepEqual(Object.keys((shown['configuration'] as { env: object }).env), [
      'PATH',
      '[redacted: GITHUB TOKEN]',
      '[redacted: GITHUB TOKEN] (2)',
      'AFTER',
    ]);
  });

  it('a value is checked with its key as the name if both are from a file or a program', async () => {
    assert.deepEqual(
      await redact({
        configurations: [{ options: { API_TOKEN: 'tea-and-cake', title: 'tea-and-cake' } }],
      }),
      {
        configurations: [
          { options: { API_TOKEN: '[redacted: environment secret]', title: 'tea-and-cake' } },
        ],
      },
    );
  });

  it('a key `__proto__` is treated as any other key', async () => {
    const shown = await redact(
      JSON.parse(`{"a": {"__proto__": "${GITHUB}", "${GITHUB}": "x"}}`) as Record<string, unknown>,
    );
    assert.equal(
      JSON.stringify(shown),
      '{"a":{"__proto__":"[redacted: GITHUB TOKEN]","[redacted: GITHUB TOKEN]":"x"}}',
    );
  });

  it('nothing is left of a credential in another one or next to it', async () => {
    for (const [text, rest] of [
      [`A_TOKEN='x B_SECRET='correct-horse'`, 'horse'],
      [`API_KEY=${GITHUB}-and-more`, 'more'],
      [`Bearer ${JWT}/${GITHUB}`, GITHUB.slice(-9)],
      [`postgres://app:${GITHUB}:more@db`, 'more'],
      [`aws_secret_access_key = ${AWS_SECRET} Bearer ${JWT}`, JWT.slice(-9)],
    ] as const) {
      const shown = JSON.stringify(await redact({ text }, { patterns: ['ghp_wW'] }));
      assert.equal(shown.includes(rest), false, shown);
    }
    assert.deepEqual(
      await redact({ text: `x ${GITHUB} y` }, { patterns: ['wWPw5k4', 'x ghp', 'INUx y'] }),
      { text: '[redacted: pattern]' },
    );
  });

  it('a key that continues on the next line, and one at the border of two searched parts, are found', async () => {
    const lines =
      `${['-----BEGIN RSA PRIVATE', 'KEY-----'].join(' ')}\n${many('MIIEpAIBAAKCAQEA', 64)}\n${many('qL8fTz0xV1bN4mKc', 64)}\n${['-----END RSA PRIVATE', 'KEY-----'].join(' ')}`.split(
        '\n',
      );
    assert.equal(JSON.stringify(await redact({ output: lines })).includes('qL8f'), false);
    for (let before = 32_700; before < 32_800; before += 7) {
      assert.equal(
        JSON.stringify(
          await redact({ text: `${'. '.repeat(before / 2)}${GITHUB} ${many('. ', 40_000)}` }),
        ).includes(GITHUB.slice(-9)),
        false,
        `${before}`,
      );
    }
  });

  it('thousands of lines with a secret each, and texts designed to be slow, are searched in limited time', async () => {
    const lines = Array.from({ length: 3000 }, () => ({ text: `x ${GITHUB}` }));
    const slow = [
      'a.'.repeat(100_000),
      'TOKEN'.repeat(40_000),
      'A_'.repeat(100_000),
      `Bearer ${' '.repeat(100_000)}`,
      'http://'.repeat(30_000),
    ];
    const started = performance.now();
    const result = await redact({ lines, slow });
    const took = performance.now() - started;
    assert.equal(JSON.stringify(result).includes(GITHUB), false);
    assert.ok(took < 10_000, `${took} ms`);
  });

  it('nothing is changed if redaction is switched off', async () => {
    const result = { a: GITHUB };
    assert.equal(await redact(result, { enabled: false }), result);
  });

  it('the caller’s own object is not changed', async () => {
    const result = { a: { b: [GITHUB] } };
    await redact(result);
    assert.deepEqual(result, { a: { b: [GITHUB] } });
  });

  it('a credential is removed whatever surrounds it, and all other text stays', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 20 }), { maxLength: 6 }),
        fc.nat(5),
        async (texts, at) => {
          const around = texts.map((text) => text.replaceAll(/[A-Za-z0-9_=:@/-]/g, '.'));
          const with_ = [...around];
          with_.splice(Math.min(at, with_.length), 0, ` ${GITHUB} `);
          const result = (await redact({ lines: with_ }))['lines'] as string[];
          assert.equal(JSON.stringify(result).includes(GITHUB), false);
          assert.deepEqual(
            result.filter((text) => !text.includes('[redacted')),
            around,
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
