import * as l10n from '@vscode/l10n';
import type { BoundedRun } from '../../../control/boundedRun';
import type { PlacedPoint } from '../../../recording/recording';
import type { SessionState } from '../../../debugger/state/state';
import { withoutHit } from '../../reports/withoutHit';
import type { ToolServices } from '../../services';
import type { Collector } from './collector';
import type { Probe } from './probes';

/** The reason why a probe has no hits. */
export interface SilentProbe {
  readonly probe: number;
  readonly why:
    | 'not_reached'
    | 'condition_never_true'
    | 'condition_failed'
    | 'not_evaluated'
    | 'not_loaded'
    | 'no_code'
    | 'person_breakpoint'
    | 'not_bound'
    | 'unknown';
  readonly message: string;
}

/** Returns the line to which a debugger has moved a probe, or undefined if the probe has not moved. */
export function movedLine(run: BoundedRun, collector: Collector, probe: Probe): number | undefined {
  return run.sessions
    .map((session) => collector.placedIn(session, probe))
    .map((point) =>
      point.kind === 'answered' && point.adapter.verified ? point.adapter.line : undefined,
    )
    .find((line) => line !== undefined && line !== probe.line);
}

/** The time that adapters may take to report why a breakpoint is not bound. */
const REASON_LIMIT_MS = 2000;

/** Returns the reason for each probe without hits. */
export async function silentProbes(
  services: ToolServices,
  run: BoundedRun,
  collector: Collector,
  probes: readonly Probe[],
): Promise<readonly SilentProbe[]> {
  const reached = new Set(collector.hits.map((hit) => hit.probe));
  const silent = probes.filter((probe) => !reached.has(probe.id));
  return await Promise.all(
    silent.map(async (probe) => ({
      probe: probe.id,
      ...(await reasonOf(services, run, collector, probe)),
    })),
  );
}

type Reason = Omit<SilentProbe, 'probe'>;

async function reasonOf(
  services: ToolServices,
  run: BoundedRun,
  collector: Collector,
  probe: Probe,
): Promise<Reason> {
  const failure = collector.failure(probe);
  if (failure !== undefined)
    return {
      why: 'condition_failed',
      message: l10n.t('The condition failed: {0}', failure),
    };
  const passes = collector.passes(probe);
  if (passes > 0)
    return {
      why: 'condition_never_true',
      message: l10n.t(
        'The line was reached at least {0} times; the condition was never true.',
        passes,
      ),
    };
  if (collector.hasReached(probe))
    return {
      why: 'not_evaluated',
      message: l10n.t(
        'The line was reached, but an expression that is evaluated there had not finished when the call ended.',
      ),
    };
  const placed = run.sessions.map((session) => ({
    session,
    point: collector.placedIn(session, probe),
  }));
  const isBoundAnywhere = placed.some(({ point }) => isBound(point));
  const { why, message } = withoutHit(services, run.sessions, isBoundAnywhere);
  if (why === 'not_bound') return await unboundReason(services, probe, placed);
  return { why, message: message ?? l10n.t('The program did not reach the line.') };
}

function isBound(point: PlacedPoint): boolean {
  return point.kind === 'answered' && point.adapter.verified;
}

async function unboundReason(
  services: ToolServices,
  probe: Probe,
  placed: readonly { readonly session: SessionState; readonly point: PlacedPoint }[],
): Promise<Reason> {
  if (placed.some(({ point }) => point.kind === 'displaced'))
    return {
      why: 'person_breakpoint',
      message: l10n.t(
        'The person has a breakpoint on that line, and values cannot be collected there.',
      ),
    };
  const live = placed.find(
    ({ session, point }) =>
      point.kind === 'answered' && session.lifecycle !== 'terminated' && session.threads.size > 0,
  );
  const { path, line } = probe;
  const reported =
    live === undefined
      ? undefined
      : await services.breakpointViews
          .whyUnbound(live.session, { path, line }, AbortSignal.timeout(REASON_LIMIT_MS))
          .catch(() => undefined);
  if (reported !== undefined) return { why: whyOf(reported.reason), message: reported.message };
  const message = placed
    .map(({ point }) => (point.kind === 'answered' ? point.adapter.message : undefined))
    .find((text) => text !== undefined);
  return {
    why: 'not_bound',
    message:
      message ??
      l10n.t(
        'The debugger has not bound the line: the program has not loaded the file, or there is no code on it.',
      ),
  };
}

function whyOf(reason: string): SilentProbe['why'] {
  if (reason === 'no_code') return 'no_code';
  return reason === 'not_loaded' || reason === 'source_map' ? 'not_loaded' : 'not_bound';
}
