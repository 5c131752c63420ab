import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { AddressBreakpoint } from '../../debugger/breakpoints/addressBreakpoint';
import { matches } from '../../debugger/breakpoints/breakpointMatching';
import type { Settled } from '../../debugger/state/debugModel';
import { Failure } from '../../results/failure';
import type { HostBreakpoint } from '../../debugger/host';
import { isLive, liveSessions, type DebugState } from '../../debugger/state/state';
import { removalQuestion, removeAddresses } from '../advanced/addressBreakpoint';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { absolute, shortPath } from '../files/files';
import { code } from '../question';
import { filePath, lineNumber, resultSchema } from '../schemas';
import { answerCounts, ANSWER_LIMIT_MS } from './answerCounts';
import type { Call, ToolServices } from '../services';

const removeInput = z.strictObject({
  breakpoint_id: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('id from set_breakpoint or get_breakpoints.'),
  location: z
    .strictObject({ file_path: filePath, line_number: lineNumber })
    .optional()
    .describe('All breakpoints on this line.'),
  clear_all: z.boolean().optional().describe('true: all breakpoints that agents set.'),
});

export const removeBreakpoint = defineTool({
  name: 'remove_breakpoint',
  set: 'core',
  effect: 'control',
  title: 'Remove Breakpoint',
  userDescription: 'Removes breakpoints that the agent set',
  modelDescription:
    "Remove breakpoints: exactly one of breakpoint_id, location, or clear_all (all that agents set; the person's stay).",
  icon: 'debug-breakpoint-unverified',
  input: removeInput,
  output: resultSchema(['success'], {
    removed: z.array(z.int()).readonly().optional(),
    kept: z.int().optional(),
  }),
  needs: 'nothing',
  doing: () => l10n.t('Removing breakpoints'),
  question: async ({ input, services }) => {
    const title = l10n.t('Remove breakpoint');
    const address = addressOf(services, input);
    if (address !== undefined) return removalQuestion(services, [address]);
    const chosen = await chosenBreakpoints(services, input);
    const [found] = chosen;
    if (input.clear_all === true || found === undefined)
      return {
        title,
        message: l10n.t(
          'Remove all breakpoints that agents set: {0}',
          chosen.length + services.addressBreakpoints.all().length,
        ),
      };
    const where = code(
      found.kind === 'source'
        ? `${shortPath(services, found.path)}:${found.line}`
        : found.functionName,
    );
    const isTheirs = services.breakpoints.ownerOf(found) === 'user';
    return {
      title,
      message: isTheirs
        ? l10n.t('Remove **your own** breakpoint at {0}', where)
        : l10n.t('Remove the breakpoint at {0}', where),
    };
  },
  run: async ({ input, services, call }) => {
    const { breakpoints, host } = services;
    const address = addressOf(services, input);
    if (address !== undefined) return success(await removeAddresses(services, [address], call));
    const chosen = await chosenBreakpoints(services, input);
    const kept = input.clear_all === true ? breakpoints.all().length - chosen.length : 0;
    const addresses = input.clear_all === true ? services.addressBreakpoints.all() : [];
    const removed = [
      ...chosen.map((breakpoint) => breakpoints.idOf(breakpoint)),
      ...addresses.map((breakpoint) => breakpoint.id),
    ];
    const released = untilReleased(services, chosen, call);
    host.removeBreakpoints(chosen.map((breakpoint) => breakpoint.hostId));
    if (addresses.length > 0) await removeAddresses(services, addresses, call);
    const message =
      (await released).kind === 'timeout'
        ? l10n.t(
            'Breakpoints removed: {0}. A debugger has not confirmed it yet, so the program may still stop there.',
            removed.length,
          )
        : l10n.t('Breakpoints removed: {0}.', removed.length);
    return success(defined({ message, removed, kept: kept > 0 ? kept : undefined }));
  },
});

/**
 * Returns the breakpoint by address that the call names (`addressBreakpoints.ts`). VS Code does not know these
 * breakpoints.
 */
function addressOf(
  { addressBreakpoints }: ToolServices,
  { breakpoint_id: id, location, clear_all: all }: z.output<typeof removeInput>,
): AddressBreakpoint | undefined {
  if (id === undefined || location !== undefined || all === true) return undefined;
  return addressBreakpoints.find(id);
}

/**
 * Waits until the adapters that have the breakpoints have confirmed the removal. Until then, the program still stops
 * there.
 */
function untilReleased(
  { model }: ToolServices,
  chosen: readonly HostBreakpoint[],
  call: Call,
): Promise<Settled<true>> {
  const holders = liveSessions(model.state).flatMap((session) =>
    chosen
      .filter((breakpoint) => matches(session, breakpoint).length > 0)
      .map((breakpoint) => ({
        key: session.key,
        breakpoint,
        before: answerCounts(model.state, breakpoint).get(session.key) ?? 0,
      })),
  );
  const isReleased = (state: DebugState): boolean =>
    holders.every(({ key, breakpoint, before }) => {
      const session = state.sessions.get(key);
      // Another breakpoint may match in the same place. So a newer response also counts, because it is about the
      // remaining breakpoints.
      return (
        session === undefined ||
        !isLive(session) ||
        matches(session, breakpoint).length === 0 ||
        (answerCounts(state, breakpoint).get(key) ?? 0) > before
      );
    });
  return model.wait((state) => isReleased(state) || undefined, {
    timeoutMs: ANSWER_LIMIT_MS,
    signal: call.signal,
  }).settled;
}

/**
 * Returns the breakpoints of VS Code that the call names.
 * @throws Failure `invalid_input`, `breakpoint_not_found`, `not_supported`
 */
async function chosenBreakpoints(
  services: ToolServices,
  input: z.output<typeof removeInput>,
): Promise<readonly HostBreakpoint[]> {
  const ways = [
    input.breakpoint_id !== undefined,
    input.location !== undefined,
    input.clear_all === true,
  ].filter(Boolean).length;
  if (ways !== 1)
    throw new Failure(
      'invalid_input',
      l10n.t('Exactly one of breakpoint_id, location and clear_all: true is needed.'),
      'Nothing was changed.',
    );
  if (input.breakpoint_id !== undefined) return [byId(services, input.breakpoint_id)];
  if (input.location !== undefined) return await onLine(services, input.location);
  return services.breakpoints.agents();
}

function byId({ breakpoints }: ToolServices, id: number): HostBreakpoint {
  const found = breakpoints.find(id);
  if (found !== undefined) return found;
  throw new Failure(
    'breakpoint_not_found',
    l10n.t('There is no breakpoint {0}.', id),
    'Call get_breakpoints for a list.',
    { ids: breakpoints.all().map((breakpoint) => breakpoints.idOf(breakpoint)) },
  );
}

async function onLine(
  services: ToolServices,
  location: { readonly file_path: string; readonly line_number: number },
): Promise<readonly HostBreakpoint[]> {
  const file = await absolute(services, location.file_path);
  const found = services.breakpoints.at(file, location.line_number);
  if (found.length === 0)
    throw new Failure(
      'breakpoint_not_found',
      l10n.t('There is no breakpoint at {0}:{1}.', file, location.line_number),
      'Call get_breakpoints for a list.',
    );
  const agents = found.filter((breakpoint) => services.breakpoints.ownerOf(breakpoint) === 'agent');
  if (agents.length > 0) return agents;
  throw new Failure(
    'not_supported',
    l10n.t("The breakpoint there is the person's own."),
    'Keep it, or pass its breakpoint_id, so that the person is asked about it.',
    { ids: found.map((breakpoint) => services.breakpoints.idOf(breakpoint)) },
  );
}
