import type { FramePage } from '../../debugger/inspection/framePage';
import type { LocalVariables } from '../../debugger/inspection/localVariables';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import {
  liveSessions,
  threadOfStop,
  type DebugState,
  type SessionState,
} from '../../debugger/state/state';
import { defined } from '../../util/defined';

/** The data that the report of a stop omits: the counts, and how to fetch it. */
export type Omissions = Readonly<Record<string, number | string>>;

/** The omitted local variables and scopes. */
export function localsLeft(locals: LocalVariables | undefined): Omissions {
  if (locals === undefined) return {};
  return {
    ...left('variables', locals.omitted),
    ...left('scopes', locals.omittedScopes),
    ...(locals.expensive.length > 0
      ? {
          expensive_scopes: locals.expensive.join(', '),
          fetch_expensive_scopes: 'get_scopes, then get_variables',
        }
      : {}),
    ...defined({ unreadable_variables: locals.unreadable > 0 ? locals.unreadable : undefined }),
  };
}

/** The number of frames that are shown of a stack without the person's own code. */
const RUNTIME_FRAMES = 5;

/**
 * Removes the outermost frames that are subtle, such as the runtime that called the program (js-debug's
 * `node_internals`).
 */
export function withoutRuntime(frames: readonly Frame[]): readonly Frame[] {
  const last = frames.findLastIndex((frame) => !frame.subtle);
  return frames.slice(0, last === -1 ? RUNTIME_FRAMES : last + 1);
}

/** The number of frames that the report omits, if known, and how to fetch them. */
export function framesLeft(
  state: DebugState,
  session: SessionState,
  threadId: number,
  page: FramePage,
  shown: number,
): Omissions {
  const left = page.total === undefined ? undefined : page.total - shown - page.unreadable;
  const isMore =
    left === undefined ? page.next !== undefined || shown < page.frames.length : left > 0;
  if (!isMore && page.unreadable === 0) return {};
  const start = shown < page.frames.length ? shown : (page.next ?? shown);
  return defined({
    frames: isMore && left !== undefined ? left : undefined,
    fetch_frames: isMore ? fetchFrames(state, session, threadId, start) : undefined,
    unreadable_frames: page.unreadable > 0 ? page.unreadable : undefined,
  });
}

/** The call that reads the frames of a thread from an index on. */
export function fetchFrames(
  state: DebugState,
  session: SessionState,
  threadId: number,
  start: number,
): string {
  // Parameters that equal their defaults are left out.
  const others = liveSessions(state).filter(({ key }) => key !== session.key);
  return [
    'get_call_stack',
    ...(others.some(({ lifecycle }) => lifecycle === 'stopped')
      ? [`session_id=${session.id}`]
      : []),
    ...(threadOfStop(session) === threadId ? [] : [`thread_id=${threadId}`]),
    `start_frame=${start}`,
  ].join(' ');
}

/** The number of omitted entries, and how to fetch them. */
export function left(
  what: 'variables' | 'scopes' | 'own_frame_variables' | 'top_frame_variables',
  count: number | undefined,
): Omissions {
  return count === undefined || count === 0
    ? {}
    : {
        [what]: count,
        [`fetch_${what}`]:
          what === 'own_frame_variables'
            ? 'get_scopes of own_frame, then get_variables'
            : 'get_scopes, then get_variables',
      };
}
