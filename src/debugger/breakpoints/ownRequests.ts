/**
 * Distinguishes our own requests that set lists of breakpoints from VS Code's requests. VS Code reports both before
 * they are sent, and several of ours may be pending at the same time.
 */
export class OwnRequests {
  /** The arguments of our requests that have not been reported yet, as JSON. */
  private readonly pending = new Map<string, readonly string[]>();

  /** Registers a request that will be sent. @param key names the session, or the session and the command */
  add(key: string, args: object): void {
    this.pending.set(key, [...(this.pending.get(key) ?? []), JSON.stringify(args)]);
  }

  /**
   * Whether a reported request is ours. Each of our requests is recognized once. If the same list is reported again, it
   * is VS Code's.
   */
  take(key: string, args: object): boolean {
    const pending = this.pending.get(key) ?? [];
    const own = pending.indexOf(JSON.stringify(args));
    if (own < 0) return false;
    this.pending.set(
      key,
      pending.filter((_, index) => index !== own),
    );
    return true;
  }

  forget(key: string): void {
    this.pending.delete(key);
  }
}
