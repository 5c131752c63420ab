import { strict as assert } from 'node:assert';
import { PassedStops } from '../../../src/control/passedStops';
import { ask } from '../support/asking';
import { ended, eventOf, launched } from '../support/events';
import { Random } from '../support/random';
import { PROBE, probeOf, scripted, value } from '../tools/trace/collect/stoppingPrograms';
import { bench, type Bench } from '../support/services';

/** The signals of Linux whose default is to be ignored, or that programs use for their daily work. */
const DAILY = [
  'USR1',
  'USR2',
  'ALRM',
  'VTALRM',
  'PROF',
  'CHLD',
  'CONT',
  'IO',
  'URG',
  'WINCH',
] as const;
const FATAL = ['SEGV', 'ABRT', 'BUS', 'FPE', 'ILL', 'SYS', 'TRAP', 'QUIT', 'XCPU'] as const;

interface Stop {
  readonly kind: 'hit' | 'daily' | 'fatal';
  readonly reason: string;
  readonly description?: string;
}

function stopOf(random: Random): Stop {
  const kind = random.of(['hit', 'hit', 'daily', 'daily', 'daily', 'fatal'] as const);
  if (kind === 'hit') return { kind, reason: 'breakpoint' };
  const name = random.of(kind === 'daily' ? DAILY : FATAL);
  return { kind, reason: 'exception', description: `signal SIG${name}` };
}

/** A native program whose debugger runs no scripts. */
function native(): Bench {
  const on = bench();
  for (const event of launched('a', { sessionType: 'lldb-dap' })) on.model.dispatch(event);
  on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }));
  return scripted(on, (expression) => value(expression.startsWith('`') ? '' : 'true'));
}

/** A native program that stops so, one after the other, whenever it is continued, and then ends. */
function stopping(stops: readonly Stop[]): Bench {
  const on = native();
  let passed = 0;
  const goOn = (): void => {
    const stop = stops[passed];
    passed += 1;
    if (stop === undefined) on.model.dispatch(ended());
    else on.host.emit('stopped', { ...stop, threadId: 1 });
  };
  on.host.on('continue', () => {
    setImmediate(goOn);
    return {};
  });
  on.host.on('stackTrace', () => ({
    stackFrames: [{ id: 10, name: 'main', line: 3, column: 1, source: { path: PROBE.file_path } }],
    totalFrames: 1,
  }));
  const { control } = on.services;
  const next = control.next.bind(control);
  let isFirst = true;
  control.next = (...given) => {
    const wait = next(...given);
    if (isFirst) setImmediate(goOn);
    isFirst = false;
    return wait;
  };
  return on;
}

describe('rules 3 and 8: a foreign stop', () => {
  it('is no end of a collection, is counted, and hides no fault behind it', async () => {
    const random = new Random(8);
    let faults = 0;
    for (let round = 0; round < 40; round += 1) {
      const stops = random.some(8, () => stopOf(random));
      const answer = await ask(stopping(stops), 'collect_values', { probes: [PROBE] });
      const text = JSON.stringify([stops, answer]);
      const end = stops.findIndex(({ kind }) => kind === 'fatal');
      const seen = end < 0 ? stops : stops.slice(0, end);
      if (end >= 0) faults += 1;
      assert.equal(answer['ended_by'], end < 0 ? 'program_end' : 'exception', text);
      const hits = seen.filter(({ kind }) => kind === 'hit').length;
      assert.deepEqual([answer['hits'], probeOf(answer)['hits']], [hits, hits], text);
      const passed = new Map<string, number>();
      for (const { kind, description = '' } of seen)
        if (kind === 'daily') passed.set(description, (passed.get(description) ?? 0) + 1);
      assert.deepEqual(
        answer['passed_stops'],
        passed.size === 0 ? undefined : Object.fromEntries(passed),
        text,
      );
    }
    assert.ok(faults > 10, String(faults));
  });

  it('is decided by the debugger’s own words, and only by those', () => {
    const stops = new PassedStops();
    const session = native().session();
    const random = new Random(9);
    for (let round = 0; round < 300; round += 1) {
      const { kind, reason, description = 'breakpoint 1.1' } = stopOf(random);
      const around = random.of(['', ' ', 'x', '\n']);
      const isWhole = around === '' || random.once(2);
      const words = isWhole ? description : description + around;
      const isSignal = random.once(3) ? 'breakpoint' : reason;
      const stop = { reason: isSignal, description: words, text: undefined };
      const isDaily = kind === 'daily' && isSignal === 'exception' && words === description;
      assert.equal(stops.nameOf(session, stop), isDaily ? description : undefined, words);
      assert.equal(stops.nameOf(undefined, stop), undefined);
    }
    assert.equal(stops.shown, undefined, 'a name alone counts nothing');
  });
});
