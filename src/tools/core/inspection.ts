import { numberOf } from '../../debugger/protocol';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import {
  foldFrames,
  isFolded,
  isOwnFrame,
  type StackEntry,
} from '../../debugger/inspection/foldedFrames';
import { noting, readLocals } from '../../debugger/inspection/localVariables';
import { stackView, variableView, type StackView } from '../../results/views/stopEventData';
import { defineTool, success } from '../defineTool';
import { nameOfFrame } from './place';
import { readPattern } from '../agentPattern';
import { wholeCode } from '../question';
import type { ToolServices } from '../services';
import { maxChars, resultSchema, stackEntry, stoppedThreadId, variable } from '../schemas';
import { threadOfStop } from '../target';
import { tailOf } from '../reports/endReport';
import { adapterOf } from '../../debugger/adapters/registry';
import { asFailure } from '../../results/debuggerFailures';
import { Failure } from '../../results/failure';
import type { Place, VariablesHandle } from '../../debugger/inspection/handles';
import { notStopped } from '../../debugger/debuggerError';
import { FRAMES_OF_A_STOP, type Inspector } from '../../debugger/inspection/inspector';
import type { Variable } from '../../debugger/inspection/stackAndVariables';
import type { SessionState } from '../../debugger/state/state';
import { cutText } from '../../debugger/texts';
import {
  isBeside,
  isLength,
  isText,
  readMembers,
  type MemberPage,
} from '../../debugger/inspection/variableReader';

const scope = z.object({
  name: z.string(),
  variables_reference: z.int().min(0),
  expensive: z.boolean(),
  named_variables: z.int().optional(),
  indexed_variables: z.int().optional(),
});

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
      .describe('How many frames, 1 to 1000, unfolded. Default: 20.'),
    variables: z.boolean().optional().describe('Also variables of own frames.'),
    max_chars: maxChars,
  }),
  output: resultSchema(['success'], {
    session_id: z.string().optional(),
    thread_id: z.int().optional(),
    call_stack: z.array(stackEntry).readonly().optional(),
    start_frame: z.int().optional(),
    total_frames: z.int().optional(),
  }),
  needs: 'session',
  doing: () => l10n.t('Reading the call stack'),
  run: async ({ input, target, services, call }) => {
    const { session } = target;
    const thread = input.thread_id ?? threadOfStop(session);
    if (thread === undefined) throw notStopped(session, 0);
    const place = services.inspector.placeOf(session, thread);
    const page = await services.inspector.frames(
      session,
      place,
      input.start_frame,
      input.levels ?? FRAMES_OF_A_STOP,
      call.signal,
    );
    const left =
      page.total === undefined
        ? 0
        : page.total - input.start_frame - page.frames.length - page.unreadable;
    const omitted = {
      ...(left > 0 ? { frames: left } : {}),
      // Without a total there may be more, and nobody knows how many.
      ...(page.next !== undefined ? { fetch_frames: `start_frame=${page.next}` } : {}),
      ...(page.unreadable > 0 ? { unreadable_frames: page.unreadable } : {}),
    };
    const entries =
      input.levels === undefined
        ? foldFrames(page.frames, services.stops.isOwn, input.start_frame)
        : page.frames;
    const stack = entries.map((each) => stackView(services.inspector, place, each));
    return success({
      session_id: session.id,
      thread_id: thread,
      call_stack:
        input.variables === true
          ? await withVariables(services, session, place, entries, stack, call.signal)
          : stack,
      ...(input.start_frame > 0 ? { start_frame: input.start_frame } : {}),
      ...(page.total !== undefined ? { total_frames: page.total } : {}),
      ...(Object.keys(omitted).length > 0 ? { omitted } : {}),
    });
  },
});

/** How much is read of the variables of a stack's own frames. */
const FRAMES_WITH_VARIABLES = 5;
const VARIABLES_OF_A_FRAME = 12;
const MOST_OF_A_VALUE = 120;

