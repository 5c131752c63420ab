import { credentialsOfNoVendor } from '../../src/results/credentialForms';
import { LinearPattern } from '../../src/results/linearPattern';
import { Redactor } from '../../src/results/redact';
import { fastest, flat, repeated } from '../support/growth';
import { SLOW, SLOW_FOR_VENDORS } from '../support/slowTexts';
import { timed } from './measuring';
import type { Report } from './report';

const MEGABYTE = 1024 * 1024;
const AIM = { most: 100 };

/** Measures redaction of ordinary texts and of texts that are crafted to make it slow. */
export async function redaction(report: Report): Promise<void> {
  report.part('redaction');
  const texts = {
    'a log': (length: number) =>
      repeated('2026-11-23 09:46:00 GET /orders?id=4711 200 in 12 ms (key = x)\n', length),
    ...SLOW,
  };
  report.text(
    'Our own forms of credentials on 1 MB of text, the fastest of five in milliseconds, beside counting its words with JavaScript’s own engine (`/\\w+/g`) in the same run.',
  );
  const rows = [];
  for (const [what, make] of Object.entries(texts)) {
    const text = flat(make(MEGABYTE));
    const [ours, words] = [
      await fastest(() => credentialsOfNoVendor(text)),
      await fastest(() => countWords(text)),
    ];
    rows.push([
      what,
      ours,
      words,
      ours / words,
      report.aim(`our own forms on 1 MB of ${what}`, ours, AIM),
    ]);
  }
  report.table(['1 MB of', 'our forms', 'counting words', 'to words', 'aim'], rows);
  await wholeAnswers(report);
  await patterns(report);
}

function countWords(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/\w+/g)) count += 1;
  return count;
}

/** Measures the whole redaction of an answer, and the longest time in which no other work runs. */
async function wholeAnswers(report: Report): Promise<void> {
  const redactor = new Redactor(() => ({ enabled: true, patterns: [] }));
  const rows = [];
  for (const [what, make] of Object.entries({
    'a log': (length: number) => repeated('GET /orders?id=4711 200 in 12 ms\n', length),
    'tokens of GitHub apps without an end': SLOW_FOR_VENDORS,
  })) {
    const lines = Array.from({ length: 20 }, () => make(MEGABYTE / 20));
    await redactor.redact({ lines });
    let [longest, last] = [0, performance.now()];
    const read = (): void => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    };
    const timer = setInterval(read, 1);
    const took = await timed(() => redactor.redact({ lines }));
    read();
    clearInterval(timer);
    rows.push([what, took, longest]);
  }
  report.text(
    'The whole redaction of an answer of 1 MB (an answer is cut to 7,500 characters after it), vendors’ forms included, in milliseconds; and the longest stretch in which nothing else of the extension host had its turn.',
  );
  report.table(['1 MB of', 'redaction', 'longest stretch'], rows);
}

/** Compares patterns of agents with JavaScript's own engine, for patterns on which that engine terminates. */
async function patterns(report: Report): Promise<void> {
  const line = 'GET /orders?id=4711 200 in 12 ms';
  const lines = repeated(`${line}\n`, MEGABYTE).split('\n');
  const rows = [];
  for (const source of [
    '\\b500\\b',
    'in \\d{3,} ms$',
    '(?:GET|POST) /(?:orders|carts)\\?id=\\d+ 5\\d\\d',
  ]) {
    const [linear, own] = [await LinearPattern.of(source), new RegExp(source, 'u')];
    const times = [
      await fastest(() => lines.filter((each) => linear.test(each))),
      await fastest(() => lines.filter((each) => own.test(each))),
    ] as const;
    rows.push([`\`${source.replaceAll('|', '\\|')}\``, ...times, times[0] / times[1]]);
  }
  report.text(
    `Patterns on 1 MB of output in ${lines.length.toLocaleString('en-US')} lines, the fastest of five in milliseconds.`,
  );
  report.table(['pattern', 'RE2', 'JavaScript’s own', 'to own'], rows);
}
