import { TOOLS } from './catalog';
import type { Tool, ToolSet } from './defineTool';

/** The tools that MCP clients are shown: those of the sets that are switched on. Clients hear when that changes. */
export class ExposedTools {
  private readonly listeners = new Set<() => void>();
  private shown: readonly Tool[];

  constructor(
    sets: Iterable<ToolSet> = ['core', 'trace'],
    private readonly all: readonly Tool[] = TOOLS,
  ) {
    this.shown = this.of(sets);
  }

  get list(): readonly Tool[] {
    return this.shown;
  }

  find(name: string): Tool | undefined {
    return this.shown.find((tool) => tool.name === name);
  }

  /** Switches to these sets. Told only where the list is another than before. */
  use(sets: Iterable<ToolSet>): void {
    const now = this.of(sets);
    const isSame =
      now.length === this.shown.length && now.every((tool, index) => tool === this.shown[index]);
    this.shown = now;
    if (!isSame) for (const listener of [...this.listeners]) listener();
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  private of(sets: Iterable<ToolSet>): readonly Tool[] {
    const wanted = new Set(sets);
    return this.all.filter((tool) => wanted.has(tool.set));
  }
}
