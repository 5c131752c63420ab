import { fields } from '../../src/debugger/protocol';
import type { DebugEvent } from '../../src/debugger/state/state';
import { cleanUp, insideExtension } from '../host/support/client';
import { answerText, LANGUAGES, progress, stopIn, stopInLarge, type Language } from './calling';
import { growth, heapCells, HEAP_HEADS } from './growth';
import { timed } from './measuring';
import { withRawClient } from './rawClient';
import type { Report } from './report';

/** The number of lines that a program prints as fast as it can. */
const LINES = 100_000;

/** Measures many lines of output, with the extension and without. */
export async function output(report: Report): Promise<void> {
  report.part('output');
  const rows = [];
  for (const language of LANGUAGES) rows.push(await printing(language));
  report.text(
    `${LINES.toLocaleString('en-US')} lines of output, as fast as the program and its adapter go, between two stops: in seconds and MB. A raw client’s look goes to the adapter directly; ours goes through VS Code’s workbench, which draws the lines meanwhile.`,
  );
  report.table(
    [
      '',
      'until the stop',
      'our answer',
      'in our tracker',
      'stop without us',
      'raw look without us',
      'lines a second',
      'characters',
      ...HEAP_HEADS,
    ],
    rows,
  );
}

/** Measures a program that prints as fast as it can between two stops. */
async function printing(language: Language): Promise<readonly (string | number)[]> {
  progress(`${language.name}: ${LINES} lines of output`);
  let seconds = 0;
  let secondsToStop = 0;
  let secondsWithoutUs = 0;
  let secondsToLook = 0;
  let dispatching = 0;
  let text = '';
  const { model } = await insideExtension();
  const grown = await growth({
    ours: async () => {
      const { thread_id } = await stopInLarge(language, 'output', LINES);
      const dispatch = model.dispatch.bind(model);
      const continued = performance.now();
      model.dispatch = (event) => {
        const began = performance.now();
        dispatch(event);
        if (isStopped(event)) secondsToStop = (began - continued) / 1000;
        dispatching += (performance.now() - began) / 1000;
      };
      seconds =
        (await timed(
          async () =>
            (text = await answerText('continue_debugging', { thread_id, timeout_seconds: 300 })),
        )) / 1000;
      model.dispatch = dispatch;
      stopIn(text);
    },
    theirs: async (without) => {
      const { started: threadId, raw } = await withRawClient(
        () => without.start(language, 'output', LINES),
        (each) => each,
      );
      const stopped = raw.event('stopped');
      const continued = performance.now();
      await raw.request('continue', { threadId });
      await stopped;
      secondsWithoutUs = (performance.now() - continued) / 1000;
      await raw.look(threadId);
      secondsToLook = (performance.now() - continued) / 1000;
    },
    clear: cleanUp,
    isTimed: true,
  });
  return [
    language.name,
    secondsToStop,
    seconds,
    dispatching,
    secondsWithoutUs,
    secondsToLook,
    LINES / secondsToStop,
    text.length,
    ...heapCells(grown),
  ];
}

function isStopped(event: DebugEvent): boolean {
  return event.type === 'fromAdapter' && fields(event.message)['event'] === 'stopped';
}
