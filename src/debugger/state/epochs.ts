import { isFieldsQuestion } from '../inspection/pythonFields';
import { RESUMES, type Fields } from '../protocol';
import type { SessionState } from './state';

/** Requests that only look, and whose answer holds as long as the program stays where it is. */
export const READ_COMMANDS: ReadonlySet<string> = new Set([
  'stackTrace',
  'scopes',
  'variables',
  'exceptionInfo',
]);

/** Requests after which everything that was seen is still true. All others may have changed a value. */
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
 * What a message ends of what was read before it.
 * - `change`: values may be others. Frames and references stay those that they are.
 * - `invalidation`: the adapter says that frames and references are no longer valid. The program is where it was.
 * - `move`: the program is elsewhere. Adapters use the numbers of frames and references again.
 * - `resume`: a move that somebody asked for.
 */
export type Effect = 'none' | 'change' | 'invalidation' | 'move' | 'resume';

interface Asked {
  readonly command: string;
  readonly arguments: Fields;
}

/** Whether a request only looks, so that its answer may be kept. */
export function isLook({ command, arguments: args }: Asked): boolean {
  return READ_COMMANDS.has(command) || isFieldsQuestion(command, args);
}

export function effectOfRequest(request: Asked): Effect {
  if (RESUMES.has(request.command)) return 'resume';
  return HARMLESS.has(request.command) || isLook(request) ? 'none' : 'change';
}

/**
 * What may change values may do so until it is answered. A resume needs no more: its stop is an event, which may come
 * before the answer and would be outdated by it.
 */
export function effectOfAnswer(request: Asked): Effect {
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

/** The session in the epoch after the effect. */
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

/** The first epoch of a session, or of what it is after a restart: nothing of before holds any more. */
export function firstEpoch(
  before: SessionState | undefined,
): Pick<SessionState, 'epoch' | 'epochOf'> {
  const epoch = (before?.epoch ?? 0) + 1;
  return { epoch, epochOf: { move: epoch, resume: epoch, invalidation: epoch } };
}
