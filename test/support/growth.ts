import { processorTime } from './processor';

/** The number of runs, of which the fastest counts: other work on the machine only makes runs slower. */
const RUNS = 5;

export async function fastest(
  work: () => unknown,
  runs = RUNS,
  now = () => performance.now(),
): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < runs; run += 1) {
    const started = now();
    await work();
    least = Math.min(least, now() - started);
  }
  return least;
}

/** The number of attempts to measure a growth that is too large: other work may have used the processor meanwhile. */
const ATTEMPTS = 4;

/**
 * The ratio of the times for a text that is eight times as long and for the text itself: about 8 if the work is linear,
 * 64 if it is quadratic. Both are measured in one run.
 */
export async function growth(
  text: (length: number) => string,
  length: number,
  work: (text: string) => unknown,
): Promise<number> {
  const [short, long] = [flat(text(length)), flat(text(8 * length))];
  await work(short);
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && least >= LINEAR; attempt += 1) {
    const small = await fastest(() => work(short), RUNS, processorTime);
    least = Math.min(least, (await fastest(() => work(long), RUNS, processorTime)) / small);
  }
  return least;
}

/** A flat copy of a text: JavaScript engines join repeated or concatenated texts only at the first read. */
export function flat(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** The limit of the ratio for linear work. It is above 8 because the longer text needs other caches and more memory. */
export const LINEAR = 24;

/** The first characters of the endlessly repeated text. */
export function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}
