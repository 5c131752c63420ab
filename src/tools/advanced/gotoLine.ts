import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { countOf, fields, listOf, numberOf } from '../../debugger/protocol';
import type { SessionState } from '../../debugger/state/state';
import { keptText } from '../../debugger/texts';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { stoppedThread } from '../core/place';
import { defineTool } from '../defineTool';
import { locate, shortPath } from '../files/files';
import { code } from '../question';
import { limitsOf, reportRun } from '../reports/runReport';
import { filePath, lineNumber, maxChars, runOutcome, timeoutSeconds } from '../schemas';
import type { Call, ToolServices } from '../services';

interface GotoTarget {
  readonly id: number;
  readonly label: string;
  readonly line: number;
  readonly column: number | undefined;
}

export const gotoLine = defineTool({
  name: 'goto_line',
  set: 'advanced',
  effect: 'control',
  title: 'Go to Line',
  userDescription: 'Sets the line at which the paused program continues',
  modelDescription:
    'Move the paused thread to another line without running what is between. Several targets on the line are listed: pass one as target_id.',
  icon: 'debug-line-by-line',
  input: z.strictObject({
    file_path: filePath,
    line_number: lineNumber,
    column_number: z.int().min(1).max(1_000_000).optional(),
    target_id: z.int().optional().describe('From targets.'),
    timeout_seconds: timeoutSeconds,
    max_chars: maxChars,
  }),
  output: runOutcome,
  needs: 'thread',
  capability: 'supportsGotoTargetsRequest',
  doing: () => l10n.t('Going to a line'),
  files: ({ file_path: file }) => [file],
  question: async ({ input, target, services }) => {
    const path = await locate(services, input.file_path, input.line_number);
    return {
      title: l10n.t('Go to line'),
      message: l10n.t(
        'Go from {0} to {1} without running the code in between; this can change what the program does',
        await stoppedThread(services, target),
        code(`${shortPath(services, path)}:${input.line_number}`),
      ),
    };
  },
  run: async ({ input, target: { session, threadId }, services, call }) => {
    const path = await locate(services, input.file_path, input.line_number);
    const place = { path, line: input.line_number, column: input.column_number };
    const targets = await targetsAt(services, session, threadId, place, call);
    const chosen = chosenTarget(targets, place, input.target_id);
    const limits = limitsOf(input.timeout_seconds, call);
    const outcome = await services.control.moveBy(
      session,
      threadId,
      { command: 'goto', args: { threadId, targetId: chosen.id } },
      limits,
    );
    return await reportRun(services, call, session.key, outcome, limits);
  },
});

interface Line {
  readonly path: string;
  readonly line: number;
  readonly column: number | undefined;
}

async function targetsAt(
  { inspector }: ToolServices,
  session: SessionState,
  threadId: number,
  { path, line, column }: Line,
  call: Call,
): Promise<readonly GotoTarget[]> {
  const body = await inspector.read(
    session,
    inspector.placeOf(session, threadId),
    'gotoTargets',
    defined({ source: { path }, line, column }),
    call.signal,
  );
  return listOf(body['targets']).flatMap((value) => {
    const target = fields(value);
    const id = numberOf(target['id']);
    if (id === undefined) return [];
    return [
      {
        id,
        label: keptText(target['label']) ?? '',
        line: countOf(target['line']) ?? line,
        column: countOf(target['column']),
      },
    ];
  });
}

/**
 * Returns the requested target, or the only one.
 * @throws Failure `ambiguous_target` with the targets, `line_not_found`
 */
function chosenTarget(
  targets: readonly GotoTarget[],
  { path, line }: Line,
  requested: number | undefined,
): GotoTarget {
  const [first, second] = targets;
  if (first === undefined)
    throw new Failure(
      'line_not_found',
      l10n.t('The debugger cannot go to {0}:{1}.', path, line),
      'Choose a line with code in the function that is running. Nothing was moved.',
    );
  const named = targets.find((target) => target.id === requested);
  if (named !== undefined) return named;
  if (second === undefined && requested === undefined) return first;
  throw new Failure(
    'ambiguous_target',
    requested === undefined
      ? l10n.t('Line {1} has {0} targets to go to.', targets.length, line)
      : l10n.t('There is no target {0} on line {1}.', requested, line),
    'Pass target_id of one of targets. Nothing was moved.',
    {
      targets: targets.map((target) =>
        defined({
          target_id: target.id,
          label: target.label,
          line: target.line,
          column: target.column,
        }),
      ),
    },
  );
}
