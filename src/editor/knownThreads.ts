import type { DebugModel } from '../debugger/state/debugModel';

/**
 * The threads that VS Code's window knows. It handles an adapter's messages later than they are observed here, each in a
 * task of its own. A command with a thread that it does not know acts on the focused thread, which may be in another
 * session.
 */
export class KnownThreads {
  private readonly known = new WeakMap<object, Set<number>>();

  constructor(private readonly model: Pick<DebugModel, 'state'>) {}

  /**
   * Sends a request. VS Code handles messages in their order, so when it has handled the answer, it also knows the
   * threads that its own list had when the request was sent.
   */
  async during<T>(session: { readonly id: string }, send: () => PromiseLike<T>): Promise<T> {
    const listed = this.listedIn(session.id);
    try {
      return await send();
    } finally {
      // A thread that has ended may be followed by another one with its id.
      const now = new Set(this.listedIn(session.id));
      const known = [...(this.known.get(session) ?? []), ...listed];
      this.known.set(session, new Set(known.filter((id) => now.has(id))));
    }
  }

  /** Whether VS Code knows a thread when it has handled the answer to a further request. */
  isListed(session: { readonly id: string }, threadId: number): boolean {
    return this.listedIn(session.id).includes(threadId);
  }

  /** Whether VS Code certainly knows a thread. */
  has(session: { readonly id: string }, threadId: number): boolean {
    return this.isListed(session, threadId) && this.known.get(session)?.has(threadId) === true;
  }

  private listedIn(sessionKey: string): readonly number[] {
    const threads = this.model.state.sessions.get(sessionKey)?.threads.values() ?? [];
    return [...threads].filter(({ isListed }) => isListed === true).map(({ id }) => id);
  }
}
