import type { Answers } from '../state/answers';
import type { DebugModel } from '../state/debugModel';
import { FRAMES_OF_A_STOP } from './inspector';
import { objectsToRead, readsByExpression } from './objectFields';
import { listOf, numberOf, fields, readMessage, type Fields } from '../protocol';
import type { AdapterRequests } from '../requests';
import { fieldsQuestion } from './pythonFields';
import {
  MOST_OWN_SCOPES,
  ownScopes,
  readFrames,
  readScopes,
  topFrame,
  variablesOf,
} from './stackAndVariables';
import type { DebugEvent, SessionState } from '../state/state';

/** A scope may have any number of variables, and this is done while VS Code waits for the message. */
const MOST_LOOKED_THROUGH = 200;

/**
 * Asks for what a stop's answer will hold, the moment that it can be asked: each request leaves while the message that
 * it follows from is still on its way to VS Code, which draws the stop as soon as it has it and lets all others wait.
 * Only for stops that a call waits for; whoever makes the answer finds these requests under way.
 */
export class StopPrefetch {
  /** The events that it has to see. */
  readonly observes = ['stopped'] as const;
  private waiting = 0;

  constructor(
    private readonly model: DebugModel,
    private readonly requests: AdapterRequests,
  ) {}

  /** A call waits for a stop, until the returned function is called. */
  expect(): () => void {
    this.waiting += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.waiting -= 1;
      isOver = true;
    };
  }

  /** Sees stops, after the state has changed with them. */
  observe(event: DebugEvent): void {
    if (this.waiting === 0 || event.type !== 'fromAdapter') return;
    const message = readMessage(event.message);
    if (message?.type !== 'event' || message.event !== 'stopped') return;
    const session = this.model.state.sessions.get(event.key);
    const threadId = numberOf(fields(message.body)['threadId']);
    if (session === undefined || threadId === undefined) return;
    if (
      session.lastStop?.reason === 'exception' &&
      session.capabilities.supportsExceptionInfoRequest === true
    )
      this.read(session, 'exceptionInfo', { threadId });
    this.read(
      session,
      'stackTrace',
      { threadId, startFrame: 0, levels: FRAMES_OF_A_STOP },
      (stack) => {
        const top = topFrame(readFrames(stack));
        // While another thread runs, values are asked for when they are told (`AdapterRequests.look`).
        const isAlone = [
          ...(this.model.state.sessions.get(session.key)?.threads.values() ?? []),
        ].every((thread) => thread.stop !== undefined);
        if (top === undefined || !isAlone) return;
        this.read(session, 'scopes', { frameId: top.id }, (scopes) => {
          for (const scope of ownScopes(readScopes(scopes)).slice(0, MOST_OWN_SCOPES))
            this.readScope(session, scope.reference);
        });
        if (readsByExpression(session)) this.read(session, 'evaluate', fieldsQuestion(top.id));
      },
    );
  }

  /** A scope's variables, and the fields of those that show none. */
  private readScope(session: SessionState, scope: number): void {
    const then = readsByExpression(session)
      ? undefined
      : (body: Fields): void => {
          for (const variable of objectsToRead(
            variablesOf(listOf(body['variables']).slice(0, MOST_LOOKED_THROUGH)),
          ))
            this.read(session, 'variables', { variablesReference: variable.reference });
        };
    this.read(session, 'variables', { variablesReference: scope }, then);
  }

  /** `then` is called while the answer is being delivered, not a turn later. */
  private read(
    session: SessionState,
    command: string,
    args: object,
    then?: (body: Fields) => void,
  ): void {
    const answers: Answers = this.model.answers;
    let stop: () => void = () => undefined;
    if (then !== undefined) {
      stop = answers.listen(session.key, command, args, (body) => {
        stop();
        then(body);
      });
    }
    // Whoever makes the answer meets a failure again and tells of it.
    this.requests.read(session, command, args, new AbortController().signal).then(
      () => stop(),
      () => stop(),
    );
  }
}
