import { adapterOf } from '../../debugger/adapters/registry';
import { mayBeLogged } from '../../debugger/breakpoints/logMessage';
import type { SessionState } from '../../debugger/state/state';
import type { ToolServices } from '../services';

/**
 * Returns the reason why a logpoint was silent, if no output has its location. js-debug reports the location of each
 * logpoint that it prints, unless it reads the program's streams. debugpy never reports the location, so the text is
 * compared. A logpoint whose expression throws prints only the exception, so other output may belong to the logpoint.
 * Returns undefined if the logpoint may have printed its message, and for debuggers whose behavior is unknown.
 */
export function whySilent(
  { model }: ToolServices,
  members: readonly SessionState[],
  { type, configuration }: SessionState,
  message: string,
): 'not_reached' | 'not_printed' | undefined {
  const { placesLogpoints } = adapterOf(type);
  if (placesLogpoints === undefined) return undefined;
  const logs = members.map((session) => model.output(session));
  if (logs.some((log) => log.dropped > 0)) return undefined;
  const printed = logs.flatMap((log) => log.read({ since: 0 }));
  if (printed.some(({ text }) => mayBeLogged(text, message))) return undefined;
  const isSure =
    !message.includes('{') ||
    printed.every(({ category }) => category !== 'stdout') ||
    placesLogpoints(configuration);
  return isSure ? 'not_reached' : 'not_printed';
}
