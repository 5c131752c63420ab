import type { DebugEvent } from '../../src/debugger/state/state';
import { readMessage } from '../../src/debugger/protocol';
import { call, cleanUp, insideExtension } from '../host/support/client';
import { LANGUAGES, stopInLarge, stopInWork, type Language } from './calling';
import { quantile } from './measuring';
import type { Report } from './report';

/** The maximum median time of a message in the tracker, in microseconds. */
const MAX_MICROSECONDS = 50;

const STEPS = 40;
const STEPS_AMID = 10;
const LINES = 20_000;

/** One of this number of messages is used for a control and not measured. */
const CONTROL_EVERY = 5;

/** Measures the extension host's time for each message that the tracker receives, in real sessions. */
export async function tracker(report: Report): Promise<void> {
  report.part('tracker');
  const rows = [];
  for (const language of LANGUAGES) {
    rows.push(
      await measured(report, language, `${STEPS} steps`, async () => {
        const { thread_id } = await stopInWork(language);
        for (let step = 0; step < STEPS; step += 1)
          await call('step_execution', { thread_id, step_type: 'over' });
      }),
    );
    rows.push(
      await measured(
        report,
        language,
        `${LINES.toLocaleString('en-US')} lines of output`,
        async () => {
          const { thread_id } = await stopInLarge(language, 'output', LINES);
          await call('continue_debugging', { thread_id, timeout_seconds: 120 });
        },
      ),
    );
    rows.push(
      await measured(report, language, `${STEPS_AMID} steps amid large values`, async () => {
        const { thread_id } = await stopInLarge(language, 'amid');
        for (let step = 0; step < STEPS_AMID; step += 1)
          await call('step_execution', { thread_id, step_type: 'over' });
      }),
    );
  }
  report.text(
    'Time in the tracker for a message between VS Code and an adapter, in microseconds, in whole sessions from start to end. Messages come after pauses, with cold caches: the control is one JSON.stringify of a small request in the place of every fifth. A look, and an answer to one that nobody waits for, is read with the next message, which is in these times, or when a call asks, which is not.',
  );
  report.table(
    ['session', 'messages', 'median', 'control', '99 of 100', 'longest', 'longest at', 'aim'],
    rows,
  );
}

async function measured(
  report: Report,
  language: Language,
  what: string,
  session: () => Promise<void>,
): Promise<(string | number)[]> {
  const { model } = await insideExtension();
  const times: { microseconds: number; message: string }[] = [];
  const controls: number[] = [];
  let messages = 0;
  // The tracker's callbacks do nothing except this one call.
  const dispatch = model.dispatch.bind(model);
  model.dispatch = (event: DebugEvent): void => {
    messages += 1;
    if (messages % CONTROL_EVERY === 0) {
      controls.push(control());
      dispatch(event);
      return;
    }
    const started = performance.now();
    dispatch(event);
    times.push({ microseconds: (performance.now() - started) * 1000, message: nameOf(event) });
  };
  try {
    await session();
    await cleanUp();
  } finally {
    model.dispatch = dispatch;
  }
  const values = times.map((each) => each.microseconds);
  const median = quantile(values, 0.5);
  const title = `${language.name}: ${what}`;
  const longest = [...times].sort((one, other) => other.microseconds - one.microseconds)[0];
  return [
    title,
    messages,
    median,
    quantile(controls, 0.5),
    quantile(values, 0.99),
    longest?.microseconds ?? Number.NaN,
    longest?.message ?? '',
    report.aim(`${title}, microseconds a message`, median, { most: MAX_MICROSECONDS }),
  ];
}

/** The time of minimal work after a pause, with cold processor caches, in microseconds: nothing can be faster. */
function control(): number {
  const started = performance.now();
  JSON.stringify({
    seq: messageNumber,
    type: 'request',
    command: 'stackTrace',
    arguments: { threadId: 1, startFrame: 0, levels: 20 },
  });
  messageNumber += 1;
  return (performance.now() - started) * 1000;
}

let messageNumber = 0;

function nameOf(event: DebugEvent): string {
  if (event.type !== 'toAdapter' && event.type !== 'fromAdapter') return event.type;
  const message = readMessage(event.message);
  if (message === undefined) return 'no message';
  return message.type === 'event' ? message.event : `${message.type} ${message.command}`;
}
