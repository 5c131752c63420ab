import { adapterOf } from '../../debugger/adapters/registry';
import { mayBeLogged } from '../../debugger/breakpoints/logMessage';
import type { SessionState } from '../../debugger/state/state';
import type { ToolServices } from '../services';

/**
 * Why a logpoint of which no output named the place was silent, as far as that is known. js-debug names the place of
 * each one it prints, unless it reads the program's streams; debugpy never does, so there the text decides: an
 * expression that fails prints the exception alone, so other output may have been the logpoint's. Undefined where it
 * may have printed its message, and for debuggers of which nothing is known.
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
