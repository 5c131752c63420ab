import { defined } from '../../util/defined';
import type { WindowRegistry } from './registry';
import type { WindowListeners } from './windowListeners';
import type { WindowOptions } from './windowOptions';

/** This window's entry in the registry, in which the other windows and the bridge find it. */
export class OwnEntry {
  private readonly startedAt = new Date().toISOString();
  /** The clients' port, which this window has or is about to bind. */
  private serves: number | undefined;
  private isDisposed = false;

  constructor(
    private readonly registry: WindowRegistry,
    private readonly listeners: WindowListeners,
    private readonly options: WindowOptions,
  ) {}

  /** Writes the entry if the window is reachable. */
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

  /** Writes the entry again if another window has removed it by mistake. */
  async restore(): Promise<void> {
    if (!this.listeners.isOpen) return;
    const { id } = this.listeners.address;
    if (!(await this.registry.list()).some((window) => window.id === id)) await this.publish();
  }

  async remove(): Promise<void> {
    await this.registry.remove(this.listeners.address.id);
  }

  /** Called when the window no longer serves clients. The next entry contains no clients' port. */
  forgetPort(): void {
    this.serves = undefined;
  }

  /** Called when the window closes. Removes the entry immediately, and never writes it again. */
  dispose(): void {
    this.isDisposed = true;
    this.registry.removeNow(this.listeners.address.id);
  }
}
