import { shownLines } from '../../tools/files/scannedText';
import { foldFrames, isFolded, isOwnFrame } from '../../debugger/inspection/foldedFrames';
import { FRAMES_OF_A_STOP } from '../../debugger/inspection/framePage';
import { unnamedTypeIn, type ObjectFields } from '../../debugger/inspection/objectFields';
import type { Frame, Variable } from '../../debugger/inspection/stackAndVariables';
import {
  noting,
  readLocalsWithFields,
  type LocalVariable,
} from '../../debugger/inspection/localVariables';
import { isSynthetic } from '../../debugger/inspection/variableReader';
import type { SessionState } from '../../debugger/state/state';
import { usedFirst } from './usedFirst';
import { cutText } from '../../debugger/texts';
import { defined } from '../../util/defined';
import type { ToolServices } from '../../tools/services';
import type { ReportedFrame } from '../runReport';

/** A frame of the person's code, or a folded sequence of frames of other code. */
export interface FailureFrame {
  readonly function_name: string;
  readonly file_path?: string;
  readonly line_number?: number;
  readonly variables?: Readonly<Record<string, string>>;
  readonly omitted_variables?: number;
  /** When the variables were read, if that was after code of the frame that may have changed them. */
  readonly variables_read?: string;
}

/** The maximum number of frames that are read from a stack, and the maximum number that are reported. */
const FRAMES_READ = 60;
const FRAMES_REPORTED = 12;
const FRAMES_WITH_VARIABLES = 6;
const VARIABLES_OF_A_FRAME = 14;
const MAX_OF_A_VALUE = 300;

/**
 * Returns the person's own frames of a stopped thread with their variables, innermost first. Other frames are folded.
 */
export async function stoppedFrames(
  { inspector, stops, workspace }: ToolServices,
  session: SessionState,
  threadId: number,
  isTest: (file: string, line: number) => boolean,
  signal: AbortSignal,
): Promise<readonly FailureFrame[]> {
  const place = inspector.placeOf(session, threadId);
  return await inspector.limited(signal, async (limited) => {
    const isThere = ({ path, line }: Frame): boolean => path !== undefined && isTest(path, line);
    // The frames that the report of a stop reads are already cached. A debugger may take seconds to read more frames.
    const page = await inspector.frames(session, place, 0, FRAMES_OF_A_STOP, limited);
    const isAll = page.next === undefined || page.frames.some(isThere);
    const { frames } = isAll
      ? page
      : await inspector.frames(session, place, 0, FRAMES_READ, limited);
    const relevant = fromTest(
      frames.filter((frame) => !frame.isLabel),
      stops.isOwn,
      isTest,
    );
    const entries = foldFrames(relevant, stops.isOwn, 1).slice(0, FRAMES_REPORTED);
    let left = FRAMES_WITH_VARIABLES;
    return await Promise.all(
      entries.map(async (entry) => {
        if (isFolded(entry)) return { function_name: entry.title };
        const isRead = isOwnFrame(entry, stops.isOwn) && (left -= 1) >= 0;
        const variables = isRead
          ? await readLocalsWithFields(inspector, session, place, entry, limited, noting([]))
          : undefined;
        const lines = isRead ? await shownLines(workspace, entry.path ?? '') : [];
        return frameOf(entry, variables?.variables, variables?.omitted ?? 0, lines);
      }),
    );
  });
}

/** Returns the frames from the innermost own frame to the test's frame, or to the outermost own frame. */
function fromTest(
  frames: readonly Frame[],
  isOwn: (file: string) => boolean,
  isTest: (file: string, line: number) => boolean,
): readonly Frame[] {
  const owns = frames.map((frame) => isOwnFrame(frame, isOwn));
  const innermost = owns.indexOf(true);
  if (innermost === -1) return [];
  // Frames of an asynchronous caller, such as the code that declared the test, are outside of the test's frame.
  const test = frames.findIndex(({ path, line }) => path !== undefined && isTest(path, line));
  const outermost = test === -1 ? owns.lastIndexOf(true) : lastOfRun(frames, test, isTest);
  return frames.slice(innermost, outermost + 1);
}

/**
 * Returns the index of the last consecutive frame of the test. The test may call functions that are defined inside it.
 */
function lastOfRun(
  frames: readonly Frame[],
  from: number,
  isTest: (file: string, line: number) => boolean,
): number {
  let last = from;
  for (let at = from; at < frames.length; at += 1) {
    const { path, line } = frames[at] ?? {};
    if (path === undefined || line === undefined || !isTest(path, line)) break;
    last = at;
  }
  return last;
}

function frameOf(
  { name, path, line }: Frame,
  variables: readonly LocalVariable[] | undefined,
  unread: number,
  source: readonly string[],
): FailureFrame {
  const own = (variables ?? []).filter(
    ({ variable, hiddenIn, object }) =>
      hiddenIn === undefined &&
      !isSynthetic(variable) &&
      !UNNAMED_RESULT.test(variable.name) &&
      !isCode(variable.type) &&
      !isEmptyReceiver(variable, object),
  );
  const used = usedFirst(own, ({ variable }) => variable.name, source, line);
  const isFunction = ({ variable: { type = '' } }: LocalVariable): boolean => /^func\b/.test(type);
  const sorted = [...used.filter((each) => !isFunction(each)), ...used.filter(isFunction)];
  const shown = sorted.slice(0, VARIABLES_OF_A_FRAME);
  const omitted = own.length - shown.length + unread;
  return {
    function_name: name.replace(MARK, ''),
    ...(path === undefined ? {} : { file_path: path, line_number: line }),
    ...defined({
      variables: shown.length === 0 ? undefined : textsByName(shown),
      omitted_variables: omitted > 0 ? omitted : undefined,
    }),
  };
}

