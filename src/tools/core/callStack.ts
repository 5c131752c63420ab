import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import {
  foldFrames,
  isFolded,
  isOwnFrame,
  type StackEntry,
} from '../../debugger/inspection/foldedFrames';
import { noting, readLocals } from '../../debugger/inspection/localVariables';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { stackView, variableView, type StackView } from '../../results/views/stopEventData';
import { defineTool, success } from '../defineTool';
import type { ToolServices } from '../services';
import { maxChars, resultFields, resultSchema, stoppedThreadId } from '../schemas';
import type { Place } from '../../debugger/inspection/handles';
import { notStopped } from '../../debugger/debuggerError';
import { FRAMES_OF_A_STOP, type FramePage } from '../../debugger/inspection/framePage';
import type { Inspector } from '../../debugger/inspection/inspector';
import { threadOfStop, type SessionState } from '../../debugger/state/state';
import { cutText } from '../../debugger/texts';
import { isSynthetic } from '../../debugger/inspection/variableReader';
import { defined } from '../../util/defined';

export const getCallStack = defineTool({
  name: 'get_call_stack',
  set: 'core',
  effect: 'read',
  title: 'Show Call Stack',
  userDescription: 'Reads the call stack of a paused thread',
  modelDescription:
    'Read the call stack of a stopped thread: more frames than a stop shows (start_frame), folded ones (levels), those of another thread, or variables of callers.',
  icon: 'layers',
  input: z.strictObject({
    thread_id: stoppedThreadId,
    start_frame: z
      .int()
      .min(0)
      .max(10_000_000)
      .default(0)
      .describe('First frame, 0 is the innermost.'),
    levels: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('Number of frames, 1 to 1000, unfolded. Default: 20.'),
    variables: z.boolean().optional().describe('Also variables of own frames.'),
    max_chars: maxChars,
  }),
  output: resultSchema(['success'], {
    session_id: z.string().optional(),
    thread_id: z.int().optional(),
    call_stack: resultFields.call_stack.optional(),
    start_frame: z.int().optional(),
    total_frames: z.int().optional(),
  }),
  needs: 'session',
  doing: () => l10n.t('Reading the call stack'),
  run: async ({ input, target, services, call }) => {
    const { session } = target;
    const thread =
      input.thread_id ?? services.inspector.preferredThread(session) ?? threadOfStop(session);
    if (thread === undefined) throw notStopped(session, 0);
    const place = services.inspector.placeOf(session, thread);
    const page = await services.inspector.frames(
      session,
      place,
      input.start_frame,
      input.levels ?? FRAMES_OF_A_STOP,
      call.signal,
    );
    const omitted = omittedFrames(page, input.start_frame);
    const entries =
      input.levels === undefined
        ? foldFrames(page.frames, services.stops.isOwn, input.start_frame)
        : page.frames;
    const stack = entries.map((entry) => stackView(services.inspector, place, entry));
    return success(
      defined({
        session_id: session.id,
        thread_id: thread,
        call_stack:
          input.variables === true
            ? await withVariables(services, session, place, entries, stack, call.signal)
            : stack,
        start_frame: input.start_frame > 0 ? input.start_frame : undefined,
        total_frames: page.total,
        omitted: Object.keys(omitted).length > 0 ? omitted : undefined,
      }),
    );
  },
});

function omittedFrames({ frames, total, next, unreadable }: FramePage, start: number) {
  const left = total === undefined ? 0 : total - start - frames.length - unreadable;
  return defined({
    frames: left > 0 ? left : undefined,
    // Without a total, there may be an unknown number of further frames.
    fetch_frames: next === undefined ? undefined : `start_frame=${next}`,
    unreadable_frames: unreadable > 0 ? unreadable : undefined,
  });
}

/** The limits for the variables that are read from a stack's own frames (frames of the person's code). */
const FRAMES_WITH_VARIABLES = 5;
const VARIABLES_OF_A_FRAME = 12;
const MAX_OF_A_VALUE = 120;

/** Returns the stack with the variables of its innermost own frames as short texts. Omitted variables are counted. */
async function withVariables(
  { inspector, stops }: ToolServices,
  session: SessionState,
  place: Place,
  entries: readonly StackEntry[],
  stack: readonly StackView[],
  signal: AbortSignal,
): Promise<readonly StackView[]> {
  const isOwn = (entry: StackEntry): boolean => !isFolded(entry) && isOwnFrame(entry, stops.isOwn);
  const hasOwn = entries.some(isOwn);
  let left = FRAMES_WITH_VARIABLES;
  const chosen = new Set(
    entries.filter(
      (entry) =>
        (isOwn(entry) || (!hasOwn && !isFolded(entry) && !entry.isLabel)) && (left -= 1) >= 0,
    ),
  );
  return await inspector.limited(signal, (limited) =>
    Promise.all(
      stack.map(async (view, index) => {
        const entry = entries[index];
        if (entry === undefined || isFolded(entry) || !chosen.has(entry)) return view;
        return { ...view, ...(await shortVariables(inspector, session, place, entry, limited)) };
      }),
    ),
  );
}

/**
 * Returns the variables of one frame as short texts. Hidden variables, and variables that the debugger adds to the
 * program's own, are excluded.
 */
export async function shortVariables(
  inspector: Inspector,
  session: SessionState,
  place: Place,
  frame: Frame,
  signal: AbortSignal,
): Promise<Pick<StackView, 'variables' | 'omitted_variables'>> {
  const read = await readLocals(inspector, session, place, frame, signal, noting([]));
  const shown = read.variables.filter(
    ({ variable, hiddenIn }) => hiddenIn === undefined && !isSynthetic(variable),
  );
  const values = shown.slice(0, VARIABLES_OF_A_FRAME).map(({ variable }) => {
    const { name, value, lazy } = variableView(inspector, place, variable, frame.id);
    return [name, lazy === true ? 'not read' : cutText(value, MAX_OF_A_VALUE)] as const;
  });
  const more = shown.length - values.length + read.omitted;
  return defined({
    variables: Object.fromEntries(values),
    omitted_variables: more > 0 ? more : undefined,
  });
}
