import type { ShownDifference } from './changes';
import { cutText, isCut } from './texts';
import type { StopEventData, VariableView } from './stopEventData';

/**
 * What a step's answer holds when its frame has been shown before, because the step stayed in it or came back to it: the
 * line, the values that are others than then, and those that may hide a change. The rest is as it was shown, so it is left
 * out, counted, and can be fetched: an agent that steps twenty times does not pay twenty times for the same values and callers.
 */
export function briefly(stop: StopEventData, { names, gone, hasSameCallers }: ShownDifference): StopEventData {
  const variables = stop.top_frame_variables?.variables ?? [];
  const shown = variables.flatMap((each) => (names.has(each.name) ? each : mayHideChange(each) ? { ...each, value: cutText(each.value, MOST_OF_THE_SAME) } : []));
  const same = variables.length - shown.length;
  const callers = hasSameCallers ? stop.call_stack.length - 1 : 0;
  const before = stop.omitted?.['frames'];
  const fetch = stop.omitted?.['fetch_frames'];
  // There may be more than are known.
  const isCounted = typeof before === 'number' || fetch === undefined;
  const omitted = {
    ...stop.omitted,
    ...(callers > 0 ? { ...(isCounted ? { frames: (typeof before === 'number' ? before : 0) + callers } : {}), fetch_frames: typeof fetch === 'string' ? fetch.replace(/start_frame=\d+$/, 'start_frame=1') : 'get_call_stack start_frame=1' } : {}),
    ...(gone.length > GONE_SHOWN ? { gone: gone.length - GONE_SHOWN, fetch_gone: 'get_scopes, then get_variables shows those that are left' } : {}),
    ...(same > 0 ? { same_variables: same, fetch_same_variables: 'get_scopes, then get_variables' } : {}),
  };
  const current = stop.source_lines?.filter((line) => line.startsWith('>'));
  return {
    ...stop,
    ...(current !== undefined ? { source_lines: current } : {}),
    ...(gone.length > 0 ? { gone: gone.slice(0, GONE_SHOWN) } : {}),
    top_frame_variables: stop.top_frame_variables === null ? null : { ...stop.top_frame_variables, variables: shown },
    call_stack: callers > 0 ? stop.call_stack.slice(0, 1) : stop.call_stack,
    ...(Object.keys(omitted).length > 0 ? { omitted } : {}),
  };
}

/** How much is shown of a value that may hide a change and whose text has been shown. */
const MOST_OF_THE_SAME = 100;

/** How many variables that are not there any more are named. */
const GONE_SHOWN = 20;

/** A value whose text is the same as before and yet may have changed: it does not show all that is in it, or only its beginning is kept. */
function mayHideChange({ value, type, variables_reference: reference, lazy }: VariableView): boolean {
  // Its text is its source, which does not change; what is kept in properties of a function is seldom what a step is about.
  if (type === 'Function' || type === 'function') return false;
  return lazy === true || isCut(value) || (reference > 0 && !(value.length <= 1000 && PLAIN_MEMBERS.test(value)));
}

const PLAIN = String.raw`(?:-?\d+(?:\.\d+)?n?|'[^']*'|"[^"]*"|true|false|null|undefined|None|True|False|nil)`;
const MEMBER = String.raw`(?:[\w$'"]{1,60} ?(?:=>|[:=]) ?)?${PLAIN}`;
/** A collection or object whose members are all written out, and are plain values: `(3) [1, 2, 3]`, `{'a': 1}`, `Point {x: 1}`. */
const PLAIN_MEMBERS = new RegExp(String.raw`^[\w.<>()[\] ]{0,80}[[({](?:${MEMBER}(?:, ${MEMBER})*)?[\])}]$`);
