import { ALL_TOOLS, DEFAULT_SETS } from './catalog';
import type { Tool, ToolSet } from './defineTool';

/**
 * The tools of the enabled sets, which are visible to VS Code's chat and to MCP clients. Both are notified of changes.
 */
export class ExposedTools {
  private readonly listeners = new Set<() => void>();
  private shown: readonly Tool[];
  private routed = false;

  constructor(
    sets: Iterable<ToolSet> = DEFAULT_SETS,
    private readonly all: readonly Tool[] = ALL_TOOLS,
  ) {
    this.shown = this.of(sets);
  }

  get list(): readonly Tool[] {
    return this.shown;
  }

  find(name: string): Tool | undefined {
    return this.shown.find((tool) => tool.name === name);
  }

  /** Whether router mode is enabled. In this mode, clients see only two tools, which give access to all others. */
  get isRouted(): boolean {
    return this.routed;
  }

  /** Enables or disables router mode. Listeners are notified only if the mode changes. */
  route(routed: boolean): void {
    if (routed === this.routed) return;
    this.routed = routed;
    this.notify();
  }

  /** Enables exactly these sets. Listeners are notified only if the list changes. */
  use(sets: Iterable<ToolSet>): void {
    const now = this.of(sets);
    const isSame =
      now.length === this.shown.length && now.every((tool, index) => tool === this.shown[index]);
    this.shown = now;
    if (!isSame) this.notify();
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  private notify(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private of(sets: Iterable<ToolSet>): readonly Tool[] {
    const requested = new Set(sets);
    return this.all.filter((tool) => requested.has(tool.set));
  }
}
