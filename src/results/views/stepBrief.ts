import { fieldName, type ShownDifference } from '../../debugger/inspection/changes';
import { isPlain, showsMembers } from '../../debugger/inspection/objectFields';
import { frameCount, type StopEventData, type VariableView } from './stopEventData';
import { isCut } from '../../debugger/texts';
import { isBeside } from '../../debugger/inspection/variableReader';

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
  const shown = variables.flatMap((each) => changedPart(each, names, reported));
  const unchanged = variables.filter(
    (each) => !shown.some(({ name, scope }) => name === each.name && scope === each.scope),
  );
  const hiding = unchanged.filter(mayHideChange);
  const same = unchanged.length - hiding.length;
  const callers = hasSameCallers ? frameCount(stop.call_stack.slice(1)) : 0;
  const before = stop.omitted?.['frames'];
  // There may be more than are known.
  const isCounted = typeof before === 'number' || stop.omitted?.['fetch_frames'] === undefined;
  const omitted = {
    ...stop.omitted,
    ...(callers > 0
      ? {
          ...(isCounted ? { frames: (typeof before === 'number' ? before : 0) + callers } : {}),
          fetch_frames: fetchCallers,
        }
      : {}),
    ...(gone.length > GONE_SHOWN
      ? {
          gone: gone.length - GONE_SHOWN,
          fetch_gone: 'get_scopes, then get_variables shows those that are left',
        }
      : {}),
    ...(same > 0
      ? { same_variables: same, fetch_same_variables: 'get_scopes, then get_variables' }
      : {}),
  };
  const current = stop.source_lines?.filter((line) => line.startsWith('>'));
  return {
    ...stop,
    ...(current !== undefined ? { source_lines: current } : {}),
    ...(gone.length > 0 ? { gone: gone.slice(0, GONE_SHOWN) } : {}),
    ...(hiding.length > 0
      ? {
          same_text: Object.fromEntries(
            hiding.map((each) => [each.name, each.variables_reference]),
          ),
        }
      : {}),
    top_frame_variables:
      stop.top_frame_variables === null ? null : { ...stop.top_frame_variables, variables: shown },
    call_stack: callers > 0 ? stop.call_stack.slice(0, 1) : stop.call_stack,
    ...(Object.keys(omitted).length > 0 ? { omitted } : {}),
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
