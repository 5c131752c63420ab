import * as vscode from 'vscode';
import { insideExtension } from '../host/support/client';
import { Report } from './report';
import { steps } from './steps';
import { tokens } from './tokens';

/** The parts that can be run alone: `npm run bench -- tokens`. */
const PARTS: Readonly<Record<string, (report: Report) => Promise<void>>> = { steps, tokens };

/** Speed and size of the extension against named baselines, measured in one run of one VS Code. */
export async function run(): Promise<void> {
  await insideExtension();
  const wanted = process.env['AGENT_DEBUGGER_BENCH_PARTS']?.split(' ') ?? Object.keys(PARTS);
  console.log(`VS Code ${vscode.version}, Node ${process.version} in the extension host, ${process.platform} ${process.arch}\n`);
  const report = new Report();
  for (const name of wanted) await PARTS[name]?.(report);
  report.finish(process.env['AGENT_DEBUGGER_BENCH_REPORT']);
}
