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

/** Why a lease was lost: the person moved or ended the program, took over the debugger, or the program ended. */
export type LeaseLoss = 'moved' | 'takenOver' | 'ended';

/** DAP requests that move a program or end its session. */
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
 * The exclusive right to move one tree of sessions, for a call that takes many steps. Other calls that would move it
 * are refused and told who holds it. The person is never refused: what they do ends the lease.
 */
export class Lease {
  private readonly abort = new AbortController();
  private why: LeaseLoss | undefined;
  /** Requests that the holder has announced and that have not been seen yet. */
  private announced = 0;

  constructor(
    readonly rootKey: string,
    /** The tool that holds it. */
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

  /** The holder is about to send a request that moves the program. */
  announce(): void {
    this.announced += 1;
  }

  /** The announced request was never sent. */
  retract(): void {
    this.announced = Math.max(0, this.announced - 1);
  }

  /** A request that moves the program was sent, by the holder if it announced one. */
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
  /** The messages that it has to see. */
  readonly observes = [...MOVES, 'sessionEnded', 'terminated', 'exited'] as const;
  private readonly held = new Map<string, Lease>();

  constructor(private readonly model: Pick<DebugModel, 'state'>) {}

  /** @throws DebuggerError `busy` when another call has it */
  acquire(session: SessionState, holder: string): Lease {
    const root = rootOf(this.model.state, session);
    this.check(session);
    const lease: Lease = new Lease(root.key, holder, () => {
      if (this.held.get(root.key) === lease) this.held.delete(root.key);
    });
    this.held.set(root.key, lease);
    return lease;
  }

  /** @throws DebuggerError `busy` unless the tree is free or leased to the caller */
  check(session: SessionState, mine?: Lease): void {
    const lease = this.of(session);
    if (lease === undefined || lease === mine) return;
    throw new DebuggerError({ kind: 'busy', session, holder: lease.holder });
  }

  of(session: SessionState): Lease | undefined {
    return this.held.get(rootOf(this.model.state, session).key);
  }

  /** The person took over the debugger. */
  loseAll(why: LeaseLoss): void {
    for (const lease of [...this.held.values()]) lease.lose(why);
  }

  /** Sees messages, after the state has changed with them. */
  observe(event: DebugEvent): void {
    if (this.held.size === 0) return;
    const { state } = this.model;
    const session = state.sessions.get(event.key);
    const lease = session === undefined ? this.held.get(event.key) : this.of(session);
    if (lease === undefined) return;
    if (session === undefined || hasEnded(state, session)) lease.lose('ended');
    else if (event.type === 'toAdapter' && isMove(event, session)) lease.seen();
  }
}

function hasEnded(state: DebugState, session: SessionState): boolean {
  return isOver(state, rootOf(state, session));
}

/** VS Code sends `disconnect` also after a session has announced its own end: nobody asked for that one. */
function isMove(event: { readonly message: unknown }, { endAsked }: SessionState): boolean {
  const message = readMessage(event.message);
  if (message?.type !== 'request') return false;
  const isEnd = message.command === 'disconnect' || message.command === 'terminate';
  return !isEnd || endAsked;
}
