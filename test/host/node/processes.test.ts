import { strict as assert } from 'node:assert';
import { call, cleanUp, errorOf, inWorkspace, marked, stopOf } from '../support/client';
import { freePort } from '../support/freePort';

const FILE = 'src/cluster.js';

/** Starts a primary process with two workers. @returns the port that they serve, and the id of the session */
async function startCluster(): Promise<{ readonly port: number; readonly session_id: string }> {
  const port = await freePort();
  const answer = await call('start_debugging', {
    program: inWorkspace(FILE),
    env: { PORT: String(port) },
    output_pattern: 'listening at',
    timeout_seconds: 60,
  });
  assert.match((answer['matched'] as { line: string }).line, /listening/, JSON.stringify(answer));
  return { port, session_id: String(answer['session_id']) };
}

/** Asks a worker, over a connection of its own. @returns the name of the worker */
async function ask(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
  return await response.text();
}

describe('a program with several processes', () => {
  afterEach(cleanUp);

  it('is meant by the id of its start, and without an id', async () => {
    const { port, session_id } = await startCluster();
    for (const id of [{ session_id }, {}]) {
      const waited = await call('wait_for_stop', { ...id, timeout_seconds: 1 });
      assert.equal(waited.status, 'timeout', JSON.stringify(waited));
    }
    const collecting = call('collect_values', {
      session_id,
      probes: [{ file_path: FILE, line: marked(FILE, 'served'), expressions: ['WORKER'] }],
      max_hits: 5000,
      max_seconds: 3,
    });
    const told: string[] = [];
    let isOver = false;
    void collecting.finally(() => (isOver = true));
    while (!isOver) told.push(await ask(port));
    const answer = await collecting;
    const rows = answer['rows'] as readonly (readonly unknown[])[];
    const workers = rows.map((row) => String(row.at(-1)));
    assert.equal(answer['ended_by'], 'max_seconds', JSON.stringify(answer));
    for (const worker of ['one', 'two']) {
      const served = told.filter((each) => each === worker).length;
      const seen = workers.filter((each) => each === `"${worker}"`).length;
      assert.ok(seen > 0 && seen <= served, JSON.stringify([worker, served, answer]));
    }
    assert.equal((await call('stop_debugging', { session_id })).status, 'success');
    await assert.rejects(ask(port));
    errorOf(await call('wait_for_stop', { session_id, timeout_seconds: 1 }), 'session_ended');
  });

  it('is stopped in the process that met a breakpoint', async () => {
    const { port, session_id } = await startCluster();
    const line = marked(FILE, 'served');
    await call('set_breakpoint', { file_path: FILE, line_number: line });
    const asked = ask(port);
    const stop = stopOf(await call('wait_for_stop', { session_id, timeout_seconds: 20 }));
    assert.equal(stop.line, line);
    const { result } = await call('evaluate_expression', { expression: 'WORKER', session_id });
    await call('remove_breakpoint', { clear_all: true });
    const going = await call('continue_debugging', { session_id, timeout_seconds: 1 });
    assert.equal(going.status, 'timeout', JSON.stringify(going));
    assert.equal(result, `'${await asked}'`);
  });
  it('goes on in the process that has met the entry of a trace in another one', async () => {
    const { port } = await startCluster();
    const tracing = call('trace_function', { file_path: FILE, line: marked(FILE, 'served') });
    let isOver = false;
    void tracing.finally(() => (isOver = true));
    const asked: Promise<string>[] = [];
    while (!isOver) {
      const pair = [ask(port), ask(port)];
      asked.push(...pair);
      await Promise.race([Promise.all(pair), tracing]);
    }
    const traced = await tracing;
    assert.equal(traced.status, 'stopped', JSON.stringify(traced));
    assert.equal(traced['ended_by'], undefined, JSON.stringify(traced));
    const going = await call('continue_debugging', { timeout_seconds: 1 });
    assert.equal(going.status, 'timeout', JSON.stringify(going));
    const workers = await Promise.all(asked);
    assert.deepEqual([...new Set(workers)].sort(), ['one', 'two']);
  });
});
