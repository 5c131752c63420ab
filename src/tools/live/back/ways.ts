import * as l10n from '@vscode/l10n';
import { rootOf, type StoppedThread } from '../../../debugger/state/state';
import { Failure } from '../../../results/failure';
import { seenAt, type PastStop } from '../../../results/views/pastStops';
import { shownPlanOf } from '../../core/restart';
import { shortPath } from '../../files/files';
import type { StartPlan } from '../../launch/launchPlan';
import type { Call, ToolServices } from '../../services';
import { pointOf } from '../../trace/collect/recordingCollector';
import { againNamed, planAgain } from '../writer/firstStop';
import { hitAsked, placeOfHit, type AskedHit, type NamedHit } from '../writer/hitOrigin';
import type { ProgramAgain } from '../writer/origin';
import { snapshot } from '../writer/replay';
import { shownValue } from '../writer/sameRuns';
import type { WayBack } from './goThere';
import { comparedMoments, type ComparedMoment } from './moment';
import { stopAsked, type NamedStop } from './pastPlace';

/** The moment that a call names: a stop, or a hit of a collection. */
export interface NamedMoment extends NamedHit {
  readonly stop_id?: number | undefined;
  readonly session_id?: string | undefined;
}

/** Returns how to get to the moment that a call names. Nothing is started. @throws Failure */
export function wayTo(services: ToolServices, named: NamedMoment): WayBack {
  const isStop = named.stop_id !== undefined || named.session_id !== undefined;
  if (isStop && named.collection_id !== undefined)
    throw new Failure(
      'invalid_input',
      l10n.t('A stop and a collection were passed.'),
      'Pass stop_id, or collection_id and hit: each has its own moment. Nothing was started.',
    );
  return named.collection_id === undefined
    ? wayToStop(services, stopAsked(services, named.session_id, named.stop_id))
    : wayToHit(services, hitAsked(services, named));
}

function wayToStop(services: ToolServices, { session, stop }: NamedStop): WayBack {
  const { path, line, condition, number } = stop;
  const { state } = services.model;
  const plan = planAgain(services, session);
  const shown = shownPlanOf(services, rootOf(state, session));
  return {
    program: programAgain(services, plan, shown, session.type),
    place: l10n.t('{0}, hit {1}', `${shortPath(services, path)}:${line}`, number),
    point: { id: 1, path, line, values: [], when: condition },
    number,
    isAssumed: true,
    compare: async ({ session: now, threadId }, { signal }) =>
      comparedMoments(
        stop.seen,
        seenAt(await services.stops.report(now, threadId, signal, 'readOnly')),
      ),
    why: whyOfStop(stop),
  };
}

/** What a hit of a line may not have in common with a stop there. */
function whyOfStop({ reason }: PastStop): readonly string[] {
  if (reason.includes('breakpoint') || reason === 'entry') return [];
  return [
    `The line has not run yet. The first stop (${reason}) may have been later, in the middle of the line.`,
  ];
}

function wayToHit(services: ToolServices, asked: AskedHit): WayBack {
  const { program, probe, hit } = asked;
  return {
    program: {
      ...programAgain(services, program.shown, program.shown, program.type),
      trigger: program.trigger,
    },
    place: placeOfHit(services, asked),
    // The values are read at the stop. The condition decides which hit it is.
    point: { ...pointOf(probe), id: 1, values: [], claim: undefined },
    number: hit.number,
    isAssumed: false,
    compare: async (at, call) => await comparedHit(services, asked, at, call),
    why: [],
  };
}

async function comparedHit(
  services: ToolServices,
  { probe: { expressions }, hit }: AskedHit,
  { session, threadId }: StoppedThread,
  { signal }: Pick<Call, 'signal'>,
): Promise<ComparedMoment> {
  const { inspector } = services;
  const top = await inspector.top(session, inspector.placeOf(session, threadId), signal);
  const now =
    top?.path === undefined
      ? undefined
      : await snapshot(services, session, top, top.path, expressions, signal);
  const seen = (values: typeof hit.values) => ({
    values: new Map(expressions.map((each, index) => [each, shownValue(values[index])])),
    stack: [],
  });
  return now === undefined
    ? { moment: 'not_compared', compared: 0 }
    : comparedMoments(seen(hit.values), seen(now.values));
}

/** A further run beside the others: VS Code asks the person about a second session of the same name. */
function programAgain(
  { model }: Pick<ToolServices, 'model'>,
  plan: StartPlan,
  shown: StartPlan,
  type: string,
): ProgramAgain {
  const as = `go_back ${model.state.sessionCount + 1}`;
  return { name: shown.name, type, plan: againNamed(plan, as), shown: againNamed(shown, as) };
}
