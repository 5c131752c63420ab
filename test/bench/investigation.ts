import { createWriteStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SessionFolder } from '../../src/editor/investigation/sessionFolder';
import { CaptureWriter } from '../../src/investigation/captureWriter';
import { encode, type CaptureEvent } from '../../src/investigation/events';
import { analyze } from '../../src/investigation/readCapture';
import { scrubWith } from '../../src/investigation/scrub';
import { Redactor } from '../../src/results/redact';
import { megabytesInUse } from '../unit/support/asking';
import type { Report } from './report';

const SID = '260301-abcd';
const MEGABYTE = 1024 * 1024;

/** Measures the analysis of a capture of a million lines, and the writing of a capture. */
export async function investigation(report: Report): Promise<void> {
  report.part('investigation');
  const root = mkdtempSync(path.join(tmpdir(), 'agent-debugger-bench-'));
  try {
    await analysisOf(report, root);
    await writing(report, root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function analysisOf(report: Report, root: string): Promise<void> {
  const files = new SessionFolder(() => root);
  report.text(
    'The analysis of a capture: an error with its stack trace on every thousandth line, 200 modules, rapid sequences. Memory is what the heap holds more at its highest than before.',
  );
  const rows = [];
  for (const lines of [100_000, 1_000_000]) {
    const file = `logs/capture-${lines}.ndjson`;
    await writeLines(path.join(root, SID, file), lines);
    const before = megabytesInUse();
    const started = performance.now();
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().heapUsed / MEGABYTE);
    }, 20);
    const { errors } = await analyze(files, SID, file);
    clearInterval(watch);
    const seconds = (performance.now() - started) / 1000;
    rows.push([
      String(lines),
      statSync(path.join(root, SID, file)).size / MEGABYTE,
      errors,
      seconds,
      most - before,
      report.aim(`analysis of ${lines} lines`, seconds, { most: lines === 1_000_000 ? 10 : 2 }),
    ]);
  }
  report.table(['lines', 'MB', 'errors', 'seconds', 'MB of memory', 'aim'], rows);
}

async function writing(report: Report, root: string): Promise<void> {
  const files = new SessionFolder(() => root);
  const scrub = scrubWith(new Redactor(() => ({ enabled: true, patterns: [] })), () => true);
  const writer = new CaptureWriter(await files.grow(SID, 'logs/written.ndjson'), scrub);
  const piece = Array.from({ length: 1000 }, (_, index) => line(index)).join('\n');
  const started = performance.now();
  let bytes = 0;
  for (let count = 0; count < 50; count += 1) {
    await writer.accept('stdout', `${piece}\n`);
    bytes += piece.length + 1;
  }
  await writer.finish();
  const seconds = (performance.now() - started) / 1000;
  report.text('Writing a capture, with redaction and parsing: a faster program is slowed down.');
  report.table(
    ['lines', 'MB', 'seconds', 'lines per second', 'aim'],
    [
      [
        '50000',
        bytes / MEGABYTE,
        seconds,
        50_000 / seconds,
        report.aim('writing a capture of 50,000 lines', seconds, { most: 10 }),
      ],
    ],
  );
}

function line(index: number): string {
  return `2026-11-23 09:46:00 INFO [orders] GET /orders?id=${index} 200 in ${index % 50} ms size=${index}`;
}

async function writeLines(file: string, count: number): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true });
  const stream = createWriteStream(file);
  for (let index = 0; index < count; index += 1) {
    const isError = index % 1000 === 0;
    const isTrace = index % 1000 === 1;
    const event: CaptureEvent = {
      ts: 1_700_000_000_000 + index,
      level: isError || isTrace ? 'error' : 'info',
      module: `module${index % 200}.ts`,
      func: `step${index % 1500}`,
      msg: isError
        ? `TypeError: cell ${index} is undefined`
        : isTrace
          ? `at draw (/app/board.js:${(index % 90) + 1}:5)`
          : `mapped cell ${index} of board ${index % 17} to ${index * 3},${index * 2}`,
      kv: isTrace
        ? { trace: true, frame: { file: '/app/board.js', line: (index % 90) + 1 } }
        : { x: index % 15, y: index % 19 },
    };
    if (!stream.write(encode(event))) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}
