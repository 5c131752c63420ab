import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { FrameHandle } from '../../../debugger/inspection/handles';
import { noting, readLocals } from '../../../debugger/inspection/localVariables';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import { rootOf, type SessionState } from '../../../debugger/state/state';
import type { RecordedHit, RecordedValue } from '../../../recording/recordedRows';
import { Failure } from '../../../results/failure';
import { planOf } from '../../core/restart';
import type { StartPlan } from '../../launch/launchPlan';
import type { Call, ToolServices } from '../../services';
import { isOwn } from '../../trace/function/ownFrames';
import { placeValues } from './plannedProbes';
import type { Expressions } from './probeExpressions';
import { snapshot } from './replay';
import { constantOf, readPath, type Asked } from './target';
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
}

/** The language of a session's program. @throws Failure `not_supported` */
export function languageOf(session: SessionState): Language {
  const { recorder, name } = adapterOf(session.type);
  if (recorder !== undefined) return recorder;
  throw new Failure(
    'not_supported',
    l10n.t('Writers are found only in Node and Python programs, not with “{0}”.', name),
    'If the debugger offers data breakpoints, restart, stop before the wrong value is written, and call data_breakpoint_info and set_data_breakpoint (set advanced). Nothing was started.',
    { session_id: session.id },
  );
}

/** The plan that starts the program of a session again. @throws Failure `not_supported` */
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
  const plan = planOf(services, root);
  // VS Code asks the person about a second session of the same name.
  const named = (name: string): string => `${name} (find_writer)`;
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
  call: Call,
  session: SessionState,
  handle: FrameHandle,
  asked: Asked,
  expressions: Expressions,
): Promise<FirstStop> {
  const { inspector } = services;
  const place = inspector.placeOf(session, handle.threadId);
  const page = await inspector.frames(session, place, 0, MAX_FRAMES, call.signal);
  const frames = page.frames.filter(({ isLabel }) => !isLabel);
  const frame = frames.find(({ id }) => id === handle.frameId);
  if (frame?.path === undefined) throw noSource();
  const locals = await readLocals(inspector, session, place, frame, call.signal, noting([]));
  const names = locals.variables
    .filter(({ hiddenIn }) => hiddenIn === undefined)
    .map(({ variable }) => variable.name)
    .filter((name) => name !== asked.expression && isName(name))
    .slice(0, MAX_NAMES);
  const { values } = placeValues({ asked, facts: { isMutable: false }, names, expressions });
  const key = asked.kind === 'member' ? asked.key.text : '0';
  const isKnown = asked.kind === 'variable' || asked.key.constant !== undefined;
  const more = [expressions.isMutable(asked.expression), isKnown ? '0' : key];
  const all = [...values, ...more];
  const read = await snapshot(services, session, frame, frame.path, all, call.signal);
  const value = read?.values[0];
  if (read === undefined || typeof value !== 'string') throw unreadable(asked, value);
  const [isMutable, index] = read.values.slice(values.length);
  const own = frames.filter((each) => isOwn(services, each)).flatMap(({ path }) => path ?? []);
  return {
    asked: isKnown ? asked : withKey(asked, typeof index === 'string' ? index : ''),
    facts: { isMutable: typeof isMutable === 'string' && /^true$/i.test(isMutable) },
    ...{ path: frame.path, frame, frames, names, read },
    files: [...new Set([frame.path, ...own])].slice(0, MAX_FILES),
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
