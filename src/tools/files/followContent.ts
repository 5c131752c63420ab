import { movedTo } from '../../debugger/breakpoints/lineContent';
import type { ToolServices } from '../services';

/**
 * Moves breakpoints that were set by the text of their line to the line that has the text now. VS Code moves
 * breakpoints with edits in an editor, but not when a file is written by another program. A breakpoint that a running
 * program has bound stays, because the program was built from the old file.
 */
export async function followContent({
  breakpoints,
  host,
  workspace,
}: Pick<ToolServices, 'breakpoints' | 'host' | 'workspace'>): Promise<void> {
  for (const breakpoint of breakpoints.agents()) {
    const content = breakpoints.contentOf(breakpoint);
    if (
      content === undefined ||
      breakpoint.kind !== 'source' ||
      breakpoints.boundIn(breakpoint).length > 0
    )
      continue;
    const text = await workspace.readText(breakpoint.path).catch(() => undefined);
    const line =
      text === undefined ? undefined : movedTo(text.split(/\r\n|\r|\n/), content, breakpoint.line);
    // In the meantime, the person may have removed or changed the breakpoint, or a program may have bound it.
    const now = breakpoints.all().find(({ hostId }) => hostId === breakpoint.hostId);
    if (
      line === undefined ||
      now?.kind !== 'source' ||
      now.line !== breakpoint.line ||
      breakpoints.boundIn(now).length > 0
    )
      continue;
    const { hostId, ...requested } = now;
    // VS Code keeps one breakpoint per place.
    if (breakpoints.inPlaceOf({ ...requested, line }) !== undefined) continue;
    const as = breakpoints.marksOf(breakpoint);
    host.removeBreakpoints([hostId]);
    breakpoints.claim(host.addBreakpoint({ ...requested, line }), {
      as,
      content,
      moved: true,
    });
  }
}
