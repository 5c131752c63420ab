import { fieldName, type ShownDifference } from '../../debugger/inspection/changes';
import { isPlain, showsMembers } from '../../debugger/inspection/objectFields';
import { frameCount, type StopEventData, type VariableView } from './stopEventData';
import { isCut } from '../../debugger/texts';
import { isSynthetic } from '../../debugger/inspection/variableReader';
import { defined } from '../../util/defined';

/**
 * The short report of a step whose frame has been shown before, because the step stayed in it or returned to it: the
 * line, the values that have changed since, and the names of variables that may hide a change. The rest is unchanged,
 * so it is omitted and counted, and can be fetched. An agent that steps twenty times does not receive the same values
 * and callers twenty times.
 * @param fetchCallers the call that reads the callers
 */
export function briefStop(
  stop: StopEventData,
  { names, gone, hasSameCallers }: ShownDifference,
  fetchCallers: string,
): StopEventData {
  const variables = stop.top_frame_variables?.variables ?? [];
  const reported = new Set(stop.changed?.map(({ name }) => name));
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
  const references = hiding.map(
    ({ name, variables_reference: reference }) => [name, reference] as const,
  );
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

/** The omitted callers, which are unchanged. If the adapter reports no total, there may be more of them. */
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
  const fetch_gone = 'get_scopes, then get_variables shows the remaining ones';
  const fetch_same_variables = 'get_scopes, then get_variables';
  return {
    ...(gone > GONE_SHOWN ? { gone: gone - GONE_SHOWN, fetch_gone } : {}),
    ...(same > 0 ? { same_variables: same, fetch_same_variables } : {}),
  };
}

/** The maximum number of named variables that no longer exist. */
const GONE_SHOWN = 20;

/**
 * The part of a variable that is shown. If its value has changed, the whole variable is shown. If the object is the
 * same, its changed fields are shown, unless all of them are in `changed`.
 */
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

/**
 * Whether a value with the same text may have changed, because the text does not show the whole value or only its
 * beginning is kept.
 */
function mayHideChange(view: VariableView): boolean {
  const { value, type, variables_reference: reference, lazy, fields } = view;
  // The text of a function is its source, which does not change. Its properties are rarely relevant for a step.
  if (
    type === 'Function' ||
    type === 'function' ||
    isSynthetic({ name: view.name, value, type: type ?? undefined })
  )
    return false;
  if (fields !== undefined)
    return (
      view.omitted_fields !== undefined ||
      Object.values(fields).some((text) => isCut(text) || !(isPlain(text) || showsMembers(text)))
    );
  return lazy === true || isCut(value) || (reference > 0 && !showsMembers(value));
}