/** The stack with the variables of its own frames, the innermost ones, as short texts; what is left out is counted. */
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
        const { variables, omitted } = await readLocals(
          inspector,
          session,
          place,
          entry,
          limited,
          noting([]),
        );
        const shown = variables.filter(
          ({ variable, hiddenIn }) => hiddenIn === undefined && !isBeside(variable),
        );
        const values = shown.slice(0, VARIABLES_OF_A_FRAME).map(({ variable }) => {
          const { name, value, lazy } = variableView(inspector, place, variable, entry.id);
          return [name, lazy === true ? 'not read' : cutText(value, MOST_OF_A_VALUE)] as const;
        });
        const more = shown.length - values.length + omitted;
        return {
          ...view,
          variables: Object.fromEntries(values),
          ...(more > 0 ? { omitted_variables: more } : {}),
        };
      }),
    ),
  );
}

export const getScopes = defineTool({
  name: 'get_scopes',
  set: 'core',
  effect: 'read',
  title: 'Show Scopes',
  userDescription: 'Lists the variable scopes of a stack frame',
  modelDescription:
    "List the variable scopes of a stack frame (locals, closures, globals). Pass a scope's variables_reference to get_variables.",
  icon: 'symbol-namespace',
  input: z.strictObject({}),
  output: resultSchema(['success'], { scopes: z.array(scope).optional() }),
  needs: 'frame',
  doing: () => l10n.t('Reading the scopes'),
  run: async ({ target, services, call }) => {
    const { session, frame: handle } = target;
    const { scopes, unreadable } = await services.inspector.scopes(
      session,
      handle,
      handle.frameId,
      call.signal,
    );
    return success({
      scopes: scopes.map((each) => ({
        name: each.name,
        variables_reference: services.inspector.handles.variables(
          handle,
          each.reference,
          handle.frameId,
          each,
          handle.frameId,
        ),
        expensive: each.expensive,
        ...(each.namedVariables !== undefined ? { named_variables: each.namedVariables } : {}),
        ...(each.indexedVariables !== undefined
          ? { indexed_variables: each.indexedVariables }
          : {}),
      })),
      ...(unreadable > 0 ? { omitted: { unreadable } } : {}),
    });
  },
});

export const getVariables = defineTool({
  name: 'get_variables',
  set: 'core',
  effect: 'read',
  title: 'Show Variables',
  userDescription: 'Reads the variables of a scope, or the parts of a value',
  modelDescription:
    'Read the variables of a scope, or the members of an object or collection, by variables_reference. start and count page through long ones, depth goes deeper, name_pattern filters by name.',
  icon: 'symbol-variable',
  input: z.strictObject({
    start: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0).describe('First member.'),
    count: z.int().min(1).max(1000).default(100).describe('How many, 1 to 1000.'),
    filter: z
      .enum(['indexed', 'named'])
      .optional()
      .describe('Only elements, or only named members.'),
    depth: z
      .int()
      .min(1)
      .max(5)
      .default(1)
      .describe('2 to 5: also the members of members, up to 20 of each.'),
    name_pattern: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('Regular expression (RE2) for names.'),
    max_chars: maxChars,
  }),
  output: resultSchema(['success'], {
    variables: z.array(variable).optional(),
    start: z.int().optional(),
    total: z.int().optional(),
  }),
  needs: 'variables',
  doing: () => l10n.t('Reading variables'),
  run: async ({ input, target, services: { inspector }, call }) => {
    const { session, variables: handle } = target;
    const pattern =
      input.name_pattern === undefined ? undefined : await readPattern(input.name_pattern);
    const { page, variables } = await inspector.limited(call.signal, async (signal) => {
      const page = await readMembers(
        inspector,
        session,
        handle,
        { start: input.start, count: input.count, filter: input.filter, pattern },
        signal,
      );
      const budget = { left: MOST_NESTED };
      return {
        page,
        variables: await Promise.all(
          page.variables.map((each) =>
            withChildren(inspector, session, handle, each, input.depth, budget, signal),
          ),
        ),
      };
    });
    const left = page.total - input.start - variables.length - page.unreadable;
    const isPastEnd = page.total > 0 && input.start >= page.total;
    const omitted = {
      ...(left > 0 ? { variables: left } : {}),
      ...(page.next !== undefined ? { fetch_variables: `start=${page.next}` } : {}),
      ...(page.unsearched > 0
        ? { elements: page.unsearched, fetch_elements: 'filter=indexed, start, count' }
        : {}),
      ...(page.unreadable > 0 ? { unreadable: page.unreadable } : {}),
    };
    return success({
      ...(pattern !== undefined && page.total === 0
        ? {
            message:
              page.unsearched > 0
                ? l10n.t('No name matches “{0}” among those that were looked at.', pattern.source)
                : l10n.t('No name matches “{0}”.', pattern.source),
          }
        : {}),
      ...(page.missing > 0
        ? {
            message: l10n.t(
              'The debugger says that there are {0}, and gave none from {1} on.',
              page.total,
              input.start,
            ),
          }
        : {}),
      ...(isPastEnd ? { message: pastEnd(page, input.start) } : {}),
      variables:
        isPastEnd && page.rest !== undefined
          ? [variableView(inspector, handle, page.rest, handle.frameId)]
          : variables,
      ...(input.start > 0 ? { start: input.start } : {}),
      total: page.total,
      ...(Object.keys(omitted).length > 0 ? { omitted } : {}),
    });
  },
});

