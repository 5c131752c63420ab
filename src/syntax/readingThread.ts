import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { BoundedSet } from '../util/boundedSet';
import { fields, textOf } from '../debugger/protocol';

/** What the thread answers. Neither member is there if the result is too large. */
export interface Answer {
  /** The result, as `node:v8` serializes it. */
  readonly result?: Uint8Array | undefined;
  readonly error?: string | undefined;
}

/** What the thread is started with. */
export interface ReadingData {
  /** The folder of the grammars, if they are not in the installed package. */
  readonly grammars?: string;
}

export interface ReadingLimits {
  /** The time in milliseconds after which a text is given up. */
  readonly time: number;
  /**
   * The processor time of the whole process, in milliseconds, that the thread must have had in that time at least.
   * Otherwise the machine is busy with others, and the time is given again, three times at most.
   */
  readonly processor: number;
  /** The memory of the thread in megabytes. */
  readonly memory: number;
}

const LIMITS: ReadingLimits = { time: 6000, processor: 4000, memory: 512 };

/** How often the time is given to one text on a busy machine. */
const MAX_TIMES = 3;

/** A thread that reads texts, one after the other. It starts with the first text. */
export class ReadingThread {
  private worker: Worker | undefined;
  private last: Promise<unknown> = Promise.resolve();
  /** The hashes of what was given up, so that it costs the time once. */
  private readonly givenUp = new BoundedSet<string>(100);

  constructor(
    private readonly file: string,
    private readonly data: ReadingData,
    private readonly limits: ReadingLimits = LIMITS,
  ) {}

  /** Calls a reader of the thread. See `inThread`. */
  async read(name: string, args: readonly unknown[]): Promise<unknown> {
    const turn = this.last.then(() => this.answered(name, args));
    this.last = turn.catch(() => undefined);
    return await turn;
  }

  async end(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private async answered(name: string, args: readonly unknown[]): Promise<unknown> {
    const hash = createHash('sha256')
      .update(JSON.stringify([name, args]))
      .digest('hex');
    if (this.givenUp.has(hash)) return undefined;
    const answer = await this.answer(name, args);
    if (answer === undefined) {
      this.givenUp.add(hash);
      await this.end();
      return undefined;
    }
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.result === undefined ? undefined : deserialize(answer.result);
  }

  /** Returns undefined if the limits were reached. The thread must then be ended. */
  private async answer(name: string, args: readonly unknown[]): Promise<Answer | undefined> {
    const worker = (this.worker ??= this.started());
    const over = new AbortController();
    // The process does not end while somebody waits for the answer.
    worker.ref();
    try {
      // It rejects with the error of a thread that cannot start, or has no memory left.
      const answered = once(worker, 'message', { signal: over.signal });
      worker.postMessage({ name, args });
      return await Promise.race([
        answered.then(([message]) => answerOf(message)),
        this.limit(over.signal),
      ]);
    } catch (error) {
      this.worker = undefined;
      if (fields(error)['code'] === 'ERR_WORKER_OUT_OF_MEMORY') return undefined;
      throw error;
    } finally {
      over.abort();
      worker.unref();
    }
  }

  private started(): Worker {
    return new Worker(this.file, {
      workerData: this.data,
      // Nothing that the host itself was started with, such as a module to load first.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.limits.memory },
    });
  }

  /** Resolves when the time for a text is over. */
  private limit(signal: AbortSignal): Promise<undefined> {
    const { time, processor } = this.limits;
    return new Promise((resolve) => {
      const wait = (times: number): void => {
        const before = process.cpuUsage();
        const timer = setTimeout(() => {
          const { user, system } = process.cpuUsage(before);
          if ((user + system) / 1000 < processor && times < MAX_TIMES) wait(times + 1);
          else resolve(undefined);
        }, time);
        signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
      };
      wait(1);
    });
  }
}

function answerOf(message: unknown): Answer {
  const { result, error } = fields(message);
  return { result: result instanceof Uint8Array ? result : undefined, error: textOf(error) };
}
