import * as vscode from 'vscode';
import { insideExtension } from '../host/support/client';
import { activation } from './activation';
import { breakpoints } from './breakpoints';
import { investigation } from './investigation';
import { realBugs } from './bugs/realBugs';
import { writers } from './bugs/writers/writers';
import { collecting } from './collecting';
import { large } from './large';
import { livePrograms } from './live/livePrograms';
import { objects } from './objects';
import { output } from './output';
import { recordedLines } from './recordedLines';
import { redaction } from './redaction';
import { Report } from './report';
import { sessions } from './sessions';
import { steps } from './steps';
import { tokens } from './tokens';
import { traces } from './traces';
import { tracker } from './tracker';

/**
 * The parts, which can be run alone: `npm run bench -- tokens`. Activation is first, before any other work. The tracker
 * is before the steps, which observe its messages as long as VS Code runs.
 */
const PARTS: Readonly<Record<string, (report: Report) => Promise<void>>> = {
  activation,
  tokens,
  tracker,
  steps,
  traces,
  large,
  output,
  sessions,
  breakpoints,
  collecting,
  objects,
  redaction,
  investigation,
  lines: recordedLines,
  bugs: realBugs,
  writers,
  live: livePrograms,
};

/** Measures speed and size of the extension against named baselines, in one run of one VS Code. */
export async function run(): Promise<void> {
  await insideExtension();
  const named = Object.keys(PARTS).filter((each) =>
    (process.env['AGENT_DEBUGGER_BENCH_PARTS'] ?? '').split(' ').includes(each),
  );
  const report = new Report(
    `VS Code ${vscode.version}, Node ${process.version} in the extension host, ${process.platform} ${process.arch}`,
  );
  for (const [name, part] of Object.entries(PARTS)) if (named.includes(name)) await part(report);
  report.finish(process.env['AGENT_DEBUGGER_BENCH_REPORT']);
}
