import { strict as assert } from 'node:assert';
import type { Question } from '../../../src/tools/defineTool';
import { TOOLS } from '../../../src/tools/catalog';
import { told } from '../support/events';
import { bench, FILE, paused, type Bench } from '../support/services';

async function questionOf(on: Bench, name: string, input: object): Promise<Question> {
  const tool = TOOLS.find((each) => each.name === name);
  assert.ok(tool);
  const question = await tool.question(tool.input.parse(input), on.services);
  assert.ok(question, `${name} asks nothing`);
  return question;
}

/** Paused and reported, as after a call that stopped there. */
async function reported(on: Bench, threadId = 1): Promise<Bench> {
  await on.services.stops.report(on.session(), threadId, on.call.signal);
  return on;
}

describe('what a card says', () => {
  it('of a breakpoint: where, when, and last the line', async () => {
    const on = bench();
    const message = async (input: object): Promise<string> => (await questionOf(on, 'set_breakpoint', { file_path: FILE, line_number: 3, ...input })).message;
    assert.equal(await message({}), 'Break at `/home/ada/app/main.js:3`: `three`');
    assert.match(await message({ condition: 'x > 1' }), /^Break at `[^`]+` when `x > 1`: `three`$/);
    assert.match(await message({ condition: 'x > 1', hit_condition: '> 2' }), /^Break at `[^`]+` when `x > 1`, `> 2`: `three`$/);
    assert.match(await message({ log_message: 'x={x}' }), /^Print `x=\{x\}` at `[^`]+`: `three`$/);
    assert.match(await message({ log_message: 'x', condition: 'y' }), /^Print `x` at `[^`]+` when `y`: `three`$/);
  });

  it('of an evaluation: the frame that was named, not the one on top', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => ({
      stackFrames: [
        { id: 10, name: 'inner', line: 3, column: 1, source: { name: 'main.js', path: FILE } },
        { id: 11, name: 'outer*', line: 8, column: 1, source: { name: 'main.js', path: FILE } },
        { id: 12, name: '', line: 0, column: 0 },
      ],
      totalFrames: 3,
    }));
    const stop = await on.services.stops.report(on.session(), 1, on.call.signal);
    const message = async (frame: number): Promise<string> => (await questionOf(on, 'evaluate_expression', { expression: 'x', frame_id: frame })).message;
    const [inner, outer, nameless] = stop.call_stack.map((each) => each.frame_id);
    assert.ok(inner !== undefined && outer !== undefined && nameless !== undefined);
    assert.equal(await message(inner), 'Evaluate `x` in `inner` at **main\\.js:3**; this can change the program');
    assert.equal(await message(outer), 'Evaluate `x` in `outer*` at **main\\.js:8**; this can change the program');
    assert.equal(await message(nameless), `Evaluate \`x\` in **${on.session().name}**; this can change the program`);
    assert.equal(await message(999), 'Evaluate `x` in the debug session; this can change the program');
  });

  it('of a step: the place of its own thread, or none', async () => {
    const on = await reported(paused(bench()));
    const message = async (thread: number): Promise<string> => (await questionOf(on, 'step_execution', { thread_id: thread, step_type: 'over' })).message;
    assert.equal(await message(1), 'Step over in **main\\.js:3**');
    on.model.dispatch(told('stopped', { reason: 'pause', threadId: 2 }));
    await reported(on, 2);
    assert.equal(await message(1), `Step over in **${on.session().name}**`, 'the last place is thread 2’s');
    assert.equal(await message(2), 'Step over in **main\\.js:3**');
  });
});
