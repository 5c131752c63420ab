import { defined } from '../../util/defined';
import type { WindowRegistry } from './registry';
import type { WindowListeners } from './windowListeners';
import type { WindowOptions } from './windowOptions';

/** This window's entry in the registry, by which the other windows and the bridge find it. */
export class OwnEntry {
  private readonly startedAt = new Date().toISOString();
  /** The clients' port, which this window has or is about to try for. */
  private serves: number | undefined;
  private isDisposed = false;

  constructor(
    private readonly registry: WindowRegistry,
    private readonly listeners: WindowListeners,
    private readonly options: WindowOptions,
  ) {}

  /** Writes the entry, when the window can be reached. */
  async publish(): Promise<void> {
    if (!this.listeners.isOpen || this.isDisposed) return;
    const { host, ...address } = this.listeners.address;
    await this.registry.write({
      ...address,
      ...(host === '::1' && { host }),
      ...this.options.describe(),
      version: this.options.mcp.version,
      startedAt: this.startedAt,
      ...defined({ serves: this.serves }),
    });
  }

  async publishPort(serves: number | undefined): Promise<void> {
    this.serves = serves;
    await this.publish();
  }

  /** Writes the entry again when another window has removed it by mistake. */
  async restore(): Promise<void> {
    if (!this.listeners.isOpen) return;
    const { id } = this.listeners.address;
    if (!(await this.registry.list()).some((window) => window.id === id)) await this.publish();
  }

  async remove(): Promise<void> {
    await this.registry.remove(this.listeners.address.id);
  }

  /** The window no longer serves: the next entry names no clients' port. */
  forgetPort(): void {
    this.serves = undefined;
  }

  /** Removes the entry at once, and writes none again: the window is closing. */
  dispose(): void {
    this.isDisposed = true;
    this.registry.removeNow(this.listeners.address.id);
  }
}
