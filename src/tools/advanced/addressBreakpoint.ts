import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type {
  AddressBreakpoint,
  RequestedAddress,
} from '../../debugger/breakpoints/addressBreakpoint';
import type { SessionState } from '../../debugger/state/state';
import { addressView } from '../../results/views/addressView';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import type { Consent } from '../defineTool';
import { plain, wholeCode } from '../question';
import { addressBreakpoint, resultSchema } from '../schemas';
import type { Call, ToolServices } from '../services';

/** The parameters that data breakpoints and instruction breakpoints share. */
export const conditions = {
  condition: z.string().min(1).max(10_000).optional().describe('Stop only where it holds.'),
  hit_condition: z.string().min(1).max(200).optional().describe('As the debugger writes it.'),
};

export const breakpointId = z
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .optional()
  .describe('id from get_breakpoints.');

export const setOutput = resultSchema(['success'], {
  breakpoint: addressBreakpoint.optional(),
});
export const removeOutput = resultSchema(['success'], {
  removed: z.array(z.int()).readonly().optional(),
});

interface Conditions {
  readonly condition?: string | undefined;
  readonly hit_condition?: string | undefined;
}

/** Returns the required consent. A condition is evaluated in the program, so it requires the consent for a change. */
export function consentFor({ condition, hit_condition: hits }: Conditions): Consent {
  return condition === undefined && hits === undefined ? 'control' : 'change';
}

/** Returns the place, session and conditions of a breakpoint, in Markdown. */
export function stopsAt(
  where: string,
  session: SessionState,
  { condition, hit_condition: hits }: Conditions,
): string {
  const parts = [
    l10n.t('{0} in {1}', where, `**${plain(session.name)}**`),
    ...(condition === undefined ? [] : [l10n.t('Condition: {0}', wholeCode(condition))]),
    ...(hits === undefined ? [] : [l10n.t('Hit count: {0}', wholeCode(hits))]),
  ];
  return parts.join('\n\n');
}

/** Sets a breakpoint and returns its state in the adapter. */
export async function setAddress(
  services: ToolServices,
  session: SessionState,
  requested: RequestedAddress,
  call: Call,
) {
  const { addressBreakpoints, inspector } = services;
  const made = await addressBreakpoints.set(session, requested, (to, command, args) =>
    inspector.send(to, command, args, call.signal),
  );
  const reason = made.message ?? l10n.t('The debugger has not confirmed this breakpoint.');
  return {
    ...defined({ message: made.verified ? undefined : reason }),
    breakpoint: { ...addressView(made, session), timestamp: new Date().toISOString() },
  };
}

/**
 * Returns the breakpoints that a call names, by breakpoint_id or by another parameter.
 * @param find undefined if the other parameter was not passed
 * @throws Failure `invalid_input` unless exactly one parameter was passed, `breakpoint_not_found` if none is found
 */
export function chosenAddresses(
  { addressBreakpoints }: ToolServices,
  kind: RequestedAddress['kind'],
  id: number | undefined,
  parameter: string,
  find: (() => readonly AddressBreakpoint[]) | undefined,
): readonly AddressBreakpoint[] {
  if ((id === undefined) === (find === undefined))
    throw new Failure(
      'invalid_input',
      l10n.t('Exactly one of breakpoint_id and {0} is needed.', parameter),
      'Nothing was changed.',
    );
  const byId = (): readonly AddressBreakpoint[] =>
    addressBreakpoints
      .all()
      .filter((breakpoint) => breakpoint.requested.kind === kind && breakpoint.id === id);
  const chosen = (find ?? byId)();
  if (chosen.length > 0) return chosen;
  throw new Failure(
    'breakpoint_not_found',
    l10n.t('The breakpoint does not exist.'),
    'Call get_breakpoints for a list.',
    { ids: addressBreakpoints.all().map((breakpoint) => breakpoint.id) },
  );
}

/** Removes breakpoints and returns their ids. */
export async function removeAddresses(
  { addressBreakpoints, inspector }: ToolServices,
  chosen: readonly AddressBreakpoint[],
  call: Call,
) {
  await addressBreakpoints.remove(chosen, (to, command, args) =>
    inspector.send(to, command, args, call.signal),
  );
  return {
    message: l10n.t('Breakpoints removed: {0}.', chosen.length),
    removed: chosen.map((breakpoint) => breakpoint.id),
  };
}

/** Returns the name of a breakpoint for the person, in Markdown. */
export function nameOfAddress({ requested }: AddressBreakpoint): string {
  const offset = requested.offset ?? 0;
  const place = requested.description ?? requested.reference;
  return wholeCode(offset === 0 ? place : `${place} ${offset < 0 ? '-' : '+'} ${Math.abs(offset)}`);
}

/** Returns the question about the removal of breakpoints. It lists each breakpoint with its session. */
export function removalQuestion(
  { model }: Pick<ToolServices, 'model'>,
  chosen: readonly AddressBreakpoint[],
) {
  const lines = chosen.map((breakpoint) => {
    const line = l10n.t('Remove the breakpoint at {0}', nameOfAddress(breakpoint));
    const session = model.state.sessions.get(breakpoint.sessionKey);
    return session === undefined ? line : l10n.t('{0} in {1}', line, `**${plain(session.name)}**`);
  });
  return { title: l10n.t('Remove breakpoint'), message: lines.join('\n\n') };
}
