import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { call, cleanUp } from '../host/support/client';
import { LANGUAGES, stopInWork } from './calling';
import { timed } from './measuring';
import { withRawClient } from './rawClient';
import type { Report } from './report';

/** Measures the setting and clearing of 500 breakpoints in 50 files, compared with only the raw requests. */
export async function breakpoints(report: Report): Promise<void> {
  report.part('breakpoints');
  const [language] = LANGUAGES;
  if (language === undefined) return;
  const { raw } = await withRawClient(
    () => stopInWork(language),
    (stop) => stop.thread_id,
  );
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-bench-'));
  const lines = Array.from({ length: 10 }, (_, index) => index + 1);
  const files = Array.from({ length: 50 }, (_, index) =>
    path.join(folder, `file${index}${path.extname(language.work)}`),
  );
  for (const file of files) writeFileSync(file, lines.map((line) => `work(${line})\n`).join(''));
  const own = vscode.debug.breakpoints.length;
  const setting = await timed(async () => {
    for (const file of files)
      await Promise.all(
        lines.map((line) => call('set_breakpoint', { file_path: file, line_number: line })),
      );
  });
  if (vscode.debug.breakpoints.length !== own + 500)
    throw new Error(`${vscode.debug.breakpoints.length - own} breakpoints of 500`);
  const listing = await timed(async () => call('get_breakpoints', {}));
  const clearing = await timed(async () => call('remove_breakpoint', { clear_all: true }));
  if (vscode.debug.breakpoints.length !== 0)
    throw new Error(`${vscode.debug.breakpoints.length} breakpoints are left`);
  const requests = await timed(async () => {
    for (const file of files)
      for (const line of lines)
        await raw.request('setBreakpoints', {
          source: { path: file },
          breakpoints: lines.slice(0, line).map((each) => ({ line: each })),
        });
    for (const file of files)
      await raw.request('setBreakpoints', { source: { path: file }, breakpoints: [] });
  });
  rmSync(folder, { recursive: true });
  await cleanUp();
  report.text(
    `500 breakpoints in 50 files on ${language.name}, ten calls at a time, in milliseconds.`,
  );
  report.table(
    ['', 'ms', 'to raw'],
    [
      ['`set_breakpoint`, 500 times', setting, ''],
      ['`get_breakpoints`', listing, ''],
      ['`remove_breakpoint` with `clear_all`', clearing, ''],
      ['setting and clearing', setting + clearing, (setting + clearing) / requests],
      ['raw `setBreakpoints` requests for the same', requests, 1],
    ],
  );
}
