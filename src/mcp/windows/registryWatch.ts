import type { WindowRegistry } from './registry';

/**
 * Watches the registry's folder: for changes while the window takes part in the server, or for a server while it does
 * not.
 */
export class RegistryWatch {
  private watch: { close(): void } | undefined;
  private isChangePending = false;

  constructor(private readonly registry: WindowRegistry) {}

  /** Reports changes of the windows' entries. */
  forChanges(changed: () => void): void {
    this.stop();
    this.watch = this.registry.watch(() => {
      // A file that is replaced is reported several times.
      if (this.isChangePending) return;
      this.isChangePending = true;
      setImmediate(() => {
        this.isChangePending = false;
        changed();
      });
    });
  }

  /** Reports when a window has the clients' port. @param port called for each change, because the setting may change */
  forServer(port: () => number, found: () => Promise<void>): void {
    this.stop();
    const search = async (): Promise<void> => {
      const requested = port();
      if ((await this.registry.list()).some((window) => window.serves === requested)) await found();
    };
    this.watch = this.registry.watch(() => void search().catch(() => undefined));
  }

  stop(): void {
    this.watch?.close();
    this.watch = undefined;
  }
}
