import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { FrameHandle } from '../../../debugger/inspection/handles';
import { noting, readLocals } from '../../../debugger/inspection/localVariables';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import { rootOf, type SessionState } from '../../../debugger/state/state';
import type { RecordedHit, RecordedValue } from '../../../recording/recordedRows';
import { Failure } from '../../../results/failure';
import { planOf, shownPlanOf } from '../../core/restart';
import { defined } from '../../../util/defined';
import type { StartPlan } from '../../launch/launchPlan';
import type { ToolServices } from '../../services';
import { isOwn } from '../../trace/function/ownFrames';
import type { ProgramAgain } from './origin';
import { placeValues } from './plannedProbes';
import type { Expressions } from './probeExpressions';
import { snapshot, snapshots } from './replay';
import { constantOf, readPath, type Asked } from './valuePath';
import type { Facts, Language } from './writes';
import { shownValue } from './sameRuns';

/** The maximum numbers of frames that are read, of files that are searched, and of variables that are compared. */
const MAX_FRAMES = 60;
const MAX_FILES = 12;
const MAX_NAMES = 12;

/** The stop of the first run, and what was read there. */
export interface FirstStop {
  readonly asked: Asked;
  readonly facts: Facts;
  readonly path: string;
  readonly frame: Frame;
  readonly frames: readonly Frame[];
  readonly names: readonly string[];
  readonly read: RecordedHit;
  /** The person's own files on the stack. */
  readonly files: readonly string[];
  /** The column of the place, if other code comes first on its line. */
  readonly column?: number | undefined;
  /** The number of the hit of the place in the run: 1, 2, 3 … Undefined if it is not known. */
  readonly hit?: number | undefined;
}

/** A stopped thread, without the expression. */
export interface OpenedStop {
  readonly session: SessionState;
  readonly path: string;
  readonly frame: Frame;
  readonly frames: readonly Frame[];
  readonly variables: readonly string[];
  readonly files: readonly string[];
}

/** The language of a session's program. @throws Failure `not_supported` */
export function languageOf({ type, id }: Pick<SessionState, 'type'> & { id?: string }): Language {
  const { recorder, name } = adapterOf(type);
  if (recorder !== undefined) return recorder;
  throw new Failure(
    'not_supported',
    l10n.t('Writers are found only in Node and Python programs, not with “{0}”.', name),
    'If the debugger offers data breakpoints, restart, stop before the wrong value is written, and call data_breakpoint_info and set_data_breakpoint (set advanced). Nothing was started.',
    defined({ session_id: id }),
  );
}

/** The language of a debug type whose programs are recorded. */
export function languageOfType(type: string): Language {
  return adapterOf(type).recorder ?? 'python';
}

/** How the program of a session is started again. @throws Failure `not_supported` */
export function programOf(services: ToolServices, session: SessionState): ProgramAgain {
  const root = rootOf(services.model.state, session);
  const plan = againNamed(planAgain(services, session));
  return { name: root.name, type: session.type, plan, shown: shownPlanOf(services, root) };
}

/** The plan that starts the program of a session again, under its name. @throws Failure `not_supported` */
export function planAgain(services: ToolServices, session: SessionState): StartPlan {
  const root = rootOf(services.model.state, session);
  if (root.configuration['request'] === 'attach')
    throw new Failure(
      'not_supported',
      l10n.t('The debugger was attached to this program, so it cannot be started again.'),
      'Start the program with start_debugging, reach the wrong value there, and call again. Nothing was started.',
      { session_id: session.id },
    );
  const state = services.inputs.of(root)?.state ?? 'fixed';
  if (state !== 'fixed')
    throw new Failure(
      'not_supported',
      l10n.t(
        'The program reads an input that was written while it ran, which a second run does not get.',
      ),
      'Start it with stdin or stdin_file, reach the wrong value there, and call again. Nothing was started.',
      { session_id: session.id },
    );
  if (services.triggers.wasSentTo(session))
    throw new Failure(
      'not_supported',
      l10n.t(
        'This program had a trigger. A second run beside it does not get it: both would use the same port.',
      ),
      'Call collect_values with the program and the same trigger, let it end the program, and call again with its collection_id and hit. Nothing was started.',
      { session_id: session.id },
    );
  return planOf(services, root);
}

/**
 * A plan whose sessions have other names. VS Code asks the person about a second session of the same name.
 * @param as what follows the name, instead of what an earlier call has added to it
 */
export function againNamed(plan: StartPlan, as = 'find_writer'): StartPlan {
  const named = (name: string): string => `${name.replace(/ \(go_back \d+\)$/, '')} (${as})`;
  return {
    ...plan,
    name: named(plan.name),
    launches: plan.launches.map((launch) => ({
      ...launch,
      name: named(launch.name),
      configuration: { ...launch.configuration, name: named(launch.name) },
    })),
  };
}

/** Reads the path of a variable or member. @throws Failure `invalid_input` */
export function askedFor(expression: string): Asked {
  const asked = readPath(expression);
  if (asked !== undefined) return asked;
  throw new Failure(
    'invalid_input',
    l10n.t('“{0}” is no variable, member or element.', expression),
    'Pass a path such as total, order.total, this.items, or rows[3]["price"]. A computed value has no writer: ask about the variables that it is computed from. Nothing was started.',
  );
}

