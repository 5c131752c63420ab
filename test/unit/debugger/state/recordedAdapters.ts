/** The outcome of an adapter's session according to the recording. */
export interface Expected {
  /** Each stop: its reason, description and text, the thread that it names, and the adapter's breakpoints that it hit. */
  readonly stops: readonly (readonly [
    reason: string,
    description: string | undefined,
    text: string | undefined,
    threadId: number,
    hits: readonly number[] | undefined,
  ])[];
  /** The threads at the last stop. */
  readonly threads: readonly string[];
  /** The ids of those that are stopped. */
  readonly held: readonly number[];
  /** The number of `continued` events that the adapter sent. */
  readonly continued: number;
  readonly exitCode: number | undefined;
  readonly end: string;
}

const NOTHING: Expected = {
  stops: [],
  threads: [],
  held: [],
  continued: 0,
  exitCode: undefined,
  end: 'terminated',
};

const GO = ['[Go 2] runtime.gopark', '[Go 3] runtime.gopark', '[Go 4] runtime.gopark'];
const JAVA = [
  '[main]',
  '[Reference Handler]',
  '[Finalizer]',
  '[Signal Dispatcher]',
  '[Notification Thread]',
  '[Common-Cleaner]',
].map((name) => `Thread ${name}`);

/** The outcomes of the sessions in each recording. */
export const EXPECTED: ReadonlyMap<string, readonly Expected[]> = new Map([
  [
    'debugpy.jsonl',
    [
      {
        stops: [
          ['breakpoint', undefined, undefined, 1, undefined],
          ['step', undefined, undefined, 1, undefined],
          ['step', undefined, undefined, 1, undefined],
          ['step', undefined, undefined, 1, undefined],
        ],
        threads: ['MainThread'],
        held: [1],
        continued: 3,
        exitCode: 247,
        end: 'terminated',
      },
      {
        stops: [['exception', 'broken on purpose', 'ValueError', 1, undefined]],
        threads: ['MainThread'],
        held: [1],
        continued: 0,
        exitCode: 247,
        end: 'terminated',
      },
      {
        stops: [
          ['breakpoint', undefined, undefined, 2, undefined],
          ['breakpoint', undefined, undefined, 6, undefined],
        ],
        threads: ['MainThread', 'Thread-7 (worker)'],
        held: [1, 6],
        continued: 1,
        exitCode: 247,
        end: 'terminated',
      },
    ],
  ],
  [
    'delve.jsonl',
    [
      {
        stops: [
          ['breakpoint', undefined, undefined, 1, [1]],
          ['step', undefined, undefined, 1, undefined],
          ['step', undefined, undefined, 1, undefined],
          ['step', undefined, undefined, 1, undefined],
        ],
        threads: ['* [Go 1] main.run (Thread 19028)', ...GO, '[Go 17] runtime.gopark'],
        held: [1, 2, 3, 4, 17],
        continued: 3,
        exitCode: undefined,
        end: 'terminated',
      },
      {
        stops: [['exception', 'panic', '"broken on purpose"', 1, [-1]]],
        threads: ['* [Go 1] main.fail (Thread 19119)', ...GO, '[Go 17] runtime.gopark'],
        held: [1, 2, 3, 4, 17],
        continued: 0,
        exitCode: undefined,
        end: 'terminated',
      },
      {
        stops: [
          ['breakpoint', undefined, undefined, 18, [1]],
          ['breakpoint', undefined, undefined, 19, [1]],
        ],
        threads: [
          '[Go 1] sync.runtime_Semacquire',
          ...GO,
          '[Go 17] runtime.runfinq',
          '* [Go 19] main.worker (Thread 19172)',
        ],
        held: [1, 2, 3, 4, 17, 19],
        continued: 0,
        exitCode: undefined,
        end: 'terminated',
      },
    ],
  ],
  [
    'java-debug.jsonl',
    [
      {
        stops: [
          ['breakpoint', undefined, undefined, 1, undefined],
          ['step', undefined, undefined, 1, undefined],
          ['step', undefined, undefined, 1, undefined],
          ['step', undefined, undefined, 1, undefined],
        ],
        threads: JAVA,
        held: [1],
        continued: 0,
        exitCode: undefined,
        end: 'terminated',
      },
      {
        stops: [['exception', undefined, undefined, 1, undefined]],
        threads: JAVA,
        held: [1],
        continued: 0,
        exitCode: undefined,
        end: 'terminated',
      },
      {
        stops: [
          ['breakpoint', undefined, undefined, 10, undefined],
          ['breakpoint', undefined, undefined, 13, undefined],
        ],
        threads: [...JAVA, 'Thread [Thread-1]'],
        held: [13],
        continued: 0,
        exitCode: undefined,
        end: 'terminated',
      },
    ],
  ],
  [
    'js-debug.jsonl',
    [
      NOTHING,
      {
        stops: [
          ['breakpoint', 'Paused on breakpoint', undefined, 0, [0]],
          ['step', 'Paused', undefined, 0, undefined],
          ['step', 'Paused', undefined, 0, undefined],
          ['step', 'Paused', undefined, 0, undefined],
          ['breakpoint', 'Paused on breakpoint', undefined, 0, [0]],
        ],
        threads: ['loop.js [16238]'],
        held: [0],
        continued: 5,
        exitCode: undefined,
        end: 'terminated',
      },
      NOTHING,
      {
        stops: [
          ['breakpoint', 'Paused on breakpoint', undefined, 1, [0]],
          ['breakpoint', 'Paused on breakpoint', undefined, 1, [1]],
        ],
        threads: ['loop.js [16301]'],
        held: [1],
        continued: 1,
        exitCode: undefined,
        end: 'terminated',
      },
    ],
  ],
  [
    'lldb-dap.jsonl',
    [
      {
        stops: [
          ['breakpoint', 'breakpoint 1.1', undefined, 18765, [1]],
          ['step', 'step in', undefined, 18765, undefined],
          ['step', 'step out', undefined, 18765, undefined],
          ['step', 'step over', undefined, 18765, undefined],
        ],
        threads: ['scenario'],
        held: [18765],
        continued: 3,
        exitCode: 9,
        end: 'terminated',
      },
      {
        stops: [['exception', 'signal SIGABRT', undefined, 18865, undefined]],
        threads: ['scenario'],
        held: [18865],
        continued: 0,
        exitCode: 9,
        end: 'terminated',
      },
      {
        stops: [
          ['breakpoint', 'breakpoint 1.1', undefined, 18915, [1]],
          ['breakpoint', 'breakpoint 1.1', undefined, 18923, [1]],
        ],
        threads: ['scenario', 'scenario'],
        held: [18912, 18923],
        continued: 1,
        exitCode: 9,
        end: 'terminated',
      },
    ],
  ],
]);
