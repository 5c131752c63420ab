import * as l10n from '@vscode/l10n';
import type { ToolServices } from '../../services';
import { shortPath } from '../../files/files';
import { functionsIn } from './source/functionsIn';
import { titleOf, type TraceTarget } from './traceTarget';

/** How the file of a function was changed since a call has read it. */
export interface ChangedSource {
  /** Set if the breakpoint was no longer at the beginning of the function, so that its calls could not be seen. */
  readonly message?: string;
}

/**
 * Reads the file of a function again, because a program may have loaded it again. Undefined if it is the same, or cannot
 * be read.
 */
export async function changedSource(
  services: Pick<ToolServices, 'workspace'>,
  { place, name, source }: TraceTarget,
): Promise<ChangedSource | undefined> {
  if (place === undefined) return undefined;
  const text = (await services.workspace.readSource(place.path))?.lines.join('\n');
  if (text === undefined || text === source.join('\n')) return undefined;
  const all = (await functionsIn(place.path, text)) ?? [];
  const entries = all.flatMap((found) => (titleOf(found) === name ? found.entry.line : []));
  const asked = place.found.entry.line;
  if (entries.includes(asked)) return {};
  const at = shortPath(services, place.path);
  const [now] = entries;
  return {
    message:
      now === undefined
        ? l10n.t('{0} was changed during the trace, and has no function {1} any more.', at, name)
        : l10n.t(
            '{0} was changed during the trace: {1} now begins in line {2}, but the breakpoint was in line {3}. Calls after a reload were not seen. Call again.',
            at,
            name,
            now,
            asked,
          ),
  };
}
