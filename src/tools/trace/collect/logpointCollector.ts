import { randomBytes } from 'node:crypto';
import type { Injection } from '../../../control/injectedBreakpoints';
import type { InjectedPoint } from '../../../control/injectedLists';
import { adapterOf } from '../../../debugger/adapters/registry';
import { injectedMessage } from '../../../debugger/breakpoints/injectedLines';
import type { InjectedLine } from '../../../debugger/breakpoints/injectedOutput';
import type { SessionState } from '../../../debugger/state/state';
import { cutText } from '../../../debugger/texts';
import type { PlacedPoint } from '../../../recording/recording';
import {
  HitNumbers,
  type Collector,
  type CollectorOptions,
  type Hit,
  type StopVerdict,
} from './collector';
import { isOfRun } from '../reach';
import { isPlainPath, type Probe } from './probes';

const MAX_OF_A_VALUE = 300;

/**
 * Whether logpoints can collect everything. They can collect only plain variables, with one probe per line. LLDB's
 * logpoints print a vector as `size=3`, and a structure as an address. Its script prints their members.
 */
export function canLog({ type, probes, stopAtRefuted }: LogpointOptions): boolean {
  const places = new Set(probes.map((probe) => `${probe.path}:${probe.line}`));
  return (
    adapterOf(type).logsPlainVariables === true &&
    adapterOf(type).lldbCommand === undefined &&
    !stopAtRefuted &&
    places.size === probes.length &&
    probes.every(
      ({ condition, expect, expressions }) =>
        condition === undefined && expect === undefined && expressions.every(isPlainPath),
    )
  );
}

export interface LogpointOptions extends Pick<CollectorOptions, 'probes' | 'stopAtRefuted'> {
  readonly type: string;
}

/**
 * Collects without stopping, by means of logpoints that print plain variables. It is for debuggers without a recorder.
 */
export class LogpointCollector implements Collector {
  readonly hits: Hit[] = [];
  readonly stopsAtHits = false;
  readonly lost = 0;
  private readonly nonce = randomBytes(8).toString('hex');
  private readonly numbers = new HitNumbers();
  private readonly injection: Injection;
  private readonly subscription: { dispose(): void };

  private constructor(private readonly options: CollectorOptions) {
    const { services, probes } = options;
    const points = probes.map(({ id, path, line, column, expressions }): InjectedPoint => ({
      path,
      line,
      column,
      logMessage: injectedMessage(this.nonce, id, expressions),
    }));
    this.subscription = services.injected.output.onLine(this.nonce, (line) => this.take(line));
    this.injection = services.injected.inject((session) =>
      isOfRun(options, session) ? points : [],
    );
  }

  static async start(options: CollectorOptions): Promise<LogpointCollector> {
    const collector = new LogpointCollector(options);
    await collector.injection.placed;
    return collector;
  }

  get isFull(): boolean {
    return this.hits.length >= this.options.maxHits;
  }

  passes(): number {
    return 0;
  }

  hasReached(): boolean {
    return false;
  }

  failure(): undefined {
    return undefined;
  }

  placedIn(session: SessionState, probe: Probe): PlacedPoint {
    return (
      this.injection.answeredIn(session)[this.options.probes.indexOf(probe)] ?? {
        kind: 'unanswered',
      }
    );
  }

  judge(): Promise<StopVerdict> {
    return Promise.resolve('foreign');
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }

  async dispose(): Promise<void> {
    await this.injection.dispose();
    this.subscription.dispose();
  }

  private take({ point, values }: InjectedLine): void {
    if (this.isFull) return;
    const probe = this.options.probes.find(({ id }) => id === point);
    if (probe === undefined) return;
    this.hits.push({
      probe: probe.id,
      number: this.numbers.next(probe.id),
      thread: '',
      caller: undefined,
      values: probe.expressions.map((_, index) => {
        const text = values[index];
        return text === undefined ? undefined : cutText(text, MAX_OF_A_VALUE);
      }),
      claim: undefined,
      stack: undefined,
    });
    this.options.onHits();
  }
}
