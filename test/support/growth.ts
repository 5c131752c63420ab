/** The fastest run counts: what else the machine does only makes runs slower. */
const RUNS = 5;

export async function fastest(work: () => unknown, runs = RUNS): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await work();
    least = Math.min(least, performance.now() - started);
  }
  return least;
}

/** By how much work takes longer on four times as much: about 4 where it is linear, 16 where it is quadratic. */
export async function growth(size: number, work: (size: number) => unknown): Promise<number> {
  await work(size);
  const small = await fastest(() => work(size));
  return (await fastest(() => work(4 * size))) / small;
}

/** What linear work stays below and quadratic work does not. */
export const LINEAR = 9;

/** The first characters of a text that goes on for ever. */
export function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}
