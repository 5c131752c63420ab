import { strict as assert } from 'node:assert';
import { setImmediate as turn } from 'node:timers/promises';
import { Redactor, type RedactionSettings } from '../../../src/results/redact';
import { growth, LINEAR, repeated } from '../../support/growth';

const redactor = (settings: Partial<RedactionSettings> = {}): Redactor => new Redactor(() => ({ enabled: true, patterns: [], ...settings }));

const GITHUB = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');

/** Texts on which forms of credentials have taken long, or might. */
const SLOW: Readonly<Record<string, (length: number) => string>> = {
  'assignments before a bracket': (length) => `${repeated('A_TOKEN=', length)}(`,
  'assignments before a far bracket': (length) => `${repeated('A_TOKEN=x,', length)}(`,
  'assignments without an end': (length) => repeated('A_TOKEN="', length),
  'quotes that do not close': (length) => repeated('A_TOKEN=\'A_TOKEN="A_TOKEN=`', length),
  'beginnings of a JSON web token': (length) => repeated('eyJ-', length),
  'JSON web tokens without a signature': (length) => `${repeated('eyJabcdefgh-', length)}.${repeated('eyJabcdefgh-', length)}`,
  'a long name': (length) => repeated('A_', length),
  'names that could be secrets’': (length) => repeated('A_TOKEN', length),
  'beginnings of a private key': (length) => repeated('-----BEGIN PRIVATE KEY-----', length),
  'private keys in a private key': (length) => repeated('-----BEGIN PRIVATE KEY-----MIIEpAIBAAKCAQEA', length),
  'beginnings of shortened keys': (length) => repeated('npm_abcd.', length),
  'shortened keys': (length) => repeated('npm_abcd…', length),
  addresses: (length) => repeated('a://b:', length),
  'one long scheme': (length) => `${repeated('a+', length)}://`,
};

describe('redaction of a text that is made to be slow', () => {
  for (const [what, text] of Object.entries(SLOW)) {
    it(`takes four times as long for four times as much of ${what}`, async () => {
      const ratio = await growth(1000, (length) => redactor().redact({ lines: [text(length)] }));
      assert.ok(ratio < LINEAR, `${ratio} times as long`);
    });
  }

  it('lets others have their turn meanwhile', async () => {
    // What vendors' forms look at longest.
    const text = repeated(repeated('ghs_1_', 996) + '.' + repeated('a', 10_000), 45_000);
    const lines = Array.from({ length: 20 }, () => text);
    await redactor().redact({ lines: [text] });
    let longest = 0;
    let isOver = false;
    const began = performance.now();
    const others = (async () => {
      for (let last = performance.now(); !isOver; ) {
        await turn();
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
    })();
    await redactor().redact({ lines });
    const took = performance.now() - began;
    isOver = true;
    await others;
    assert.ok(longest < took / 5, `${longest} of ${took} ms at a stretch`);
  });
});

describe('what a program prints to switch redaction off', () => {
  for (const comment of ['secretlint-disable', '/* secretlint-disable */', 'secretlint-disable-line', 'secretlint-disable-next-line', '// secretlint-disable @secretlint/secretlint-rule-github']) {
    it(`${comment} does not`, async () => {
      const words = JSON.stringify(await redactor().redact({ lines: [comment, `${comment} ${GITHUB}`, GITHUB] }));
      assert.equal(words.includes(GITHUB), false, words);
    });
  }
});