/** Reads the stop of the first run. The program does not move. @throws Failure */
export async function readFirstStop(
  services: ToolServices,
  signal: AbortSignal,
  session: SessionState,
  handle: Pick<FrameHandle, 'threadId' | 'frameId'>,
  asked: Asked,
  expressions: Expressions,
): Promise<FirstStop> {
  const opened = await openStop(services, session, handle, signal);
  if (opened === undefined) throw noSource();
  return await readAt(services, opened, asked, expressions, signal);
}

/** Reads the stack and the names of the variables of a frame. Undefined if the frame has no source file. */
export async function openStop(
  services: ToolServices,
  session: SessionState,
  { threadId, frameId }: Pick<FrameHandle, 'threadId' | 'frameId'>,
  signal: AbortSignal,
): Promise<OpenedStop | undefined> {
  const { inspector } = services;
  const place = inspector.placeOf(session, threadId);
  const page = await inspector.frames(session, place, 0, MAX_FRAMES, signal);
  const frames = page.frames.filter(({ isLabel }) => !isLabel);
  const frame = frames.find(({ id }) => id === frameId);
  if (frame?.path === undefined) return undefined;
  const locals = await readLocals(inspector, session, place, frame, signal, noting([]));
  const variables = locals.variables
    .filter(({ hiddenIn }) => hiddenIn === undefined)
    .map(({ variable }) => variable.name)
    .filter(isName);
  const own = frames.filter((each) => isOwn(services, each)).flatMap(({ path }) => path ?? []);
  const files = [...new Set([frame.path, ...own])].slice(0, MAX_FILES);
  return { session, path: frame.path, frame, frames, variables, files };
}

/** Reads an expression in an opened frame. @throws Failure `invalid_input` */
export async function readAt(
  services: ToolServices,
  opened: OpenedStop,
  asked: Asked,
  expressions: Expressions,
  signal: AbortSignal,
): Promise<FirstStop> {
  const { session, path, frame } = opened;
  const reading = readingOf(opened, asked, expressions);
  const read = await snapshot(services, session, frame, path, reading.values, signal);
  return stopOf(opened, reading, read);
}

/** Reads expressions in an opened frame. Leaves out those that cannot be read. */
export async function readAllAt(
  services: ToolServices,
  opened: OpenedStop,
  asked: readonly Asked[],
  expressions: Expressions,
  signal: AbortSignal,
): Promise<readonly FirstStop[]> {
  const { session, path, frame } = opened;
  const readings = asked.map((each) => readingOf(opened, each, expressions));
  const lists = readings.map(({ values }) => values);
  const read = await snapshots(services, session, frame, path, lists, signal);
  return readings.flatMap((reading, index) => {
    try {
      return [stopOf(opened, reading, read[index])];
    } catch (error) {
      if (error instanceof Failure) return [];
      throw error;
    }
  });
}

/** What is read for an expression: its value with the facts that a search needs. */
interface Reading {
  readonly asked: Asked;
  readonly isKnown: boolean;
  readonly names: readonly string[];
  readonly values: readonly string[];
}

function readingOf({ variables }: OpenedStop, asked: Asked, expressions: Expressions): Reading {
  const names = variables.filter((name) => name !== asked.expression).slice(0, MAX_NAMES);
  const { values } = placeValues({ asked, facts: { isMutable: false }, names, expressions });
  const key = asked.kind === 'member' ? asked.key.text : '0';
  const isKnown = asked.kind === 'variable' || asked.key.constant !== undefined;
  const facts = [expressions.isMutable(asked.expression), isKnown ? '0' : key];
  return { asked, isKnown, names, values: [...values, ...facts] };
}

/** @throws Failure `invalid_input` if the expression cannot be read */
function stopOf(
  { path, frame, frames, files }: OpenedStop,
  { asked, isKnown, names, values }: Reading,
  read: RecordedHit | undefined,
): FirstStop {
  const value = read?.values[0];
  if (read === undefined || typeof value !== 'string') throw unreadable(asked, value);
  const [isMutable, index] = read.values.slice(values.length - 2);
  return {
    asked: isKnown ? asked : withKey(asked, typeof index === 'string' ? index : ''),
    facts: { isMutable: typeof isMutable === 'string' && /^true$/i.test(isMutable) },
    ...{ path, frame, frames, names, read, files },
  };
}

/** The same member, with the key that the index had at the stop. */
function withKey(asked: Asked, index: string): Asked {
  if (asked.kind === 'variable') return asked;
  const constant = constantOf(index);
  if (constant !== undefined) return { ...asked, key: { ...asked.key, text: constant, constant } };
  throw new Failure(
    'invalid_input',
    l10n.t('The index {0} is neither a number nor a short text.', asked.key.text),
    'Pass the index as a constant. Nothing was started.',
  );
}

function isName(name: string): boolean {
  return readPath(name)?.kind === 'variable' && name !== 'this';
}

function noSource(): Failure {
  return new Failure(
    'not_supported',
    l10n.t('The frame has no source file.'),
    'Pass the frame_id of a frame in your own code, from get_call_stack. Nothing was started.',
  );
}

function unreadable({ expression }: Asked, value: RecordedValue): Failure {
  return new Failure(
    'invalid_input',
    value === undefined
      ? l10n.t('{0} cannot be read at this stop.', expression)
      : l10n.t('{0} cannot be read at this stop: {1}', expression, shownValue(value)),
    'Pass an expression that has a value in this frame, or another frame_id. Nothing was started.',
  );
}
