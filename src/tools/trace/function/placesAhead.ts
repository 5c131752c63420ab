import { adapterOf } from '../../../debugger/adapters/registry';
import type { Fields } from '../../../debugger/protocol';
import { stoppedThread, type SessionState } from '../../../debugger/state/state';
import type { Subscription } from '../../../util/listeners';
import type { ToolServices } from '../../services';
import { NO_CALLEES, type Callees } from './callees';
import type { ThreadStack } from './threadStack';
import { isJavaScript } from './source/isJavaScript';
import type { SourceFunction } from './source/sourceFunction';

type Services = Pick<ToolServices, 'inspector' | 'model'>;

/** The places at which the debugger can stop in a function and in its callees. */
export interface CallPlaces {
  readonly own: Fields;
  readonly callees: Callees;
  /** The places in each callee. Undefined if the debugger does not know its file. */
  readonly inCallees: readonly (Fields | undefined)[];
}

/**
 * Requests the places at which the debugger can stop in a function and its callees. It sends the requests in the same
 * turn in which the program stops, because later requests wait until VS Code has rendered the stop.
 */
export class PlacesAhead implements Subscription {
  private readonly observed: Subscription;
  private asked:
    { readonly stop: string; readonly answer: Promise<CallPlaces | undefined> } | undefined;
  /** The callees, as soon as they are found. */
  private callees: Callees | undefined;

  constructor(
    private readonly services: Services,
    private readonly place: { readonly path: string; readonly found: SourceFunction } | undefined,
    /** Whether a session belongs to the program. */
    private readonly isIncluded: (session: SessionState) => boolean,
    private readonly signal: AbortSignal,
    private readonly finding: Promise<Callees> = Promise.resolve(NO_CALLEES),
  ) {
    void finding.then(
      (callees) => (this.callees = callees),
      () => undefined,
    );
    this.observed = services.model.observe(({ key }) => this.ask(key), ['stopped']);
  }

  /** Returns the response for a stack's stop. */
  async at({ session, threadId }: ThreadStack): Promise<CallPlaces | undefined> {
    const { asked } = this;
    return asked?.stop === nameOf(session, threadId) ? await asked.answer : undefined;
  }

  dispose(): void {
    this.observed.dispose();
  }

  private ask(key: string): void {
    const there = stoppedThread(this.services.model.state, key);
    const { place } = this;
    if (there === undefined || place === undefined) return;
    const { session, threadId: thread } = there;
    if (adapterOf(session.type).recorder !== 'javascript' || !this.isIncluded(session)) return;
    if (session.lastStop?.reason.includes('breakpoint') !== true) return;
    const { path, found } = place;
    const answer = callPlaces(
      this.services,
      session,
      path,
      found,
      this.callees ?? this.finding,
      this.signal,
    );
    // A failed request is repeated when the places are needed.
    this.asked = { stop: nameOf(session, thread), answer: answer.catch(() => undefined) };
  }
}

function nameOf({ key, threads }: SessionState, threadId: number): string {
  return `${key} ${threadId} ${threads.get(threadId)?.stop?.id ?? ''}`;
}

/** Requests the places in a function and in its callees. */
export async function callPlaces(
  services: Pick<Services, 'inspector'>,
  session: SessionState,
  path: string,
  found: SourceFunction,
  finding: Callees | Promise<Callees>,
  signal: AbortSignal,
): Promise<CallPlaces> {
  const own = placesIn(services, session, path, found, signal);
  const inEach = ({ functions }: Callees): Promise<readonly (Fields | undefined)[]> =>
    Promise.all(
      functions.map((callee) =>
        placesIn(services, session, callee.path, callee.found, signal).catch(() => undefined),
      ),
    );
  // Requests for callees that are known are sent in the same turn.
  const asked = 'then' in finding ? finding.then(inEach) : inEach(finding);
  const [inOwn, callees, inCallees] = await Promise.all([own, finding, asked]);
  return { own: inOwn, callees, inCallees };
}

/** Requests the places at which the debugger can stop in the body of a function (DAP `breakpointLocations`). */
export async function placesIn(
  { inspector }: Pick<Services, 'inspector'>,
  session: SessionState,
  path: string,
  found: SourceFunction,
  signal: AbortSignal,
): Promise<Fields> {
  if (!isJavaScript(found)) return {};
  const { bodyStart, bodyEnd } = found;
  const range = {
    line: bodyStart.line,
    column: bodyStart.column,
    endLine: bodyEnd.line,
    // An arrow function without a block is left behind its expression.
    endColumn: bodyEnd.column + 1,
  };
  const args = { source: { path }, ...range };
  return await inspector.sendUnique(session, 'breakpointLocations', args, signal);
}