function pastEnd({ total, rest }: MemberPage, start: number): string {
  return rest === undefined
    ? l10n.t('The debugger lists {0} members here, so there is none at {1}.', total, start)
    : l10n.t(
        'The debugger lists {0} members here; the others are under “{1}”, or evaluate the part that you want.',
        total,
        rest.name,
      );
}

/** How many members of one value a `depth` shows, and how many of all: an object may lead back to itself. */
const CHILDREN_SHOWN = 20;
const MOST_NESTED = 300;
/** How many groups a debugger puts beside the members of one value. */
const MOST_BESIDE = 4;

type VariableResult = z.input<typeof variable>;

async function withChildren(
  inspector: Inspector,
  session: SessionState,
  place: VariablesHandle,
  of: Variable,
  depth: number,
  budget: { left: number },
  signal: AbortSignal,
): Promise<VariableResult> {
  const view = variableView(inspector, place, of, place.frameId);
  // A lazy value is never read: that would run code of the program. What is no part of the value, and what is in a text, is read only when it alone is asked for.
  if (depth <= 1 || of.reference === 0 || of.lazy || isBeside(of) || isText(of) || budget.left <= 0)
    return view;
  const inner = {
    ...place,
    scopeOf: undefined,
    reference: of.reference,
    indexedVariables: of.indexedVariables,
    namedVariables: of.namedVariables,
  };
  // Taken before it is asked for, so that many at once do not ask for more than there is room for.
  const reserved = Math.min(CHILDREN_SHOWN, budget.left);
  budget.left -= reserved;
  const page = await readMembers(
    inspector,
    session,
    inner,
    { start: 0, count: reserved + MOST_BESIDE },
    signal,
  ).catch(whyUnreadable);
  budget.left +=
    reserved - (typeof page === 'string' ? 0 : Math.min(reserved, page.variables.length));
  // A member that cannot be read is shown without its own members.
  if (typeof page === 'string') return { ...view, unreadable: page };
  // What a debugger puts beside the members is shown where it is asked for alone.
  const beside = page.variables.filter((each) => isBeside(each) || isLength(each)).length;
  const shown = page.variables
    .filter((each) => !isBeside(each) && !isLength(each))
    .slice(0, reserved);
  const children = await Promise.all(
    shown.map((each) => withChildren(inspector, session, inner, each, depth - 1, budget, signal)),
  );
  const more = page.total - beside - shown.length;
  return { ...view, children, ...(more > 0 ? { omitted_children: more } : {}) };
}

function whyUnreadable(error: unknown): string {
  const failure = asFailure(error);
  if (failure?.code === 'adapter_error' || failure?.code === 'adapter_timeout')
    return failure.message;
  throw error;
}

