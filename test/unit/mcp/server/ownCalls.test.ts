import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { Confirmation, type PersonsAnswer } from '../../../../src/mcp/server/confirmation';
import { OwnCalls } from '../../../../src/mcp/server/ownCalls';
import { ALL_TOOLS } from '../../../../src/tools/catalog';
import type { Tool, ToolResult } from '../../../../src/tools/defineTool';
import type { Question } from '../../../../src/tools/question';
import { runTool } from '../../../../src/tools/run';
import { SerialQueue } from '../../../../src/util/serialQueue';
import { bench, paused } from '../../support/services';

const CONTINUE = { thread_id: 1, timeout_seconds: 1 };

function tool(name: string): Tool {
  return ALL_TOOLS.find((each) => each.name === name) ?? assert.fail(name);
}

/** A dialog that stays open until the test answers it. */
class Dialogs {
  readonly open: { readonly question: Question; readonly answer: (it: PersonsAnswer) => void }[] =
    [];
  private shown: () => void = () => undefined;

  /** Resolves when the next dialog opens. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => (this.shown = resolve));
  }

  readonly ask = async (question: Question): Promise<PersonsAnswer> =>
    await new Promise((answer) => {
      this.open.push({ question, answer });
      this.shown();
    });
}

describe('questions inside the calls of VS Code’s own agents', () => {
  const never = new AbortController().signal;
  const asking = (ask: (question: Question) => Promise<PersonsAnswer>): OwnCalls =>
    new OwnCalls({ isRequired: () => true, ask, turns: new SerialQueue() });

  async function called(
    ask: (question: Question) => Promise<PersonsAnswer>,
    name: string,
    input: unknown,
    signal = never,
  ): Promise<{ readonly result: ToolResult; readonly requests: readonly string[] }> {
    const on = paused(bench());
    const prepared = await asking(ask).prepare(tool(name), input, on.services, signal);
    const result = await runTool(tool(name), input, on.services, {
      signal,
      maxWaitSeconds: 1,
      maxChars: 7500,
      personPresent: true,
      prepared,
    });
    return { result, requests: on.host.requests.map((each) => each.command) };
  }

  it('show the question of the card, and let an allowed call move the program', async () => {
    const asked: Question[] = [];
    const { requests } = await called(
      async (question) => {
        asked.push(question);
        return 'allowed';
      },
      'continue_debugging',
      CONTINUE,
    );
    const on = paused(bench());
    assert.deepEqual(asked, [
      await tool('continue_debugging').check(CONTINUE).question(on.services),
    ]);
    assert.ok(requests.includes('continue'), requests.join());
  });

  it('let a declined call do nothing', async () => {
    const { result, requests } = await called(
      async () => 'declined',
      'continue_debugging',
      CONTINUE,
    );
    assert.equal(result['code'], 'declined_by_person');
    assert.equal(requests.includes('continue'), false);
  });

  it('allow nothing if the dialog fails', async () => {
    const { result, requests } = await called(
      () => Promise.reject(new Error('no dialogs here')),
      'continue_debugging',
      CONTINUE,
    );
    assert.equal(result['code'], 'declined_by_person');
    assert.equal(requests.includes('continue'), false);
  });

  it('are not asked for a read-only call', async () => {
    const { result } = await called(
      () => Promise.reject(new Error('asked')),
      'get_debug_state',
      {},
    );
    assert.equal(result.status, 'success');
  });

  it('are asked for every call, even one that equals the last', async () => {
    const on = paused(bench());
    let asked = 0;
    const own = asking(async () => {
      asked += 1;
      return 'allowed';
    });
    for (const _ of [1, 2])
      await own.prepare(tool('continue_debugging'), CONTINUE, on.services, never);
    assert.equal(asked, 2);
  });

  it('do not keep a cancelled call open', async () => {
    const [dialogs, cancelled] = [new Dialogs(), new AbortController()];
    const opened = dialogs.next();
    const call = called(dialogs.ask, 'continue_debugging', CONTINUE, cancelled.signal);
    await opened;
    cancelled.abort();
    assert.equal((await call).result.status, 'interrupted');
  });

  it('wait for the person without a limit', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const dialogs = new Dialogs();
      const opened = dialogs.next();
      const call = called(dialogs.ask, 'get_debug_state', {});
      await call;
      const waiting = asking(dialogs.ask).prepare(
        tool('continue_debugging'),
        CONTINUE,
        paused(bench()).services,
        never,
      );
      await opened;
      mock.timers.tick(3_600_000);
      dialogs.open[0]?.answer('allowed');
      assert.equal((await waiting).kind, 'asked');
    } finally {
      mock.timers.reset();
    }
  });

  it('share one queue with questions about MCP clients: one dialog is open at a time', async () => {
    const [dialogs, turns, on] = [new Dialogs(), new SerialQueue(), paused(bench())];
    const own = new OwnCalls({ isRequired: () => true, ask: dialogs.ask, turns });
    const clients = new Confirmation({ isRequired: () => true, ask: dialogs.ask, turns });
    const first = dialogs.next();
    const calls = [
      own.prepare(tool('continue_debugging'), CONTINUE, on.services, never),
      clients.confirm(tool('pause_debugging'), {}, on.services, { name: 'cline' }, never),
    ];
    await first;
    assert.equal(dialogs.open.length, 1);
    const second = dialogs.next();
    dialogs.open[0]?.answer('allowed');
    await second;
    dialogs.open[1]?.answer('allowed');
    for (const call of calls) assert.equal((await call).kind, 'asked');
  });
});
