import { fieldName, type ShownDifference } from '../../debugger/inspection/changes';
import { isPlain, showsMembers } from '../../debugger/inspection/objectFields';
import { frameCount, type StopEventData, type VariableView } from './stopEventData';
import { isCut } from '../../debugger/texts';
import { isBeside } from '../../debugger/inspection/variableReader';
import { defined } from '../../util/defined';

/**
 * What a step's answer holds when its frame has been shown before, because the step stayed in it or came back to it: the
 * line, the values that are others than then, and the names of those that may hide a change. The rest is as it was shown,
 * so it is left out, counted, and can be fetched: an agent that steps twenty times does not pay twenty times for the same
 * values and callers.
 * @param fetchCallers the call that reads the callers
 */
export function briefStop(
  stop: StopEventData,
  { names, gone, hasSameCallers }: ShownDifference,
  fetchCallers: string,
): StopEventData {
  const variables = stop.top_frame_variables?.variables ?? [];
  const reported = new Set(stop.changed?.map((each) => each.name));
  const shown = variables.flatMap((variable) => changedPart(variable, names, reported));
  const unchanged = variables.filter(
    (variable) =>
      !shown.some(({ name, scope }) => name === variable.name && scope === variable.scope),
  );
  const hiding = unchanged.filter(mayHideChange);
  const callers = hasSameCallers ? frameCount(stop.call_stack.slice(1)) : 0;
  const omitted = {
    ...stop.omitted,
    ...omittedCallers(stop, callers, fetchCallers),
    ...omittedVariables(gone.length, unchanged.length - hiding.length),
  };
  const current = stop.source_lines?.filter((line) => line.startsWith('>'));
  const references = hiding.map((each) => [each.name, each.variables_reference] as const);
  const { top_frame_variables: top, call_stack: stack } = stop;
  return {
    ...stop,
    ...defined({
      source_lines: current,
      gone: gone.length > 0 ? gone.slice(0, GONE_SHOWN) : undefined,
      same_text: references.length > 0 ? Object.fromEntries(references) : undefined,
    }),
    top_frame_variables: top === null ? null : { ...top, variables: shown },
    call_stack: callers > 0 ? stack.slice(0, 1) : stack,
    ...defined({ omitted: Object.keys(omitted).length > 0 ? omitted : undefined }),
  };
}

type Omitted = NonNullable<StopEventData['omitted']>;

/** Callers that are as they were shown; where the adapter gives no total, there may be more than are known. */
function omittedCallers(
  { omitted }: StopEventData,
  callers: number,
  fetchCallers: string,
): Omitted {
  if (callers === 0) return {};
  const before = omitted?.['frames'];
  const isCounted = typeof before === 'number' || omitted?.['fetch_frames'] === undefined;
  const frames = (typeof before === 'number' ? before : 0) + callers;
  return defined({ frames: isCounted ? frames : undefined, fetch_frames: fetchCallers });
}

function omittedVariables(gone: number, same: number): Omitted {
  const fetch_gone = 'get_scopes, then get_variables shows those that are left';
  const fetch_same_variables = 'get_scopes, then get_variables';
  return {
    ...(gone > GONE_SHOWN ? { gone: gone - GONE_SHOWN, fetch_gone } : {}),
    ...(same > 0 ? { same_variables: same, fetch_same_variables } : {}),
  };
}

/** How many variables that are not there any more are named. */
const GONE_SHOWN = 20;

/** What is shown of a variable: all where its value is another; of an object that is the same, the fields that no change reports. */
function changedPart(
  view: VariableView,
  names: ReadonlySet<string>,
  reported: ReadonlySet<string>,
): readonly VariableView[] {
  if (names.has(view.name)) return [view];
  const changed = Object.entries(view.fields ?? {}).filter(([field]) =>
    names.has(fieldName(view.name, field)),
  );
  if (changed.every(([field]) => reported.has(fieldName(view.name, field)))) return [];
  return [{ ...view, fields: Object.fromEntries(changed) }];
}

/** A value whose text is the same as before and yet may have changed: it does not show all that is in it, or only its beginning is kept. */
function mayHideChange(view: VariableView): boolean {
  const { value, type, variables_reference: reference, lazy, fields } = view;
  // A function's text is its source, which does not change; what is kept in its properties is seldom what a step is about.
  if (
    type === 'Function' ||
    type === 'function' ||
    isBeside({ name: view.name, value, type: type ?? undefined })
  )
    return false;
  if (fields !== undefined)
    return (
      view.omitted_fields !== undefined ||
      Object.values(fields).some((each) => isCut(each) || !(isPlain(each) || showsMembers(each)))
    );
  return lazy === true || isCut(value) || (reference > 0 && !showsMembers(value));
}
