import { strict as assert } from 'node:assert';
import { call, cleanUp, marked } from '../support/client';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { fields, listOf } from '../../../src/debugger/protocol';

const SUBJECTS = [
  {
    name: 'Node',
    file: 'node/swallowed.js',
    // The type, the message, the line, and how often.
    thrown: [
      ['TypeError', /^Cannot destructure property 'zone'/, 'destructured', 4],
      ['SyntaxError', /JSON/, 'parsed', 1],
      ['Error', /^ENOENT: /, 'read', 1],
    ],
  },
  {
    name: 'Python',
    file: 'python/swallowed.py',
    thrown: [
      ['KeyError', /^'UK'$/, 'looked_up', 3],
      ['JSONDecodeError', /^Expecting property name/, 'parsed', 1],
    ],
  },
] as const;

for (const { name, file, thrown } of SUBJECTS)
  describe(`collect_values: swallowed exceptions of ${name}`, function () {
    this.timeout(300_000);
    before(function () {
      const language = LANGUAGES.find((each) => each.name === name);
      assert.ok(language);
      skipWhereMissing(this, language);
    });
    afterEach(cleanUp);

    it('are told in one call, with their places, and hits of a probe beside them', async () => {
      const probe = { file_path: file, line: marked(file, thrown[0][2]), expressions: ['country'] };
      const answer = await call('collect_values', {
        ...{ program: file, exceptions: true, probes: [probe], max_seconds: 120 },
      });
      const text = JSON.stringify(answer);
      assert.equal(answer['ended_by'], 'program_end', text);
      const list = listOf(fields(answer['exceptions'])['list']).map(fields);
      assert.equal(list.length, thrown.length, text);
      for (const [index, [type, message, marker, times]] of thrown.entries()) {
        const row = list[index] ?? {};
        assert.deepEqual([row['type'], row['times']], [type, times], text);
        assert.match(String(row['message']), message);
        assert.ok(String(row['at']).startsWith(`${file}:${marked(file, marker)} `), text);
      }
      // V8 stops at no exception where a condition of a breakpoint is false.
      const calls = name === 'Node' ? 5 : 4;
      assert.equal(answer['hits'], calls, text);
    });
  });
