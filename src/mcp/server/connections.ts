import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Connections that have not shown the key yet, and those that have. */
const MOST_STRANGERS = 256;
const MOST_KNOWN = 256;

/**
 * Bounds how many connections there are, in such a way that who has no key keeps nobody out who has: of those that have
 * not shown it yet, the oldest makes room.
 */
export class Connections {
  private readonly strangers = new Set<Duplex>();
  /** With the key that was shown last. */
  private readonly known = new Map<Duplex, string>();

  arrived(socket: Socket): void {
    const [oldest] = this.strangers;
    if (this.strangers.size >= MOST_STRANGERS) oldest?.destroy();
    this.strangers.add(socket);
    socket.once('close', () => {
      this.strangers.delete(socket);
      this.known.delete(socket);
    });
  }

  /** It has shown the key. False where too many have. */
  admit(socket: Socket, key: string): boolean {
    if (!this.known.has(socket) && this.known.size >= MOST_KNOWN) return false;
    this.strangers.delete(socket);
    this.known.set(socket, key);
    return true;
  }

  /** Ends those that were let in with a key that is no more. */
  cut(key: string): void {
    for (const [socket, shown] of this.known) if (shown !== key) socket.destroy();
  }

  hasShownKey(socket: Duplex): boolean {
    return this.known.has(socket);
  }
}
