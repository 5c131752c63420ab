import { call, cleanUp, insideExtension } from '../host/support/client';
import type { StopData } from '../host/support/stopData';
import { watchConnections } from './adapterConnections';
import { answerText, LANGUAGES, progress, stopIn, stopInLarge, type Language } from './calling';
import { GeneratedPrograms } from './generated';
import { heldMemory } from './hostMemory';
import { median, timed } from './measuring';
import { clientWith, RawClient } from './rawClient';
import type { Report } from './report';
import { PhaseClock, type Phases } from './stepPhases';
import { WithoutUs } from './withoutUs';

/** Steps of each kind in each program. */
const STEPS = 5;

/** VS Code has drawn a stop, or all it draws of it, when its adapter has been still for so long. */
const REST_MS = 300;

/** Lines that a program prints as fast as it can. */
const LINES = 100_000;

const SESSIONS = [1, 10, 50] as const;

interface Program {
  readonly name: string;
  readonly kind: string;
  readonly size: number;
}

/** What is done in programs with the extension, and by a raw client while it is asleep. */
interface Work<T> {
  readonly ours: () => Promise<T>;
  readonly theirs: (without: WithoutUs) => Promise<void>;
  readonly clear: () => Promise<void>;
}

/** How much more the extension host's heap holds, in MB: at the stop and once all has ended, with the extension and without. */
interface Growth {
  readonly held: number;
  readonly heldWithoutUs: number;
  readonly left: number;
  readonly leftWithoutUs: number;
}

/** Time and memory of programs that are large in one way each, beside a small one and beside VS Code without the extension. */
export async function large(report: Report): Promise<void> {
  report.part('large');
  const generated = new GeneratedPrograms();
  const { model } = await insideExtension();
  const clock = new PhaseClock(model);
  for (const language of LANGUAGES) {
    // What is loaded once, is loaded.
    await growth(stepping(language, SMALL, clock));
    await stepsIn(report, language, programs(language, generated), clock);
    await printing(report, language);
    await manySessions(report, language);
  }
  generated.remove();
}

const SMALL: Program = { name: 'small', kind: 'small', size: 0 };

function programs(language: Language, generated: GeneratedPrograms): readonly Program[] {
  return [
    SMALL,
    { name: '2,000 frames', kind: 'frames', size: 2000 },
    { name: '20,000 frames', kind: 'frames', size: 20_000 },
    { name: '500 locals', kind: generated.locals(language, 500), size: 0 },
    { name: '5,000 locals', kind: generated.locals(language, 5000), size: 0 },
    { name: 'an array of 100,000', kind: 'array', size: 100_000 },
    { name: 'an array of a million', kind: 'array', size: 1_000_000 },
    // A worker of Node's is no thread to VS Code but a session.
    ...(language.type === 'debugpy' ? [{ name: '20 threads', kind: 'threads', size: 20 }, { name: '200 threads', kind: 'threads', size: 200 }] : []),
  ];
}

async function stepsIn(report: Report, language: Language, all: readonly Program[], clock: PhaseClock): Promise<void> {
  const measured = [];
  for (const program of all) {
    progress(`${language.name}: ${program.name}`);
    measured.push({ name: program.name, ...(await growth(stepping(language, program, clock))) });
  }
  const small = measured[0]?.found.step ?? Number.NaN;
  report.text(`Large programs on ${language.name}: a step through VS Code’s tools from rest, median of ${STEPS} in milliseconds; the characters of its answer; by how much the extension host’s heap has grown, in MB.`);
  report.table(
    ['program', 'step', 'to small', 'raw client', 'to raw', 'characters', 'heap', 'without us', 'ours', 'ours after the end'],
    measured.map(({ name, found, ...grown }) => [name, found.step, found.step / small, found.raw, found.step / found.raw, found.characters, ...heapCells(grown)]),
  );
  report.text('Where a step’s time goes there, medians in milliseconds, as above.');
  report.table(
    ['program', 'there', 'step', 'looks', 'back'],
    measured.map(({ name, found }) => [name, ...(['there', 'step', 'looks', 'back'] as const).map((phase) => median(found.phases.map((each) => each[phase])))]),
  );
}

/** Steps of ours and of a raw client in turn. */
function stepping(language: Language, { kind, size }: Program, clock: PhaseClock): Work<{ step: number; raw: number; characters: number; phases: readonly Phases[] }> {
  return {
    ours: async () => {
      const { started, raw } = await withRawClient(() => stopInLarge(language, kind, size), (stop) => stop.thread_id);
      const { thread_id } = started;
      const times: number[] = [];
      const rawTimes: number[] = [];
      const phases: Phases[] = [];
      let text = '';
      for (let step = 0; step < STEPS; step += 1) {
        await raw.quiet(REST_MS);
        rawTimes.push(await timed(() => raw.stepAndLook(thread_id)));
        await raw.quiet(REST_MS);
        clock.begin();
        times.push(await timed(async () => (text = await answerText('step_execution', { thread_id, step_type: 'over' }))));
        phases.push(clock.end());
        stopIn(text);
      }
      await raw.quiet(REST_MS);
      return { step: median(times), raw: median(rawTimes), characters: text.length, phases };
    },
    theirs: async (without) => {
      const { started, raw } = await withRawClient(() => without.start(language, kind, size), (threadId) => threadId);
      for (let step = 0; step < 2 * STEPS; step += 1) {
        await raw.quiet(REST_MS);
        await raw.stepAndLook(started);
      }
      await raw.quiet(REST_MS);
    },
    clear: cleanUp,
  };
}

