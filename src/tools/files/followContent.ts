import { movedTo } from '../../debugger/breakpoints/lineContent';
import type { ToolServices } from '../services';

/**
 * Breakpoints that were set by the text of their line go where the text has gone. VS Code moves breakpoints with what
 * is typed in an editor; a file that was written from elsewhere leaves them on what are other lines by then. One that a
 * running program holds stays: the program is what the file was.
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
    // Meanwhile the person may have removed or changed it, or a program may have taken it up.
    const now = breakpoints.all().find((one) => one.hostId === breakpoint.hostId);
    if (
      line === undefined ||
      now?.kind !== 'source' ||
      now.line !== breakpoint.line ||
      breakpoints.boundIn(now).length > 0
    )
      continue;
    const { hostId, ...requested } = now;
    // VS Code keeps one breakpoint a place.
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
