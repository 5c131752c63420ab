import * as vscode from 'vscode';
import { insideExtension } from '../host/support/client';
import { WANTED } from './calling';
import { large } from './large';
import { Report } from './report';
import { steps } from './steps';
import { tokens } from './tokens';
import { tracker } from './tracker';

/** The parts that can be run alone: `npm run bench -- tokens`. */
const PARTS: Readonly<Record<string, (report: Report) => Promise<void>>> = { tokens, tracker, steps, large };

/** Speed and size of the extension against named baselines, measured in one run of one VS Code. */
export async function run(): Promise<void> {
  await insideExtension();
  const named = Object.keys(PARTS).filter((each) => WANTED.includes(each));
  const wanted = named.length > 0 ? named : Object.keys(PARTS);
  console.log(`VS Code ${vscode.version}, Node ${process.version} in the extension host, ${process.platform} ${process.arch}\n`);
  const report = new Report();
  for (const name of wanted) await PARTS[name]?.(report);
  report.finish(process.env['AGENT_DEBUGGER_BENCH_REPORT']);
}