/** A program that prints as fast as it can between two stops. */
async function printing(report: Report, language: Language): Promise<void> {
  progress(`${language.name}: ${LINES} lines of output`);
  let seconds = 0;
  let secondsWithoutUs = 0;
  let dispatching = 0;
  let text = '';
  const { model } = await insideExtension();
  const grown = await growth({
    ours: async () => {
      const { thread_id } = await stopInLarge(language, 'output', LINES);
      const dispatch = model.dispatch.bind(model);
      model.dispatch = (event) => {
        const began = performance.now();
        dispatch(event);
        dispatching += (performance.now() - began) / 1000;
      };
      seconds = (await timed(async () => (text = await answerText('continue_debugging', { thread_id, timeout_seconds: 300 })))) / 1000;
      model.dispatch = dispatch;
      stopIn(text);
    },
    theirs: async (without) => {
      const { started: threadId, raw } = await withRawClient(() => without.start(language, 'output', LINES), (each) => each);
      const stopped = raw.event('stopped');
      secondsWithoutUs =
        (await timed(async () => {
          await raw.request('continue', { threadId });
          await stopped;
        })) / 1000;
    },
    clear: cleanUp,
  });
  report.text(`${LINES.toLocaleString('en-US')} lines of output on ${language.name}, as fast as the program and its adapter go, between two stops.`);
  report.table(
    ['seconds', 'lines a second', 'seconds in our tracker', 'seconds without us', 'characters', 'heap', 'without us', 'ours', 'ours after the end'],
    [[String(seconds.toFixed(2)), LINES / seconds, dispatching, secondsWithoutUs, text.length, ...heapCells(grown)]],
  );
}

/** Many programs at once, each stopped. */
async function manySessions(report: Report, language: Language): Promise<void> {
  const rows = [];
  for (const count of SESSIONS) {
    progress(`${language.name}: ${count} sessions`);
    const { found, ...grown } = await growth({
      ours: async () => {
        const stops: StopData[] = [];
        while (stops.length < count) stops.push(await stopInLarge(language, 'small'));
        const times: number[] = [];
        for (const { thread_id, session_id } of stops.slice(-STEPS)) {
          for (let step = 0; step < Math.ceil(STEPS / Math.min(STEPS, count)); step += 1) times.push(await timed(() => call('step_execution', { thread_id, session_id, step_type: 'over' })));
        }
        let state = '';
        const look = await timed(async () => (state = await answerText('get_debug_state', {})));
        return { step: median(times), look, characters: state.length };
      },
      theirs: async (without) => {
        for (let session = 0; session < count; session += 1) await without.start(language, 'small', 0);
      },
      clear: cleanUp,
    });
    rows.push([String(count), found.step, found.look, found.characters, ...heapCells(grown)]);
  }
  report.text(`Many sessions on ${language.name}, all stopped: a step in one of them and get_debug_state through VS Code’s tools, in milliseconds.`);
  report.table(['sessions', 'step', 'get_debug_state', 'its characters', 'heap', 'without us', 'ours', 'ours after the end'], rows);
}

function heapCells({ held, heldWithoutUs, left, leftWithoutUs }: Growth): number[] {
  return [held, heldWithoutUs, held - heldWithoutUs, left - leftWithoutUs];
}

/** Does the same with the extension and without. */
async function growth<T>({ ours, theirs, clear }: Work<T>): Promise<Growth & { readonly found: T }> {
  const before = await heldMemory();
  const found = await ours();
  const held = (await heldMemory()) - before;
  await clear();
  const left = (await heldMemory()) - before;
  const without = await WithoutUs.begin();
  const beforeTheirs = await heldMemory();
  await theirs(without);
  const heldWithoutUs = (await heldMemory()) - beforeTheirs;
  await without.clear();
  const leftWithoutUs = (await heldMemory()) - beforeTheirs;
  without.end();
  return { found, held, heldWithoutUs, left, leftWithoutUs };
}

/** Starts a program and finds the connection that VS Code has to its adapter. */
async function withRawClient<T>(start: () => Promise<T>, threadOf: (started: T) => number): Promise<{ started: T; raw: RawClient }> {
  const watched = watchConnections();
  const started = await start();
  watched.restore();
  const raw = await clientWith(watched.connections().map((each) => new RawClient(each)), threadOf(started));
  return { started, raw };
}
