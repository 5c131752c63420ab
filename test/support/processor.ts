import { setImmediate as turn } from 'node:timers/promises';

/** The processor time of this process in milliseconds, without that of other processes. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs work. @returns the longest processor time in milliseconds for which other work had to wait */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const others = (async () => {
    for (let last = processorTime(); !isOver;) {
      await turn();
      longest = Math.max(longest, processorTime() - last);
      last = processorTime();
    }
  })();
  await work();
  isOver = true;
  await others;
  return longest;
}

/** The processor time in milliseconds of the reference work on the machine on which the limits of tests were chosen. */
const REFERENCE = 30;

/** The number of runs of the reference work, of which the fastest counts. */
const RUNS = 7;

/** Work of the kind that scans of project text do: it reads characters, matches patterns, and fills lists and maps. */
function referenceWork(): number {
  const lines: string[] = [];
  for (let line = 0; line < 25_000; line += 1)
    lines.push(`  const name${line} = call(${line % 7}, "text of the line") // comment`);
  const text = lines.join('\n');
  const counts = new Map<string, number>();
  for (const match of text.matchAll(/\b[a-z]\w*/g))
    counts.set(match[0], (counts.get(match[0]) ?? 0) + 1);
  let brackets = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 40) brackets += 1;
    else if (code === 41) brackets -= 1;
  }
  return counts.size + brackets + text.split('\n').length;
}

/**
 * How many times slower this machine now is than the one on which the limits of tests were chosen, at least 1. Limits of
 * processor time are multiplied by it, so that they judge the code and not the machine.
 */
export function slowness(): number {
  let least = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const started = processorTime();
    referenceWork();
    least = Math.min(least, processorTime() - started);
  }
  return Math.max(1, least / REFERENCE);
}
