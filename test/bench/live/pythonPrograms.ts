import type { LiveProgram } from './liveProgram';

const python = (file: string, program: Omit<LiveProgram, 'language' | 'file'>): LiveProgram => ({
  language: 'Python',
  file: `python/${file}.py`,
  ...program,
});

/** How long a program may take before it counts as one that hangs. */
const PATIENCE = 5;

/** A seed with which the race shows. About one of twenty does. */
const SEED = '13';

/** Starts a program that does nothing, asks what it waits for, and ends it. */
const explained: LiveProgram['byTools'] = async (agent) => {
  await agent.tell('explain_hang', { program: agent.file, wait_seconds: PATIENCE });
};

export const PYTHON_PROGRAMS: readonly LiveProgram[] = [
  // The program never ends.
  python('ledgers', {
    title: 'deadlock of two locks',
    shows: (line) => {
      const [one, other] = [waitsAt('book', line('one')), waitsAt('close', line('other'))];
      return new RegExp(`(?:${one})[^]*(?:${other})|(?:${other})[^]*(?:${one})`);
    },
    byTools: explained,
    byShell: async (agent) => {
      agent.read();
      await agent.run(`timeout -s ABRT ${PATIENCE} python3 -X faulthandler ${agent.file}`);
    },
  }),
  // The program serves nothing after its start.
  python('warmup', {
    title: 'asyncio task that is never awaited',
    shows: () => /warm\b[^]*never.awaited|never.awaited[^]*warm\b/,
    byTools: explained,
    byShell: async (agent) => {
      agent.read();
      // The interrupt lets Python end, and warn of what it has not run.
      await agent.run(`timeout -s INT ${PATIENCE} python3 -X dev ${agent.file}`);
    },
  }),
  // One of twelve orders is not packed.
  python('orders', {
    title: 'worker queue that loses a job',
    // It is put back behind the end of the queue.
    shows: () => /K-9\b[^]*None\]|None\][^]*K-9\b/,
    byTools: async (agent) => {
      agent.read();
      await agent.tell('collect_values', {
        program: agent.file,
        probes: [
          {
            file_path: agent.file,
            line: agent.line('cause'),
            expressions: ['order', 'list(self.jobs.queue)'],
          },
        ],
      });
    },
    byShell: async (agent) => {
      agent.read();
      agent.edit(
        '                self.jobs.put(order)',
        "                print('put back', order, list(self.jobs.queue))\n                self.jobs.put(order)",
      );
      await agent.run(`python3 ${agent.file}`);
      await agent.undo();
    },
  }),
  // With one of about twenty seeds, the stock is wrong.
  python('stock', {
    title: 'race',
    // The value that was read, and that there meanwhile is another.
    shows: () => /\b1310\b.{1,40}\b1298\b/,
    byTools: async (agent) => {
      agent.read();
      await agent.tell('collect_values', {
        ...{ program: agent.file, args: [SEED] },
        probes: [
          {
            file_path: agent.file,
            line: agent.line('cause'),
            expressions: ['amount', 'before', 'stock[article]'],
          },
        ],
      });
    },
    byShell: async (agent) => {
      agent.read();
      agent.edit(
        '    stock[article] = before',
        '    print(amount, before, stock[article])\n    stock[article] = before',
      );
      await agent.run(`python3 ${agent.file} ${SEED}`);
      await agent.undo();
    },
  }),
];

/** A pattern for a stack that waits at a line of a function: of our answer, or of Python's own dump. */
function waitsAt(name: string, line: number): string {
  return `line ${line} in ${name}|${name} \\([^)]*:${line}\\)`;
}
