import { DebuggerError } from '../debugger/debuggerError';
import type { DebugModel } from '../debugger/state/debugModel';
import { readMessage } from '../debugger/protocol';
import {
  isOver,
  rootOf,
  type DebugEvent,
  type DebugState,
  type SessionState,
} from '../debugger/state/state';

/**
 * The reason why a lease was lost: the person moved or ended the program, took over the debugger, or the program ended.
 */
export type LeaseLoss = 'moved' | 'takenOver' | 'ended';

/** The DAP requests that move a program or end its session. */
const MOVES = [
  'continue',
  'next',
  'stepIn',
  'stepOut',
  'stepBack',
  'reverseContinue',
  'goto',
  'restartFrame',
  'restart',
  'pause',
  'terminate',
  'disconnect',
] as const;

/**
 * The exclusive right to move one tree of sessions, for a call with many steps. Other calls that would move it are
 * refused with the holder's name. The person is never refused. An action of the person ends the lease.
 */
export class Lease {
  private readonly abort = new AbortController();
  private why: LeaseLoss | undefined;
  /** The number of requests that the holder has announced and that have not been observed yet. */
  private announced = 0;

  constructor(
    readonly rootKey: string,
    /** The tool that has the lease. */
    readonly holder: string,
    private readonly release: () => void,
  ) {}

  /** Aborted when the lease is lost. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  get loss(): LeaseLoss | undefined {
    return this.why;
  }

  /** Announces a request of the holder that moves the program. */
  announce(): void {
    this.announced += 1;
  }

  /** Retracts an announced request that was never sent. */
  retract(): void {
    this.announced = Math.max(0, this.announced - 1);
  }

  /**
   * Called when a request that moves the program was sent: by the holder if it had announced one, otherwise by the
   * person.
   */
  seen(): void {
    if (this.announced > 0) this.announced -= 1;
    else this.lose('moved');
  }

  lose(why: LeaseLoss): void {
    if (this.abort.signal.aborted) return;
    this.why = why;
    this.release();
    this.abort.abort();
  }

  dispose(): void {
    this.release();
  }
}

/** The leases of a window, at most one for each tree of sessions. */
export class Leases {
  /** The names of the events that `observe` needs. */
  readonly observes = [...MOVES, 'sessionEnded', 'terminated', 'exited'] as const;
  private readonly byRoot = new Map<string, Lease>();

  constructor(private readonly model: Pick<DebugModel, 'state'>) {}

  /** @throws DebuggerError `busy` if another call has the lease */
  acquire(session: SessionState, holder: string): Lease {
    const root = rootOf(this.model.state, session);
    this.check(session);
    const lease: Lease = new Lease(root.key, holder, () => {
      if (this.byRoot.get(root.key) === lease) this.byRoot.delete(root.key);
    });
    this.byRoot.set(root.key, lease);
    return lease;
  }

  /** @throws DebuggerError `busy` unless the tree is free or leased to the caller */
  check(session: SessionState, mine?: Lease): void {
    const lease = this.of(session);
    if (lease === undefined || lease === mine) return;
    throw new DebuggerError({ kind: 'busy', session, holder: lease.holder });
  }

  of(session: SessionState): Lease | undefined {
    return this.byRoot.get(rootOf(this.model.state, session).key);
  }

  /** Ends all leases, for example because the person took over the debugger. */
  loseAll(why: LeaseLoss): void {
    for (const lease of [...this.byRoot.values()]) lease.lose(why);
  }

  /** Called with each event after the state has been updated. */
  observe(event: DebugEvent): void {
    if (this.byRoot.size === 0) return;
    const { state } = this.model;
    const session = state.sessions.get(event.key);
    const lease = session === undefined ? this.byRoot.get(event.key) : this.of(session);
    if (lease === undefined) return;
    if (session === undefined || hasEnded(state, session)) lease.lose('ended');
    else if (event.type === 'toAdapter' && isMove(event, session)) lease.seen();
  }
}

function hasEnded(state: DebugState, session: SessionState): boolean {
  return isOver(state, rootOf(state, session));
}

/**
 * Whether a request moves the program. VS Code also sends `disconnect` after a session has announced its own end. That
 * request does not count.
 */
function isMove(event: { readonly message: unknown }, { endRequested }: SessionState): boolean {
  const message = readMessage(event.message);
  if (message?.type !== 'request') return false;
  const isEnd = message.command === 'disconnect' || message.command === 'terminate';
  return !isEnd || endRequested;
}
