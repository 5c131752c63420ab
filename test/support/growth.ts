/** The fastest run counts: what else the machine does only makes runs slower. */
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

/** Milliseconds that this process has had a processor: other processes do not count. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How often a growth is measured that is too large: something else may have had the processor meanwhile. */
const ATTEMPTS = 4;

/**
 * By how much work takes longer on a text that is eight times as long: about 8 where it is linear, 64 where it is
 * quadratic. Both are measured in one run.
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

/** What JavaScript engines make of repeated or joined texts is put together when it is first read. */
export function flat(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** What linear work stays below and quadratic work does not: the longer text needs other caches and more memory. */
export const LINEAR = 24;

/** The first characters of a text that goes on for ever. */
export function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}
