import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The limits of connections that have not shown the key yet, and of connections that have. */
const MAX_UNAUTHENTICATED = 256;
const MAX_ADMITTED = 256;

/**
 * Limits the number of connections. Unauthenticated connections have their own limit. When it is reached, the oldest
 * one is closed. So a program without the key cannot block a program that has it.
 */
export class Connections {
  private readonly unauthenticated = new Set<Duplex>();
  /** Connections that have shown a key, with the latest key. */
  private readonly admitted = new Map<Duplex, string>();

  /** Called when a connection that has shown a key has ended. */
  onDidLeave: () => void = () => undefined;

  /** Whether a connection that has shown a key is open. */
  get isUsed(): boolean {
    return this.admitted.size > 0;
  }

  arrived(socket: Socket): void {
    const [oldest] = this.unauthenticated;
    if (this.unauthenticated.size >= MAX_UNAUTHENTICATED) oldest?.destroy();
    this.unauthenticated.add(socket);
    socket.once('close', () => {
      this.unauthenticated.delete(socket);
      if (this.admitted.delete(socket)) this.onDidLeave();
    });
  }

  /** Admits a connection that has shown the key. False if there are too many. */
  admit(socket: Socket, key: string): boolean {
    if (!this.admitted.has(socket) && this.admitted.size >= MAX_ADMITTED) return false;
    this.unauthenticated.delete(socket);
    this.admitted.set(socket, key);
    return true;
  }

  /** Ends the connections whose key is not one of the valid keys. */
  cut(valid: readonly string[]): void {
    for (const [socket, shown] of this.admitted) if (!valid.includes(shown)) socket.destroy();
  }

  hasShownKey(socket: Duplex): boolean {
    return this.admitted.has(socket);
  }
}
