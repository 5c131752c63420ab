import * as l10n from '@vscode/l10n';
import { recorderName } from '../../../recording/recordings';
import { isCompleteText } from '../../../debugger/inspection/completeText';
import { stoppedThread, type StoppedThread } from '../../../debugger/state/state';
import { Failure } from '../../../results/failure';
import { shortPath } from '../../files/files';
import type { Call, ToolServices } from '../../services';
import type { Collection, CollectionStart } from '../../trace/collect/collections';
import type { Hit } from '../../trace/collect/collector';
import type { Probe } from '../../trace/collect/probes';
import { pointOf } from '../../trace/collect/recordingCollector';
import { againNamed, askedFor, languageOf, languageOfType, openStop, readAt } from './firstStop';
import { readCaller } from './inputs';
import type { Origin, ProgramAgain } from './origin';
import { expressionsFor } from './probeExpressions';
import { replay, snapshot, type Replayed } from './replay';
import { shownValue } from './sameRuns';

/** The hit of a collection that a call names. */
export interface NamedHit {
  readonly collection_id?: string | undefined;
  readonly probe?: number | undefined;
  readonly hit?: number | undefined;
}

/** A hit whose moment a further run can reach. */
export interface AskedHit {
  readonly program: ProgramAgain;
  readonly probe: Probe;
  readonly hit: Hit;
}

/** Finds the hit that a call names. Nothing is started. @throws Failure */
export function hitAsked(
  { collections }: Pick<ToolServices, 'collections'>,
  { collection_id: id = '', probe: probeId, hit: number }: NamedHit,
): AskedHit {
  const collection = collections.get(id);
  if (collection === undefined)
    throw refused(
      l10n.t('There is no collection {0}.', id),
      `collection_id is that of an earlier collect_values in this window${collections.ids().length === 0 ? '' : `: ${collections.ids().join(', ')}`}.`,
    );
  const { start, probes } = collection;
  const probe = probeId === undefined ? onlyProbe(collection) : probes.find(isNumbered(probeId));
  if (probe === undefined)
    throw refused(
      l10n.t('The collection {0} has {1} probes.', id, probes.length),
      `Pass probe: 1 to ${probes.length}.`,
    );
  const hits = collection.hits.filter((each) => each.probe === probe.id);
  const hit = hits.find((each) => each.number === number);
  if (hit === undefined)
    throw refused(
      l10n.t('Probe {0} of the collection {1} has {2} hits.', probe.id, id, hits.length),
      hits.length === 0 ? 'Pass another probe.' : `Pass hit: 1 to ${hits.length}.`,
    );
  if (start === undefined) throw notRepeated(id);
  if (new Set(hits.map(({ process }) => process)).size > 1) throw severalProcesses(id);
  languageOf({ type: start.type });
  return { program: programOf(start), probe, hit };
}

const isNumbered =
  (id: number) =>
  (probe: Probe): boolean =>
    probe.id === id;

function onlyProbe({ probes }: Collection): Probe | undefined {
  return probes.length === 1 ? probes[0] : undefined;
}

function programOf({ plan, type, trigger }: CollectionStart): ProgramAgain {
  return { name: plan.name, type, plan: againNamed(plan), shown: plan, trigger };
}

/** The place of a probe, for a person. */
export function placeOfHit(services: ToolServices, { probe, hit }: AskedHit): string {
  return l10n.t('{0}, hit {1}', `${shortPath(services, probe.path)}:${probe.line}`, hit.number);
}

/**
 * Runs the program again to a hit of a collection, and reads the value there.
 * @throws Failure if the program does not reach the hit, or the value cannot be read
 */
export async function originAtHit(
  services: ToolServices,
  call: Call,
  asked: AskedHit,
  expression: string,
  deadline: number,
): Promise<Origin> {
  const { program, probe, hit } = asked;
  const { plan, type, trigger } = program;
  // The values are read at the stop. The condition decides which hit it is.
  const point = { ...pointOf(probe), id: 1, values: [], claim: undefined };
  const context = { services, call, plan, type, trigger, points: [point] };
  call.progress?.(l10n.t('Running the program again'));
  return await replay(context, hit.number - 1, deadline, async (replayed) => {
    const at = stoppedAt(services, replayed);
    if (at === undefined) throw notReached(services, asked, replayed);
    return await readHit({ services, call, asked }, at, expression);
  });
}

