import path from 'node:path';
import type { Change } from '../../debugger/inspection/changes';
import type { ExceptionDetails } from '../../debugger/inspection/exceptionDetails';
import { isFolded, type StackEntry } from '../../debugger/inspection/foldedFrames';
import type { Place } from '../../debugger/inspection/handles';
import type { Inspector } from '../../debugger/inspection/inspector';
import type { ObjectFields } from '../../debugger/inspection/objectFields';
import type { Frame, Variable } from '../../debugger/inspection/stackAndVariables';
import { cutText } from '../../debugger/texts';

export interface FrameView {
  readonly frame_id: number;
  readonly function_name: string;
  readonly file_path: string;
  readonly line_number: number;
  readonly column_number: number;
}

/** A frame, or several that are shown as one: then it has the first one's id, and no place. */
export interface StackView extends FrameView {
  /** How many frames this stands for. */
  readonly folded?: number;
  /** The place of the first of them in the stack. */
  readonly start_frame?: number;
  /** The frame's variables, where they were asked for, as short texts. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly omitted_variables?: number;
}

export interface VariableView {
  readonly name: string;
  readonly value: string;
  readonly type: string | null;
  readonly variables_reference: number;
  readonly evaluate_name?: string;
  readonly memory_reference?: string;
  readonly named_variables?: number;
  readonly indexed_variables?: number;
  /** Its value is not read, because that would run code of the program: evaluate_expression reads it, and asks. */
  readonly lazy?: boolean;
  /** Of an object whose value says nothing of what is in it. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly omitted_fields?: number;
  /** Only where an inner scope's variable hides it: the scope that it is in. */
  readonly scope?: string;
}

/** Founding documents, "Stop Event Data"; the rest is `tools.md`'s. */
export interface StopEventData {
  readonly timestamp: string;
  readonly session_id: string;
  readonly stop_id: number;
  readonly reason: string;
  readonly thread_id: number;
  readonly description: string | null;
  readonly text: string | null;
  readonly all_threads_stopped: boolean | null;
  readonly source: { readonly path: string; readonly name: string } | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly source_lines?: readonly string[];
  /** The file was changed since the session began: its lines may not be what runs. */
  readonly source_changed_since_start?: true;
  /** `own_frame`: the first frame in the person's own code, where that is not the innermost. */
  readonly exception?: ExceptionDetails & {
    /** That the stop before was at the same exception. */
    readonly again?: string;
    readonly own_frame?: FrameView & { readonly variables: readonly VariableView[] };
  };
  /** What differs from the previous stop in the same frame. */
  readonly changed?: readonly Change[];
  /** Variables that were shown of this frame before and are not there any more. */
  readonly gone?: readonly string[];
  /** Variables whose text is as shown before, though what is in them may have changed: where to look. */
  readonly same_text?: Readonly<Record<string, number>>;
  readonly top_frame_variables: {
    readonly scope_name: string;
    readonly variables: readonly VariableView[];
  } | null;
  readonly call_stack: readonly StackView[];
  /** Of a program that is about to end by `SystemExit`. */
  readonly exit_code?: number;
  readonly total_frames?: number;
  readonly hit_breakpoint_ids: readonly number[] | null;
  /** Those of them that were asked for on another line. */
  readonly moved_breakpoints?: readonly { readonly id: number; readonly asked_line: number }[];
  readonly output?: readonly string[];
  /** What the adapter refused or did not answer, in words. */
  readonly unreadable?: readonly string[];
  readonly omitted?: Readonly<Record<string, number | string>>;
}

export function frameView(inspector: Inspector, place: Place, frame: Frame): FrameView {
  return {
    frame_id: inspector.handles.frame(place, frame.id, {
      functionName: frame.name,
      file: frame.path === undefined ? frame.sourceName : path.basename(frame.path),
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

/** How many frames entries of a stack stand for. */
export function frameCount(entries: readonly StackView[]): number {
  return entries.reduce((sum, each) => sum + (each.folded ?? 1), 0);
}

const MOST_OF_A_LAZY_VALUE = 40;

/** js-debug shows the whole source of a function or class, which stands in its file: its first line names it. */
function withoutBody({ value, type }: Variable): string {
  if (type !== 'Function' && type !== 'function') return value;
  const end = value.indexOf('\n');
  return cutText(value, end === -1 ? MOST_OF_A_FUNCTION : Math.min(end, MOST_OF_A_FUNCTION));
}

const MOST_OF_A_FUNCTION = 200;

/** js-debug writes private fields and what only its views have (`[[Prototype]]`) as keys, which in JavaScript they are not. */
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
  return {
    name: variable.name,
    // Not read: js-debug shows the getter's source instead.
    value: variable.lazy ? cutText(variable.value, MOST_OF_A_LAZY_VALUE) : withoutBody(variable),
    type: variable.type ?? null,
    variables_reference: inspector.handles.variables(place, variable.reference, frameId, {
      ...variable,
      evaluateName,
    }),
    ...(evaluateName !== undefined && evaluateName !== variable.name
      ? { evaluate_name: evaluateName }
      : {}),
    ...(memoryReference !== undefined ? { memory_reference: memoryReference } : {}),
    ...(namedVariables ? { named_variables: namedVariables } : {}),
    ...(indexedVariables ? { indexed_variables: indexedVariables } : {}),
    ...(variable.lazy ? { lazy: true } : {}),
    ...(object !== undefined ? { fields: Object.fromEntries(object.fields) } : {}),
    ...(object !== undefined && object.omitted > 0 ? { omitted_fields: object.omitted } : {}),
    ...(hiddenIn !== undefined ? { scope: hiddenIn } : {}),
  };
}
