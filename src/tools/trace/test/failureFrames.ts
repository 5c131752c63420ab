import { foldFrames, isFolded, isOwnFrame } from '../../../debugger/inspection/foldedFrames';
import { FRAMES_OF_A_STOP } from '../../../debugger/inspection/inspector';
import type { ObjectFields } from '../../../debugger/inspection/objectFields';
import type { Frame, Variable } from '../../../debugger/inspection/stackAndVariables';
import {
  noting,
  readLocalsWithFields,
  type LocalVariable,
} from '../../../debugger/inspection/localVariables';
import { isBeside } from '../../../debugger/inspection/variableReader';
import type { SessionState } from '../../../debugger/state/state';
import { cutText } from '../../../debugger/texts';
import type { ToolServices } from '../../services';
import type { ReportedFrame } from './testFramework';

/** A frame of the person's code, or a run of frames of others' code. */
export interface FailureFrame {
  readonly function_name: string;
  readonly file_path?: string;
  readonly line_number?: number;
  readonly variables?: Readonly<Record<string, string>>;
  readonly omitted_variables?: number;
}

/** So much is read of a stack, and told of it. */
const FRAMES_READ = 60;
const FRAMES_TOLD = 12;
const FRAMES_WITH_VARIABLES = 6;
const VARIABLES_OF_A_FRAME = 14;
const MOST_OF_A_VALUE = 300;

/** The person's own frames of a stopped thread with their variables, innermost first; others are folded. */
export async function stoppedFrames(
  { inspector, stops }: ToolServices,
  session: SessionState,
  threadId: number,
  isTest: (file: string, line: number) => boolean,
  signal: AbortSignal,
): Promise<readonly FailureFrame[]> {
  const place = inspector.placeOf(session, threadId);
  return await inspector.limited(signal, async (limited) => {
    const isThere = ({ path, line }: Frame): boolean => path !== undefined && isTest(path, line);
    // Those that a stop's report reads are known already; a debugger may take seconds for more.
    const page = await inspector.frames(session, place, 0, FRAMES_OF_A_STOP, limited);
    const isAll = page.next === undefined || page.frames.some(isThere);
    const { frames } = isAll
      ? page
      : await inspector.frames(session, place, 0, FRAMES_READ, limited);
    const told = fromTest(
      frames.filter((each) => !each.isLabel),
      stops.isOwn,
      isTest,
    );
    const entries = foldFrames(told, stops.isOwn, 1).slice(0, FRAMES_TOLD);
    let left = FRAMES_WITH_VARIABLES;
    return await Promise.all(
      entries.map(async (entry) => {
        if (isFolded(entry)) return { function_name: entry.title };
        const isRead = isOwnFrame(entry, stops.isOwn) && (left -= 1) >= 0;
        const variables = isRead
          ? await readLocalsWithFields(inspector, session, place, entry, limited, noting([]))
          : undefined;
        return frameOf(entry, variables?.variables, variables?.omitted ?? 0);
      }),
    );
  });
}

/** From the innermost frame of the person's own to the test's, or to the outermost one of theirs. */
function fromTest(
  frames: readonly Frame[],
  isOwn: (file: string) => boolean,
  isTest: (file: string, line: number) => boolean,
): readonly Frame[] {
  const owns = frames.map((each) => isOwnFrame(each, isOwn));
  const innermost = owns.indexOf(true);
  if (innermost === -1) return [];
  // Frames of an asynchronous caller come further out: those that declared the test.
  const test = frames.findIndex(({ path, line }) => path !== undefined && isTest(path, line));
  const outermost = test === -1 ? owns.lastIndexOf(true) : lastOfRun(frames, test, isTest);
  return frames.slice(innermost, outermost + 1);
}

/** The test may call functions that stand in itself. */
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
): FailureFrame {
  const own = (variables ?? []).filter(
    ({ variable, hiddenIn, object }) =>
      hiddenIn === undefined &&
      !isBeside(variable) &&
      !isCode(variable.type) &&
      !isEmptyReceiver(variable, object),
  );
  const told = own.slice(0, VARIABLES_OF_A_FRAME);
  const omitted = own.length - told.length + unread;
  return {
    function_name: name.replace(MARK, ''),
    ...(path === undefined ? {} : { file_path: path, line_number: line }),
    ...(told.length === 0
      ? {}
      : { variables: Object.fromEntries(told.map((each) => [each.variable.name, textOf(each)])) }),
    ...(omitted > 0 ? { omitted_variables: omitted } : {}),
  };
}

/** `this` and `self` that have no members to tell. */
function isEmptyReceiver({ name, value }: Variable, object: ObjectFields | undefined): boolean {
  if (name !== 'this' && name !== 'self') return false;
  return (
    (object?.fields ?? []).length === 0 && /^(?:undefined|global|<.* object at 0x.*>)$/.test(value)
  );
}

/** debugpy marks the frame that an exception is in; Rust’s compiler puts a hash behind names. */
const MARK = / \(Current frame\)$|::h[\da-f]{16}$/;

/** Functions, classes, modules and what runs the test say nothing of a failure. */
const NO_VALUE = /^(?:function|class|module|type|builtin_function.*|\*testing\.\w+)$/i;

function isCode(type: string | undefined): boolean {
  return type !== undefined && NO_VALUE.test(type);
}

function textOf({ variable, object }: LocalVariable): string {
  if (variable.lazy) return 'not read';
  const fields = (object?.fields ?? []).map(([name, value]) => `${name}: ${value}`);
  if (fields.length === 0) return cutText(variable.value, MOST_OF_A_VALUE);
  const more = (object?.omitted ?? 0) > 0 ? ', …' : '';
  const type = variable.type ?? '';
  return cutText(`${type} {${fields.join(', ')}${more}}`.trim(), MOST_OF_A_VALUE);
}

/** The same of what a runner reported, which has no variables. */
export function reportedFrames(
  frames: readonly ReportedFrame[],
  isOwn: (file: string) => boolean,
): readonly FailureFrame[] {
  return frames
    .filter((each) => isOwn(each.path))
    .slice(0, FRAMES_TOLD)
    .map(({ name, path, line }) => ({
      function_name: name,
      file_path: path,
      line_number: line,
    }));
}
