import path from 'node:path';
import type { z } from 'zod';
import { isFolded, type StackEntry } from '../../debugger/inspection/foldedFrames';
import type { Place } from '../../debugger/inspection/handles';
import type { Inspector } from '../../debugger/inspection/inspector';
import type { ObjectFields } from '../../debugger/inspection/objectFields';
import type { Frame, Variable } from '../../debugger/inspection/stackAndVariables';
import { cutText } from '../../debugger/texts';
import { defined } from '../../util/defined';
import type { frame, stackEntry, stopEventData, variable } from '../resultSchemas';

export type FrameView = Readonly<z.input<typeof frame>>;

/** A frame, or several frames that are shown as one entry with the id of the first frame and without a location. */
export type StackView = Readonly<z.input<typeof stackEntry>>;

export type VariableView = Readonly<z.input<typeof variable>>;

/** The report of a stop. */
export type StopEventData = Readonly<z.input<typeof stopEventData>>;

export function frameView(inspector: Inspector, place: Place, frame: Frame): FrameView {
  return {
    frame_id: inspector.handles.frame(place, frame.id, {
      functionName: frame.name,
      file: frame.path === undefined ? frame.sourceName : path.basename(frame.path),
      path: frame.path,
      line: frame.line,
    }),
    function_name: frame.name,
    file_path: frame.path ?? frame.sourceName ?? '',
    line_number: frame.line,
    column_number: frame.column,
  };
}

export function stackView(inspector: Inspector, place: Place, entry: StackEntry): StackView {
  if (!isFolded(entry)) return frameView(inspector, place, entry);
  const { frame_id } = frameView(inspector, place, entry.first);
  return {
    frame_id,
    function_name: entry.title,
    file_path: '',
    line_number: 0,
    column_number: 0,
    folded: entry.count,
    start_frame: entry.start,
  };
}

/** The number of frames that the entries of a stack represent. */
export function frameCount(entries: readonly StackView[]): number {
  return entries.reduce((sum, entry) => sum + (entry.folded ?? 1), 0);
}

const MAX_OF_A_LAZY_VALUE = 40;

/**
 * The value without the body of a function. js-debug shows the whole source of a function or class, but its first line
 * is sufficient.
 */
function withoutBody({ value, type }: Variable): string {
  if (type !== 'Function' && type !== 'function') return value;
  const end = value.indexOf('\n');
  return cutText(value, end === -1 ? MAX_OF_A_FUNCTION : Math.min(end, MAX_OF_A_FUNCTION));
}

const MAX_OF_A_FUNCTION = 200;

/**
 * The expression for a variable. js-debug writes private fields and internal slots (`[[Prototype]]`) as keys, which is
 * not valid in JavaScript.
 */
function evaluable({ name, evaluateName }: Variable): string | undefined {
  if (evaluateName === undefined || !evaluateName.endsWith(`["${name}"]`)) return evaluateName;
  if (/^\[\[.*\]\]$/.test(name)) return undefined;
  return /^#[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)
    ? `${evaluateName.slice(0, -name.length - 4)}.${name}`
    : evaluateName;
}

export function variableView(
  inspector: Inspector,
  place: Place,
  variable: Variable,
  frameId: number | undefined,
  hiddenIn?: string,
  object?: ObjectFields,
): VariableView {
  const { memoryReference, namedVariables, indexedVariables } = variable;
  const evaluateName = evaluable(variable);
  return defined({
    name: variable.name,
    // A lazy value is not read. js-debug shows the getter's source instead.
    value: variable.lazy ? cutText(variable.value, MAX_OF_A_LAZY_VALUE) : withoutBody(variable),
    type: variable.type ?? null,
    variables_reference: inspector.handles.variables(place, variable.reference, frameId, {
      ...variable,
      evaluateName,
    }),
    evaluate_name:
      evaluateName !== undefined && evaluateName !== variable.name ? evaluateName : undefined,
    memory_reference: memoryReference,
    named_variables: namedVariables || undefined,
    indexed_variables: indexedVariables || undefined,
    lazy: variable.lazy ? true : undefined,
    fields: object === undefined ? undefined : Object.fromEntries(object.fields),
    omitted_fields: object !== undefined && object.omitted > 0 ? object.omitted : undefined,
    scope: hiddenIn,
  });
}