/** The thread that reached the hit. */
function stoppedAt(
  { model }: ToolServices,
  { step, recording }: Replayed,
): StoppedThread | undefined {
  if (step.kind !== 'stopped' || !recording.isAtLimit) return undefined;
  return stoppedThread(model.state, step.sessionKey);
}

interface Reading {
  readonly services: ToolServices;
  readonly call: Call;
  readonly asked: AskedHit;
}

async function readHit(
  { services, call: { signal }, asked }: Reading,
  { session, threadId }: StoppedThread,
  expression: string,
): Promise<Origin> {
  const { program, probe, hit } = asked;
  const { inspector } = services;
  const language = languageOfType(program.type);
  const expressions = expressionsFor(language, recorderName());
  const top = await inspector.top(session, inspector.placeOf(session, threadId), signal);
  const frame = top === undefined ? undefined : { threadId, frameId: top.id };
  const opened = frame && (await openStop(services, session, frame, signal));
  if (frame === undefined || opened === undefined) throw unread();
  const stop = await readAt(services, opened, askedFor(expression), expressions, signal);
  const now = await snapshot(
    services,
    session,
    opened.frame,
    opened.path,
    probe.expressions,
    signal,
  );
  const reader = { services, language, expressions, signal };
  // The run ends before anybody asks for it.
  const passed = await readCaller(reader, session, frame);
  return {
    program,
    stop: { ...stop, column: probe.column, hit: hit.number },
    caller: () => Promise.resolve(passed),
    runs: 1,
    ...comparedWith(probe, hit, now),
  };
}

/**
 * Compares the values at the reached hit with those of the collection. A text that may show only a part proves nothing:
 * if no value was compared as a whole, it is not known whether the moment is the same.
 */
export function comparedWith(
  { expressions }: Pick<Probe, 'expressions'>,
  { values }: Pick<Hit, 'values'>,
  now: Pick<Hit, 'values'> | undefined,
): Pick<Origin, 'differs' | 'gaps'> {
  let isCompared = false;
  for (const [index, what] of expressions.entries()) {
    const [first, again] = [shownValue(values[index]), shownValue(now?.values[index])];
    if (now === undefined || !isCompleteText(first)) continue;
    if (first !== again) return { differs: { what, first, again } };
    isCompared = true;
  }
  return isCompared ? {} : { gaps: [NOT_COMPARED] };
}

const NOT_COMPARED =
  'No value of the collection could be compared as a whole, so the hit may be another moment.';

function refused(message: string, hint: string): Failure {
  return new Failure('invalid_input', message, `${hint} Nothing was started.`);
}

function notRepeated(id: string): Failure {
  return new Failure(
    'not_supported',
    l10n.t('The run of the collection {0} cannot be repeated.', id),
    'It was a test or a running program. Collect from program or configuration_name, or stop where the value is wrong, and call find_writer there. Nothing was started.',
  );
}

function severalProcesses(id: string): Failure {
  return new Failure(
    'not_supported',
    l10n.t('Several processes have hits in the collection {0}.', id),
    'Stop where the value is wrong, and call find_writer there. Nothing was started.',
  );
}

/** Why a further run went no further. */
function endOf({ step, trigger }: Replayed): string {
  if (trigger.failure !== undefined) return `The trigger failed (${trigger.failure})`;
  if (step.kind === 'ended') return 'The program ended';
  return trigger.isOver ? 'The trigger ended' : 'The time was up';
}

function notReached(services: ToolServices, asked: AskedHit, replayed: Replayed): Failure {
  return new Failure(
    'not_supported',
    l10n.t('A further run did not reach {0}.', placeOfHit(services, asked)),
    `${endOf(replayed)} after ${replayed.hits.length} hits. The program was ended. It may differ from run to run: stop where the value is wrong, and call find_writer there, or pass a larger max_seconds.`,
  );
}

function unread(): Failure {
  return new Failure(
    'not_supported',
    l10n.t('The frame has no source file.'),
    'Stop in your own code, and call find_writer there. The program was ended.',
  );
}