function textsByName(variables: readonly LocalVariable[]): Readonly<Record<string, string>> {
  return Object.fromEntries(variables.map((local) => [local.variable.name, textOf(local)]));
}

/** Whether a variable is a `this` or `self` without members. */
function isEmptyReceiver({ name, value }: Variable, object: ObjectFields | undefined): boolean {
  if (name !== 'this' && name !== 'self') return false;
  return (
    (object?.fields ?? []).length === 0 &&
    /^(?:undefined|global|<.* object at 0x[\da-fA-F]+>)$/.test(value)
  );
}

/** debugpy marks the frame of the exception, and the Rust compiler appends a hash to names. */
const MARK = / \(Current frame\)$|::h[\da-f]{16}$/;

/**
 * Matches the types of functions, classes, modules and the runner's own objects. Their values do not help to explain a
 * failure.
 */
const NO_VALUE = /^(?:function|class|module|type|builtin_function.*|\*testing\.\w+)$/i;

/** A result of a Go function. It has no value before the function returns. */
const UNNAMED_RESULT = /^~[rb]\d+$/;

function isCode(type: string | undefined): boolean {
  return type !== undefined && NO_VALUE.test(type);
}

function textOf({ variable, object }: LocalVariable): string {
  if (variable.lazy) return 'not read';
  const fields = (object?.fields ?? []).map(([name, value]) => `${name}: ${value}`);
  const { type = '' } = variable;
  // Go spells such a type out, and may need more than the whole text for it.
  const isUnnamed = type.includes('struct {');
  if (fields.length === 0) {
    const value = isUnnamed
      ? withoutMembers(variable.value).replace(/^\*?struct\{…\} (?=\{)/, '')
      : variable.value;
    return cutText(value, MAX_OF_A_VALUE);
  }
  const more = (object?.omitted ?? 0) > 0 ? ', …' : '';
  const shownType = isUnnamed ? '' : type;
  return cutText(`${shownType} {${fields.join(', ')}${more}}`.trim(), MAX_OF_A_VALUE);
}

/** Removes the members of unnamed types from a text. */
function withoutMembers(text: string): string {
  const type = unnamedTypeIn(text);
  if (type === undefined) return text;
  const before = `${text.slice(0, type.from)}struct{…}`;
  // Delve may have cut the text before the end of the type.
  return type.to === undefined ? `${before}…` : `${before}${withoutMembers(text.slice(type.to))}`;
}

/**
 * Returns the person's own frames of a stack that a runner reported, with the variables that the extension's reporter
 * has read. The others between them are folded.
 */
export async function reportedFrames(
  { stops, workspace }: Pick<ToolServices, 'stops' | 'workspace'>,
  frames: readonly ReportedFrame[],
): Promise<readonly FailureFrame[]> {
  const owns = frames.map(({ path }) => stops.isOwn(path));
  const relevant = frames.slice(Math.max(0, owns.indexOf(true)), owns.lastIndexOf(true) + 1);
  const entries = foldFrames(relevant.map(asFrame), stops.isOwn, 1).slice(0, FRAMES_REPORTED);
  let left = FRAMES_WITH_VARIABLES;
  return await Promise.all(
    entries.map(async (entry) => {
      if (isFolded(entry)) return { function_name: entry.title };
      const { id, name, path = '', line } = entry;
      const own = { function_name: name, file_path: path, line_number: line };
      const reported = relevant[id];
      if (reported?.variables === undefined || !stops.isOwn(path) || (left -= 1) < 0) return own;
      return { ...own, ...shownVariables(reported, await shownLines(workspace, path)) };
    }),
  );
}

function asFrame({ name, path, line, column = 1 }: ReportedFrame, id: number): Frame {
  return {
    ...{ id, name, path, line, column },
    ...{ sourceName: undefined, instructionPointerReference: undefined },
    ...{ subtle: false, isLabel: false },
  };
}

function shownVariables(
  { variables = [], omitted = 0, line, isLate }: ReportedFrame,
  source: readonly string[],
): Pick<FailureFrame, 'variables' | 'omitted_variables' | 'variables_read'> {
  const sorted = usedFirst(variables, ({ name }) => name, source, line);
  const shown = sorted.slice(0, VARIABLES_OF_A_FRAME);
  const left = variables.length - shown.length + omitted;
  const texts = shown.map(({ name, value }) => [name, cutText(value, MAX_OF_A_VALUE)] as const);
  return defined({
    variables: shown.length === 0 ? undefined : Object.fromEntries(texts),
    omitted_variables: left > 0 ? left : undefined,
    variables_read:
      isLate === true && shown.length > 0 ? 'after the finally or with around the line' : undefined,
  });
}
