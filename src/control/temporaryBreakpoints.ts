import type { BreakpointBook } from '../debugger/breakpoints/breakpointBook';
import type { DebugHost, HostBreakpoint, RequestedHostBreakpoint } from '../debugger/host';

export interface TemporaryBreakpoint {
  readonly breakpoint: HostBreakpoint;
  dispose(): void;
}

/**
 * Breakpoints that a call sets for its own use. They are removed when the call ends, when the extension is deactivated,
 * or, if the window was closed earlier, when the workspace is opened again. Their marks outlive the window.
 */
export class TemporaryBreakpoints {
  private readonly set = new Set<string>();

  constructor(
    private readonly host: DebugHost,
    private readonly book: BreakpointBook,
  ) {}

  add(requested: RequestedHostBreakpoint): TemporaryBreakpoint {
    const breakpoint = this.host.addBreakpoint(requested);
    const { hostId } = breakpoint;
    this.book.claim(breakpoint, { isTemporary: true });
    this.set.add(hostId);
    return { breakpoint, dispose: () => this.remove([hostId]) };
  }

  /**
   * Removes temporary breakpoints that an earlier session of the window left. Called once VS Code has restored its
   * breakpoints.
   */
  removeLeft(): void {
    this.remove(
      this.book
        .all()
        .filter(
          (breakpoint) => this.book.isTemporary(breakpoint) && !this.set.has(breakpoint.hostId),
        )
        .map((breakpoint) => breakpoint.hostId),
    );
  }

  dispose(): void {
    this.remove([...this.set]);
  }

  private remove(hostIds: readonly string[]): void {
    const present = new Set(this.host.breakpoints().map((breakpoint) => breakpoint.hostId));
    for (const hostId of hostIds) this.set.delete(hostId);
    const remaining = hostIds.filter((hostId) => present.has(hostId));
    if (remaining.length > 0) this.host.removeBreakpoints(remaining);
  }
}
