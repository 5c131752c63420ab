import { ALL_TOOLS, DEFAULT_SETS } from './catalog';
import type { Tool, ToolSet } from './defineTool';

/** The tools of the sets that are on, which VS Code's chat and MCP clients are shown. Both hear when that changes. */
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

  /** Whether clients are shown two tools that lead to all others. */
  get isRouted(): boolean {
    return this.routed;
  }

  /** Switches router mode. Told only where it was otherwise. */
  route(routed: boolean): void {
    if (routed === this.routed) return;
    this.routed = routed;
    this.tell();
  }

  /** Switches to these sets. Told only where the list is another than before. */
  use(sets: Iterable<ToolSet>): void {
    const now = this.of(sets);
    const isSame =
      now.length === this.shown.length && now.every((tool, index) => tool === this.shown[index]);
    this.shown = now;
    if (!isSame) this.tell();
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private of(sets: Iterable<ToolSet>): readonly Tool[] {
    const requested = new Set(sets);
    return this.all.filter((tool) => requested.has(tool.set));
  }
}
