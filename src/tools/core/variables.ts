import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { variableView } from '../../results/views/stopEventData';
import { defineTool, success } from '../defineTool';
import { readPattern, type AgentPattern } from '../agentPattern';
import type { variable } from '../schemas';
import { maxChars, resultFields, resultSchema } from '../schemas';
import { defined } from '../../util/defined';
import { asFailure } from '../../results/debuggerFailures';
import type { VariablesHandle } from '../../debugger/inspection/handles';
import type { Inspector } from '../../debugger/inspection/inspector';
import type { Variable } from '../../debugger/inspection/stackAndVariables';
import type { SessionState } from '../../debugger/state/state';
import {
  isSynthetic,
  isLength,
  isText,
  readMembers,
  type MemberPage,
} from '../../debugger/inspection/variableReader';

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
    variables: resultFields.variables.optional(),
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
      const budget = { left: MAX_NESTED };
      return {
        page,
        variables: await Promise.all(
          page.variables.map((variable) =>
            withChildren(inspector, session, handle, variable, input.depth, budget, signal),
          ),
        ),
      };
    });
    const isPastEnd = page.total > 0 && input.start >= page.total;
    const omitted = omittedOf(page, page.total - input.start - variables.length - page.unreadable);
    return success(
      defined({
        message: isPastEnd ? pastEnd(page, input.start) : aboutPage(page, input.start, pattern),
        variables:
          isPastEnd && page.rest !== undefined
            ? [variableView(inspector, handle, page.rest, handle.frameId)]
            : variables,
        start: input.start > 0 ? input.start : undefined,
        total: page.total,
        omitted: Object.keys(omitted).length > 0 ? omitted : undefined,
      }),
    );
  },
});

function omittedOf(
  { next, unsearched, unreadable }: MemberPage,
  left: number,
): Record<string, number | string> {
  return defined({
    variables: left > 0 ? left : undefined,
    fetch_variables: next === undefined ? undefined : `start=${next}`,
    elements: unsearched > 0 ? unsearched : undefined,
    fetch_elements: unsearched > 0 ? 'filter=indexed, start, count' : undefined,
    unreadable: unreadable > 0 ? unreadable : undefined,
  });
}

/** Returns a message that explains why a page has fewer members than requested. */
function aboutPage(
  { total, unsearched, missing }: MemberPage,
  start: number,
  pattern: AgentPattern | undefined,
): string | undefined {
  if (missing > 0)
    return l10n.t('The debugger reports {0} members, and returned none from {1} on.', total, start);
  if (pattern === undefined || total > 0) return undefined;
  return unsearched > 0
    ? l10n.t('None of the names that were checked matches “{0}”.', pattern.source)
    : l10n.t('No name matches “{0}”.', pattern.source);
}

function pastEnd({ total, rest }: MemberPage, start: number): string {
  return rest === undefined
    ? l10n.t('The debugger lists {0} members here, so there is no member at {1}.', total, start)
    : l10n.t(
        'The debugger lists {0} members here. The others are under “{1}”, or evaluate the part that you need.',
        total,
        rest.name,
      );
}

/** The maximum number of members that `depth` shows, for one value and for all values. An object may contain itself. */
const CHILDREN_SHOWN = 20;
const MAX_NESTED = 300;
/** The maximum number of entries that a debugger adds to the members of one value. */
const MAX_BESIDE = 4;

type VariableResult = z.input<typeof variable>;

/**
 * Whether `depth` reads the members of a value. A lazy value is never read, because that would run code of the program.
 * Entries that a debugger adds to the members, and the members of a text, are read only if the call requests them
 * directly.
 */
function isExpandable(value: Variable): boolean {
  return value.reference !== 0 && !value.lazy && !isSynthetic(value) && !isText(value);
}

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
  if (depth <= 1 || budget.left <= 0 || !isExpandable(of)) return view;
  const { reference, indexedVariables, namedVariables } = of;
  const inner = { ...place, scopeOf: undefined, reference, indexedVariables, namedVariables };
  // The budget is reserved before the request, so that concurrent requests do not exceed it.
  const reserved = Math.min(CHILDREN_SHOWN, budget.left);
  budget.left -= reserved;
  const page = await readMembers(
    inspector,
    session,
    inner,
    { start: 0, count: reserved + MAX_BESIDE },
    signal,
  ).catch(whyUnreadable);
  budget.left +=
    reserved - (typeof page === 'string' ? 0 : Math.min(reserved, page.variables.length));
  // A member that cannot be read is shown without its own members.
  if (typeof page === 'string') return { ...view, unreadable: page };
  // Entries that a debugger adds to the members are not shown here.
  const members = page.variables.filter((member) => !isSynthetic(member) && !isLength(member));
  const beside = page.variables.length - members.length;
  const shown = members.slice(0, reserved);
  const children = await Promise.all(
    shown.map((member) =>
      withChildren(inspector, session, inner, member, depth - 1, budget, signal),
    ),
  );
  const more = page.total - beside - shown.length;
  return defined({ ...view, children, omitted_children: more > 0 ? more : undefined });
}

function whyUnreadable(error: unknown): string {
  const failure = asFailure(error);
  if (failure?.code === 'adapter_error' || failure?.code === 'adapter_timeout')
    return failure.message;
  throw error;
}
