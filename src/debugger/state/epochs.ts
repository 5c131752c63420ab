import { isActivationRequest } from '../adapters/registry';
import { isFieldsRequest } from '../inspection/pythonFields';
import { RESUMES, type Fields } from '../protocol';
import type { SessionState } from './state';

/** The read-only requests whose answers are valid until the program moves. */
export const READ_COMMANDS: ReadonlySet<string> = new Set([
  'stackTrace',
  'scopes',
  'variables',
  'exceptionInfo',
]);

/** The requests that change no values. All other requests may have changed a value. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...READ_COMMANDS,
  'threads',
  'source',
  'modules',
  'loadedSources',
  'breakpointLocations',
  'completions',
  'disassemble',
  'readMemory',
  'locations',
  'setBreakpoints',
  'setFunctionBreakpoints',
  'setExceptionBreakpoints',
  'setDataBreakpoints',
  'setInstructionBreakpoints',
  'dataBreakpointInfo',
  'gotoTargets',
  'stepInTargets',
  'canEmulate',
  'enableNetworking',
]);

/**
 * The effect of a message: which of the data that was read earlier it outdates.
 * - `change`: values may have changed. Frames and references stay valid.
 * - `invalidation`: the adapter reports that frames and references are no longer valid. The program has not moved.
 * - `move`: the program has moved. Adapters use the numbers of frames and references again.
 * - `resume`: a move that was requested.
 */
export type Effect = 'none' | 'change' | 'invalidation' | 'move' | 'resume';

interface RequestLike {
  readonly command: string;
  readonly arguments: Fields;
}

/** Whether a request is read-only, so that its answer may be cached. */
export function isReadOnly({ command, arguments: args }: RequestLike): boolean {
  return (
    READ_COMMANDS.has(command) ||
    isFieldsRequest(command, args) ||
    isActivationRequest(command, args)
  );
}

export function effectOfRequest(request: RequestLike): Effect {
  if (RESUMES.has(request.command)) return 'resume';
  return HARMLESS.has(request.command) || isReadOnly(request) ? 'none' : 'change';
}

/**
 * The effect of a response. A request that may change values may do so until its response. The response to a resume has
 * no effect: the stop is an event, which may arrive before the response and must not be outdated by it.
 */
export function effectOfAnswer(request: RequestLike): Effect {
  return effectOfRequest(request) === 'change' ? 'change' : 'none';
}

export function effectOfEvent(event: string): Effect {
  switch (event) {
    case 'stopped':
    case 'continued':
    case 'terminated':
      return 'move';
    case 'invalidated':
      return 'invalidation';
    case 'memory':
      return 'change';
    default:
      return 'none';
  }
}

/** The session after the effect, in a new epoch. */
export function raised(session: SessionState, effect: Effect): SessionState {
  if (effect === 'none') return session;
  const epoch = session.epoch + 1;
  return { ...session, epoch, epochOf: { ...session.epochOf, ...stampsOf(effect, epoch) } };
}

function stampsOf(effect: Effect, epoch: number): Partial<SessionState['epochOf']> {
  switch (effect) {
    case 'resume':
      return { move: epoch, resume: epoch };
    case 'move':
      return { move: epoch };
    case 'invalidation':
      return { invalidation: epoch };
    default:
      return {};
  }
}

/** The first epoch of a session. A restart begins a new epoch, so that earlier data is no longer valid. */
export function firstEpoch(
  before: SessionState | undefined,
): Pick<SessionState, 'epoch' | 'epochOf'> {
  const epoch = (before?.epoch ?? 0) + 1;
  return { epoch, epochOf: { move: epoch, resume: epoch, invalidation: epoch } };
}
