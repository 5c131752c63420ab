import { strict as assert } from 'node:assert';
import { Redactor, type RedactionSettings } from '../../../src/results/redact';
import { growth, LINEAR } from '../../support/growth';
import { longestBlock, processorTime } from '../../support/processor';
import { SLOW, SLOW_FOR_VENDORS } from '../../support/slowTexts';

const redactor = (settings: Partial<RedactionSettings> = {}): Redactor =>
  new Redactor(() => ({ enabled: true, patterns: [], ...settings }));

const GITHUB = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');

describe('redaction of a text that is crafted to be slow', () => {
  for (const [what, text] of Object.entries(SLOW)) {
    it(`takes linear time for eight times the length of ${what}`, async () => {
      const ratio = await growth(text, 1000, (line) => redactor().redact({ lines: [line] }));
      assert.ok(ratio < LINEAR, `${ratio} times as long`);
    });
  }

  it('lets other work run in between', async () => {
    const text = SLOW_FOR_VENDORS(45_000);
    const lines = Array.from({ length: 20 }, () => text);
    await redactor().redact({ lines: [text] });
    const began = processorTime();
    const longest = await longestBlock(async () => await redactor().redact({ lines }));
    const took = processorTime() - began;
    assert.ok(longest < took / 5, `${longest} of ${took} ms at a stretch`);
  });
});

describe('output that tries to turn redaction off', () => {
  for (const comment of [
    'secretlint-disable',
    '/* secretlint-disable */',
    'secretlint-disable-line',
    'secretlint-disable-next-line',
    '// secretlint-disable @secretlint/secretlint-rule-github',
  ]) {
    it(`${comment} does not turn it off`, async () => {
      const answerText = JSON.stringify(
        await redactor().redact({ lines: [comment, `${comment} ${GITHUB}`, GITHUB] }),
      );
      assert.equal(answerText.includes(GITHUB), false, answerText);
    });
  }
});
