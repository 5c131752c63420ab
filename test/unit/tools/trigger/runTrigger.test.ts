import { strict as assert } from 'node:assert';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Trigger } from '../../../../src/control/triggers/triggers';
import { endsWait } from '../../../../src/tools/trigger/triggered';
import { ask, type Answer } from '../../support/asking';
import { answered, asked, ended, eventOf } from '../../support/events';
import { turn } from '../../support/runCalls';
import { bench, FILE, paused, running, type Bench } from '../../support/services';
import { scripted, value } from '../trace/collect/stoppingPrograms';

const PROBES = [{ file_path: FILE, line: 3, expressions: ['x'] }];

describe('a trigger of a call that follows the program', () => {
  let server: Server | undefined;
  let seen = 0;
  /** Called for each request, before its answer. */
  let onRequest = (): void => undefined;

  /** The address of a server that stands for the program under debug. */
  const address = async (): Promise<string> => {
    seen = 0;
    const at = createServer((_request, response) => {
      seen += 1;
      onRequest();
      response.end('ok');
    });
    server = at;
    await new Promise<void>((resolve) => at.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(at.address() as AddressInfo).port}/`;
  };

  afterEach(() => {
    onRequest = () => undefined;
    server?.closeAllConnections();
    server?.close();
  });

  const live = (): Bench => {
    const on = scripted(running(bench()), () => value('7'));
    on.workspace.files.set(FILE, 'function main() {\n  let x = 1;\n  x += 1;\n}\nmain();\n');
    return on;
  };

  const stateOf = (answer: Answer): unknown => {
    const { state, http_status } = (answer['trigger'] ?? {}) as Record<string, unknown>;
    return [state, http_status];
  };

  it('ends a collection, after what it led to', async () => {
    const on = live();
    onRequest = () => on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
    on.host.on('continue', () => {
      queueMicrotask(() => on.model.dispatch(eventOf('continued', { threadId: 1 })));
      return {};
    });
    const trigger = { url: await address() };
    const answer = await ask(on, 'collect_values', { probes: PROBES, trigger });
    assert.deepEqual(
      [answer.status, answer['ended_by'], answer['hits'], answer['program']],
      ['completed', 'trigger', 1, 'running'],
      JSON.stringify(answer),
    );
    assert.deepEqual(stateOf(answer), ['completed', 200]);
    assert.equal(on.model.listenerCount, 0);
  });

  it('does not end a collection that reached its own limit', async () => {
    const on = live();
    onRequest = () => on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
    const answer = await ask(on, 'collect_values', {
      ...{ probes: PROBES, trigger: { url: await address() } },
      ...{ max_hits: 1, at_end: 'stay_stopped' },
    });
    assert.equal(answer['ended_by'], 'max_hits', JSON.stringify(answer));
    const { trigger } = answer;
    assert.ok(trigger !== undefined);
  });

  it('that succeeds as a command does not end the run, because its work may come later', () => {
    const { model } = bench();
    const command = { kind: 'command', command: 'x', args: [], cwd: undefined } as const;
    const plan = { request: command, sessions: () => [], isReady: () => false };
    const trigger = new Trigger(model, plan, () => ({}));
    const output = { text: '', bytes: 0, isCut: false };
    for (const [code, ends] of [
      [0, false],
      [1, true],
    ] as const) {
      trigger.end = { kind: 'exited', code, signal: undefined, output };
      assert.equal(endsWait(trigger), ends, String(code));
    }
    trigger.disarm();
  });

  it('is reported with a program that ends meanwhile', async () => {
    const on = live();
    onRequest = () => on.model.dispatch(ended());
    const answer = await ask(on, 'collect_values', {
      ...{ probes: PROBES, trigger: { url: await address() } },
    });
    assert.deepEqual([answer['ended_by'], answer['program']], ['program_end', 'ended']);
    assert.deepEqual(stateOf(answer), ['completed', 200]);
  });

  it('ends a trace whose call did not begin', async () => {
    const on = live();
    const answer = await ask(on, 'trace_function', {
      ...{ file_path: FILE, line: 3, trigger: { url: await address() } },
    });
    assert.deepEqual(
      [answer.status, answer['ended_by'], answer['reached']],
      ['timeout', 'trigger', false],
      JSON.stringify(answer),
    );
    assert.deepEqual(stateOf(answer), ['completed', 200]);
    assert.equal(on.model.listenerCount, 0);
  });

  it('is refused while that of an earlier call has not ended', async () => {
    const on = live();
    const url = await address();
    const held = createServer(() => on.host.emit('stopped', { reason: 'pause', threadId: 1 }));
    await new Promise<void>((resolve) => held.listen(0, '127.0.0.1', resolve));
    try {
      const port = (held.address() as AddressInfo).port;
      const first = await ask(on, 'wait_for_stop', {
        trigger: { url: `http://127.0.0.1:${port}/` },
      });
      assert.equal(first.status, 'stopped', JSON.stringify(first));
      for (const [name, input] of [
        ['collect_values', { probes: PROBES }],
        ['trace_function', { file_path: FILE, line: 3 }],
        ['wait_for_stop', {}],
      ] as const) {
        const refused = await ask(on, name, { ...input, trigger: { url } });
        assert.equal(refused['code'], 'trigger_pending', `${name}: ${JSON.stringify(refused)}`);
      }
      assert.equal(seen, 0, 'nothing was sent');
    } finally {
      held.closeAllConnections();
      held.close();
      on.services.triggers.dispose();
    }
  });

  it('is sent by a wait when the debugger has answered for the breakpoints', async () => {
    const on = live();
    onRequest = () => on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
    on.model.dispatch(asked(9, 'setBreakpoints', { source: { path: FILE }, breakpoints: [] }));
    const waiting = ask(on, 'wait_for_stop', { trigger: { url: await address() } });
    await turn();
    assert.equal(seen, 0);
    on.model.dispatch(answered(9, 'setBreakpoints', { breakpoints: [] }));
    const answer = await waiting;
    assert.deepEqual([answer.status, seen], ['stopped', 1], JSON.stringify(answer));
  });

  it('is not sent by a wait to a program that is stopped', async () => {
    const on = paused(bench());
    const answer = await ask(on, 'wait_for_stop', { trigger: { url: await address() } });
    assert.deepEqual([answer.status, seen], ['stopped', 0]);
    assert.deepEqual(stateOf(answer), ['not_sent', undefined]);
  });
});
