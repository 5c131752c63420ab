import { strict as assert } from 'node:assert';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { PersonsAnswer } from '../../../src/mcp/server/confirmation';
import { Failure } from '../../../src/results/failure';
import { RunningServer } from '../../unit/mcp/support/server';
import { bench, FILE, type Bench } from '../../unit/support/services';

type Answer = Record<string, unknown> & { readonly status: string };

/** The MCP server with VS Code's question before each call, and a record of the questions. */
class Questioned {
  readonly asked: { readonly message: string; readonly answer: (answer: PersonsAnswer) => void }[] =
    [];
  /** The number of questions that are open now, and the most that were open at once. */
  open = 0;
  mostOpen = 0;
  private look: () => void = () => undefined;
  readonly server: RunningServer;

  constructor(
    readonly on: Bench = bench(),
    patienceMilliseconds?: number,
  ) {
    const ask = async ({ message }: { readonly message: string }): Promise<PersonsAnswer> => {
      this.open += 1;
      this.mostOpen = Math.max(this.mostOpen, this.open);
      const answer = await new Promise<PersonsAnswer>((resolve) => {
        this.asked.push({ message, answer: resolve });
        this.look();
      });
      this.open -= 1;
      return answer;
    };
    this.server = new RunningServer(on, {
      confirm: {
        isRequired: () => true,
        ask,
        ...(patienceMilliseconds === undefined ? {} : { patienceMilliseconds }),
      },
    });
  }

  /** Resolves when this number of questions has been asked. */
  async questions(count: number): Promise<void> {
    while (this.asked.length < count) await new Promise<void>((resolve) => (this.look = resolve));
  }

  async use(
    client: Client,
    name: string,
    input: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<Answer> {
    return (
      await client.callTool(
        { name, arguments: input },
        undefined,
        signal === undefined ? {} : { signal },
      )
    ).structuredContent as Answer;
  }
}

/** Resolves when the server has received the clients' earlier messages. */
async function arrived(clients: readonly Client[]): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await Promise.all(clients.map((client) => client.ping()));
}

const BREAKPOINT = { file_path: FILE, line_number: 1 };

describe('a call whose question fails', () => {
  let probe: Questioned;
  beforeEach(async () => {
    probe = new Questioned();
    await probe.server.start();
  });
  afterEach(async () => await probe.server.stop());

  it('is refused with that failure, also if the file of the call is missing only during the question', async () => {
    const client = await probe.server.connect();
    const { workspace } = probe.on;
    const read = workspace.readText.bind(workspace);
    let reads = 0;
    // The file is missing for the question, and exists again for the call.
    workspace.readText = async (file) => {
      reads += 1;
      if (reads % 2 === 1) throw new Failure('file_not_found', `no file ${file}`, 'hint');
      return await read(file);
    };
    const answers: Answer[] = [];
    for (let calls = 0; calls < 20; calls += 1) {
      reads = 0;
      answers.push(await probe.use(client, 'set_breakpoint', BREAKPOINT));
    }
    assert.deepEqual(new Set(answers.map((answer) => answer['code'])), new Set(['file_not_found']));
    assert.equal(probe.on.host.breakpoints().length, 0, 'nothing was set without a question');
  });

  it('is refused if the question fails for an unexpected reason', async () => {
    const client = await probe.server.connect();
    const { workspace } = probe.on;
    const exists = workspace.readText.bind(workspace);
    let isBroken = true;
    workspace.readText = async (file) => {
      if (!isBroken) return await exists(file);
      isBroken = false;
      throw new RangeError('disk on fire');
    };
    const answer = await probe.use(client, 'set_breakpoint', BREAKPOINT);
    assert.deepEqual([answer.status, answer['code']], ['error', 'internal_error']);
    assert.equal(probe.on.host.breakpoints().length, 0);
  });
});

describe('many calls at once', () => {
  let probe: Questioned;
  afterEach(async () => await probe.server.stop());

  it('show one question at a time; too many calls are refused and change nothing', async () => {
    probe = new Questioned();
    await probe.server.start();
    const client = await probe.server.connect();
    const calls = Array.from(
      { length: 60 },
      async (_, index) =>
        await probe.use(client, 'set_breakpoint', { ...BREAKPOINT, condition: `x === ${index}` }),
    );
    const refused: Answer[] = [];
    const watched = calls.map(async (each) => {
      const answer = await each;
      if (answer['code'] === 'too_many_calls') refused.push(answer);
    });
    await arrived([client]);
    // Each declined question makes room for the next, until none waits.
    for (let answered = 0; answered + refused.length < 60; answered += 1) {
      await Promise.race([probe.questions(answered + 1), Promise.all(watched)]);
      probe.asked[answered]?.answer('declined');
    }
    await Promise.all(watched);
    assert.equal(probe.mostOpen, 1, 'one question is open at a time');
    assert.ok(refused.length >= 40, `${refused.length} were refused`);
    assert.equal(probe.asked.length + refused.length, 60);
    assert.equal(probe.on.host.breakpoints().length, 0);
  });

  it('show one question at a time also for several clients', async () => {
    probe = new Questioned();
    await probe.server.start();
    const clients = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => await probe.server.connect(`client ${index}`)),
    );
    const calls = clients.map(
      async (client) => await probe.use(client, 'set_breakpoint', BREAKPOINT),
    );
    await arrived(clients);
    for (let answered = 0; answered < 4; answered += 1) {
      await probe.questions(answered + 1);
      probe.asked[answered]?.answer('allowed');
    }
    assert.deepEqual(
      (await Promise.all(calls)).map((answer) => answer.status),
      ['success', 'success', 'success', 'success'],
    );
    assert.equal(probe.mostOpen, 1);
  });
});
