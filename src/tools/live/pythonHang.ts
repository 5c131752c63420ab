import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { SessionState } from '../../debugger/state/state';
import { pythonPart } from '../../recording/pythonModule';
import { recorderName } from '../../recording/recordings';
import { Failure } from '../../results/failure';
import type { Call, ToolServices } from '../services';
import { MOST, readReport, type HangReport } from './hangReport';

const ANSWER = 'answer.json';

/** The limits of the texts of values, as `values.py` expects them. */
const VALUES = { text: 80, items: 3, depth: 1 };

/**
 * Explains what a Python program waits for. A thread of the debugger does it, so the program need not be stopped: one
 * that waits for a lock could not be.
 * @throws Failure `not_supported` if the program does not run on this machine
 */
export async function explainPython(
  { scratch, recorders, inspector }: ToolServices,
  session: SessionState,
  call: Call,
): Promise<HangReport> {
  const folder = recorderName();
  await scratch.make(folder, {});
  try {
    const settings = { ...MOST, ...VALUES, out: path.join(scratch.pathOf(folder), ANSWER) };
    const args = {
      expression: recorderExpression(recorders, 'hang.py', settings),
      context: 'repl',
    };
    await inspector.send(session, 'evaluate', args, call.signal);
    const report = readReport((await scratch.read(folder, ANSWER)) ?? '');
    if (report !== undefined) return report;
  } finally {
    await scratch.remove(folder);
  }
  throw new Failure(
    'not_supported',
    l10n.t('The program could not write its answer to this machine.'),
    'It may run on another machine or as another user. Call pause_debugging and get_call_stack for each thread.',
    { session_id: session.id },
  );
}

/** The expression that runs a recorder, which writes an answer. Its names are in a namespace of their own. */
export function recorderExpression(recorders: string, recorder: string, settings: object): string {
  const parts = ['values.py', recorder].map((file) =>
    pythonPart(path.join(recorders, 'python', file)),
  );
  const text = [
    `C = __import__('json').loads(${JSON.stringify(JSON.stringify(settings))})`,
    ...parts,
  ];
  return `__import__('builtins').exec(${JSON.stringify(text.join('\n'))}, {})`;
}
