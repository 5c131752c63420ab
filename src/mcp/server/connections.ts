import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Connections that have not shown the key yet, and connections that have. */
const MAX_STRANGERS = 256;
const MAX_KNOWN = 256;

/**
 * Bounds the number of connections. Those that have not shown the key are counted apart, and the oldest of them makes
 * room: a program without the key cannot keep out one that has it.
 */
export class Connections {
  private readonly strangers = new Set<Duplex>();
  /** With the key that was shown last. */
  private readonly known = new Map<Duplex, string>();

  arrived(socket: Socket): void {
    const [oldest] = this.strangers;
    if (this.strangers.size >= MAX_STRANGERS) oldest?.destroy();
    this.strangers.add(socket);
    socket.once('close', () => {
      this.strangers.delete(socket);
      this.known.delete(socket);
    });
  }

  /** The connection has shown the key. False where too many have. */
  admit(socket: Socket, key: string): boolean {
    if (!this.known.has(socket) && this.known.size >= MAX_KNOWN) return false;
    this.strangers.delete(socket);
    this.known.set(socket, key);
    return true;
  }

  /** Ends the connections that were admitted with another key than these. */
  cut(valid: readonly string[]): void {
    for (const [socket, shown] of this.known) if (!valid.includes(shown)) socket.destroy();
  }

  hasShownKey(socket: Duplex): boolean {
    return this.known.has(socket);
  }
}
