import * as vscode from 'vscode';
import { fields } from '../../src/debugger/protocol';
import { cleanUp, insideExtension } from '../host/support/client';
import { startAlone } from './adapterAlone';
import { answerText, LANGUAGES, progress, stopIn, stopInWork, type Language } from './calling';
import { McpClient } from './mcpClient';
import { median, timed } from './measuring';
import { withRawClient, type Message } from './rawClient';
import type { Report } from './report';
import { PhaseClock, type Phases } from './stepPhases';

/** The maximum ratio of a step through the tools to a raw client's step and reads. */
const MAX_RATIO = 1.15;

/** The number of measured rounds, each with one step of each kind. */
const ROUNDS = Number(process.env['AGENT_DEBUGGER_BENCH_ROUNDS'] ?? 24);
const WARM_UP = 4;

/** VS Code has no event for the end of drawing: it is assumed when the adapter has sent nothing for this time. */
const REST_MS = 500;

/** One way to make a step, and the times of its steps. */
interface Way {
  readonly name: string;
  readonly times: number[];
  readonly phases: Phases[];
  /** Makes a step. @returns its milliseconds as measured by the caller */
  step(): Promise<number>;
}

/**
 * Measures a step through VS Code's tools and through the MCP server, compared with a raw client's step in the same
 * session. All have the same program, adapter and load, in an order that changes from round to round.
 */
export async function steps(report: Report): Promise<void> {
  report.part('steps');
  for (const language of LANGUAGES) {
    const { started: stop, raw } = await withRawClient(
      () => stopInWork(language),
      (each) => each.thread_id,
    );
    const alone = await startAlone(language);
    const mcp = await McpClient.start();
    const { model } = await insideExtension();
    const clock = new PhaseClock(model);
    const session = vscode.debug.activeDebugSession;
    if (session === undefined) throw new Error('VS Code shows no session');
    const viaVsCode = async (command: string, args: object): Promise<Message> =>
      fields(await session.customRequest(command, args));
    const ways = (): readonly Way[] => {
      const through = (
        name: string,
        call: () => Promise<{ text: string; milliseconds: number }>,
      ): Way => {
        const phases: Phases[] = [];
        const step = async (): Promise<number> => {
          clock.begin();
          const { text, milliseconds } = await call();
          phases.push(clock.end());
          stopIn(text);
          return milliseconds;
        };
        return { name, times: [], phases, step };
      };
      const input = { thread_id: stop.thread_id, step_type: 'over' };
      const own = async (): Promise<{ text: string; milliseconds: number }> => {
        let text = '';
        const milliseconds = await timed(
          async () => (text = await answerText('step_execution', input)),
        );
        return { text, milliseconds };
      };
      const direct = (name: string, action: () => Promise<void>): Way => ({
        name,
        times: [],
        phases: [],
        step: () => timed(action),
      });
      return [
        through(TOOLS, own),
        through(MCP, () => mcp.call('step_execution', input)),
        direct(LOOK, () => raw.stepAndLook(stop.thread_id)),
        direct(BARE, () => raw.step(stop.thread_id)),
        direct(API, () => raw.stepAndLookBy(viaVsCode, stop.thread_id)),
        ...(alone === undefined
          ? []
          : [direct(ALONE, () => alone.client.stepAndLook(alone.threadId))]),
      ];
    };
    progress(`${language.name}: steps`);
    await compare(report, language, `from rest (the adapter still for ${REST_MS} ms)`, ways(), () =>
      raw.quiet(REST_MS),
    );
    await compare(report, language, 'back to back', ways(), async () => undefined);
    await Promise.all([mcp.stop(), alone?.stop()]);
    await cleanUp();
  }
}

const TOOLS = 'step_execution, VS Code’s tools';
const MCP = 'step_execution, MCP server';
const LOOK = 'raw client: next, stopped, stack, scopes, variables';
const BARE = 'raw client: next, stopped';
const API = 'the same requests through VS Code’s API';
const ALONE = 'raw client with an adapter of its own, no VS Code';

async function compare(
  report: Report,
  { name }: Language,
  how: string,
  ways: readonly Way[],
  rest: () => Promise<void>,
): Promise<void> {
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    for (const way of shuffled(ways, round)) {
      await rest();
      const milliseconds = await way.step();
      if (round >= WARM_UP) way.times.push(milliseconds);
    }
  }
  const typical = (expected: string): number =>
    median(ways.find((way) => way.name === expected)?.times ?? []);
  report.text(`A step on ${name}, ${how}: medians of ${ROUNDS} in milliseconds.`);
  const aimed = (way: Way, ratio: number): string =>
    way.phases.length === 0
      ? ''
      : report.aim(`${name}, ${way.name}, ${how}: ratio`, ratio, { most: MAX_RATIO });
  report.table(
    ['step', 'ms', 'to raw step and look', 'to raw next alone', 'to VS Code’s API', 'aim'],
    ways.map((way) => [
      way.name,
      typical(way.name),
      typical(way.name) / typical(LOOK),
      typical(way.name) / typical(BARE),
      typical(way.name) / typical(API),
      aimed(way, typical(way.name) / typical(LOOK)),
    ]),
  );
  report.text(
    'Where a step’s time goes, medians in milliseconds: until the request leaves for the adapter; until the adapter has stopped; until it has answered the last look; until the caller has the answer.',
  );
  report.table(
    ['step', 'there', 'step', 'looks', 'back'],
    ways
      .filter((way) => way.phases.length > 0)
      .map(({ name: way, phases }) => [
        way,
        ...(['there', 'step', 'looks', 'back'] as const).map((phase) =>
          median(phases.slice(WARM_UP).map((each) => each[phase])),
        ),
      ]),
  );
}

/** Changes the order with each round, so that no way always follows the same other or always steps the same line. */
function shuffled<T>(entries: readonly T[], round: number): T[] {
  const left = [...entries];
  const order: T[] = [];
  for (let rest = round; left.length > 0;) {
    order.push(...left.splice(rest % left.length, 1));
    rest = Math.floor(rest / (left.length + 1));
  }
  return order;
}