export const evaluateExpression = defineTool({
  name: 'evaluate_expression',
  set: 'core',
  effect: 'change',
  title: 'Evaluate Expression',
  userDescription: 'Evaluates an expression in the paused program',
  modelDescription:
    'Evaluate an expression in a stack frame of the stopped program, in its language. It can call functions and so change the program.',
  icon: 'symbol-operator',
  input: z.strictObject({
    expression: z.string().min(1).max(50_000),
    context: z
      .enum(['watch', 'repl', 'hover', 'clipboard'])
      .default('watch')
      .describe('How the adapter evaluates; "hover" is free of side effects in lldb-dap only.'),
    max_chars: maxChars,
  }),
  output: resultSchema(['success'], {
    result: z.string().optional(),
    type: z.string().optional(),
    variables_reference: z.int().min(0).optional(),
    named_variables: z.int().optional(),
    indexed_variables: z.int().optional(),
    memory_reference: z.string().optional(),
    output: z.array(z.string()).readonly().optional(),
  }),
  needs: 'frame',
  doing: () => l10n.t('Evaluating an expression'),
  consent: ({ input, ids, services }) =>
    input.context === 'hover' && isFreeOfSideEffects(services, numberOf(ids['frame_id']))
      ? 'look'
      : 'change',
  question: ({ input, ids, target: { session, frame: handle }, services }) => {
    const [words, where] = [wholeCode(input.expression), nameOfFrame(session, handle)];
    const isLook =
      input.context === 'hover' && isFreeOfSideEffects(services, numberOf(ids['frame_id']));
    const message = isLook
      ? l10n.t(
          'Evaluate {0} in {1}; the debugger guarantees that this changes nothing',
          words,
          where,
        )
      : l10n.t('Evaluate {0} in {1}; this can change the program', words, where);
    return { title: l10n.t('Evaluate'), message };
  },
  run: async ({ input, target, services, call }) => {
    const { session, frame: handle } = target;
    // What an expression prints is part of its answer, as far as the adapter has passed it on by then.
    const printed = (): ReturnType<typeof tailOf> => tailOf(services.stops.printed(session));
    const value = await services.inspector
      .evaluate(session, handle, handle.frameId, input.expression, input.context, call.signal)
      .catch((error: unknown) => aboutExpression(error, printed()));
    const output = printed();
    return success({
      result: value.value,
      ...(value.type !== undefined ? { type: value.type } : {}),
      variables_reference: services.inspector.handles.variables(
        handle,
        value.reference,
        handle.frameId,
        { ...value, evaluateName: input.expression },
      ),
      ...(value.namedVariables ? { named_variables: value.namedVariables } : {}),
      ...(value.indexedVariables ? { indexed_variables: value.indexedVariables } : {}),
      ...(value.memoryReference !== undefined ? { memory_reference: value.memoryReference } : {}),
      ...output,
      ...(isShortened(session, value.value)
        ? {
            omitted: {
              ...output.omitted,
              cut_by_debugger: 1,
              fetch_cut_by_debugger: 'context=clipboard',
            },
          }
        : {}),
    });
  },
});

/** Whether the adapter has taken the middle out of a value, as some do but for the clipboard. */
function isShortened(session: SessionState, value: string): boolean {
  const length = adapterOf(session.type).shortensValuesAt;
  if (length === undefined || Math.abs(value.length - length) > 10) return false;
  const middle = value.indexOf('…', length / 2 - 20);
  return middle !== -1 && middle <= length / 2 + 20;
}

/** What an adapter refuses here is mostly the expression: it does not parse, or throws. */
function aboutExpression(error: unknown, printed: ReturnType<typeof tailOf>): never {
  const failure = asFailure(error);
  if (failure?.code !== 'adapter_error') throw error;
  throw new Failure(
    failure.code,
    failure.message,
    'Change the expression, or evaluate it in another frame (frame_id). Statements and assignments may need context="repl".',
    printed,
  );
}

/** Many adapters claim `supportsEvaluateForHovers` and evaluate anything: only those that were seen to keep it count. */
function isFreeOfSideEffects({ inspector }: ToolServices, frame: number | undefined): boolean {
  // Without one, nobody knows yet whose stop will be the present one when the call comes.
  if (frame === undefined) return false;
  try {
    const { type, capabilities } = inspector.handles.resolveFrame(frame).session;
    return (
      adapterOf(type).hoversWithoutSideEffects === true &&
      capabilities.supportsEvaluateForHovers === true
    );
  } catch (error) {
    if (asFailure(error) !== undefined) return false; // the call itself says what is wrong
    throw error;
  }
}
