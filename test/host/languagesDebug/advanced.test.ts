import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { toolPath } from '../../support/toolchain';
import {
  call,
  cleanUp,
  errorOf,
  inWorkspace,
  marked,
  stopOf,
  switchAdvanced,
  variable,
  type Answer,
  type StopData,
} from '../support/client';
import { LANGUAGES, skipWhereMissing, type Language } from '../languages/language';

interface Breakpoint {
  id: number;
  kind?: string;
  verified: boolean;
  message?: string;
}

interface Instruction {
  address: string;
  instruction: string;
  symbol?: string;
  current?: boolean;
}

const named = (name: string): Language => {
  const found = LANGUAGES.find((each) => each.name === name);
  assert.ok(found);
  return found;
};

const done = (answer: Answer): Answer => {
  assert.equal(answer.status, 'success', JSON.stringify(answer));
  return answer;
};

/**
 * Whether LLDB itself stops at a watchpoint on this machine. Some virtual machines accept debug registers and never
 * report them.
 */
async function hasWatchpoints({ source }: Language): Promise<boolean> {
  const commands = [
    `breakpoint set --file scenario.cpp --line ${marked(source, 'call')}`,
    'run',
    'breakpoint delete --force',
    'watchpoint set variable sum',
    'continue',
  ];
  const program = inWorkspace('native/out/scenario');
  const args = ['--batch', ...commands.flatMap((command) => ['--one-line', command]), program];
  const { stdout } = await promisify(execFile)(toolPath('lldb'), args, { timeout: 60_000 });
  assert.match(stdout, /Watchpoint created/);
  return /stop reason = watchpoint/.test(stdout);
}

describe('the advanced tools', function () {
  this.timeout(300_000);
  before(() => switchAdvanced(true));
  after(() => switchAdvanced(false));
  afterEach(cleanUp);

  /** Stops a language's scenario at a marker. */
  async function stopAt({ configuration, source }: Language, marker: string): Promise<StopData> {
    await call('set_breakpoint', { file_path: source, line_number: marked(source, marker) });
    const input = { configuration_name: configuration, timeout_seconds: 100 };
    return stopOf(await call('start_debugging', input));
  }
  const breakpointOf = (answer: Answer): Breakpoint => done(answer)['breakpoint'] as Breakpoint;
  const listed = async (): Promise<Breakpoint[]> =>
    (done(await call('get_breakpoints', {}))['address_breakpoints'] ?? []) as Breakpoint[];
  /** Removes the line breakpoints, so that only the breakpoints that a test sets stop the program. */
  const clear = async (): Promise<Answer> => await call('remove_breakpoint', { clear_all: true });

  describe('with lldb-dap', () => {
    const language = named('C++');
    before(function () {
      skipWhereMissing(this, language);
    });

    it('stop when a variable is written, and list the breakpoint and remove it by its id', async () => {
      await stopAt(language, 'call');
      await clear();
      const info = done(await call('data_breakpoint_info', { name: 'sum' }));
      assert.ok(info['data_id'], JSON.stringify(info));
      const set = breakpointOf(
        await call('set_data_breakpoint', { data_id: info['data_id'], access_type: 'write' }),
      );
      assert.deepEqual([set.kind, set.verified], ['data', true], JSON.stringify(set));
      assert.deepEqual(
        (await listed()).map((each) => [each.id, each.kind]),
        [[set.id, 'data']],
      );
      // On a machine whose processor reports no watchpoint, everything except the stop itself is tested.
      if (await hasWatchpoints(language)) {
        const stop = stopOf(await call('continue_debugging', {}));
        assert.deepEqual(stop.hit_breakpoint_ids, [set.id], JSON.stringify(stop));
        assert.equal(variable(stop, 'sum').value, '1', 'it has been written');
      } else
        console.log(
          '      LLDB itself stops at no watchpoint on this machine: the stop is not tested',
        );
      done(await call('remove_breakpoint', { breakpoint_id: set.id }));
      assert.deepEqual(await listed(), []);
      done(await call('set_data_breakpoint', { data_id: info['data_id'], access_type: 'write' }));
      const removed = done(await call('remove_data_breakpoint', { data_id: info['data_id'] }));
      assert.equal((removed['removed'] as number[]).length, 1, JSON.stringify(removed));
      assert.deepEqual(await listed(), []);
      const end = await call('continue_debugging', {});
      assert.equal(end.status, 'completed', JSON.stringify(end));
      errorOf(
        await call('remove_data_breakpoint', { breakpoint_id: set.id }),
        'breakpoint_not_found',
      );
    });

    it('disassemble at the current instruction', async () => {
      await stopAt(language, 'inside');
      const answer = done(await call('disassemble', { instruction_count: 5 }));
      const instructions = answer['instructions'] as Instruction[];
      const [first] = instructions;
      assert.ok(first, JSON.stringify(answer));
      assert.equal(instructions.length, 5, JSON.stringify(answer));
      assert.equal(first.current, true, JSON.stringify(answer));
      assert.match(first.instruction, /^mov\w* \S/, JSON.stringify(answer));
      const same = { memory_reference: first.address, instruction_count: 5 };
      assert.deepEqual(done(await call('disassemble', same))['instructions'], instructions);
      for (const memory_reference of ['0x1', 'nowhere']) {
        const { message } = errorOf(
          await call('disassemble', { memory_reference, instruction_count: 3 }),
          'adapter_error',
        );
        assert.match(message, new RegExp(`lldb-dap.*${memory_reference}`));
      }
    });

    it('are refused with the adapter’s name if this version lacks them', async () => {
      await stopAt(language, 'call');
      const inputs = {
        read_memory: { memory_reference: '0x10', count: 16 },
        write_memory: { memory_reference: '0x10', data: '05' },
        set_instruction_breakpoint: { instruction_reference: '0x10' },
        step_back: {},
        reverse_continue: {},
        restart_frame: {},
        get_loaded_sources: {},
        goto_line: { file_path: language.source, line_number: 1 },
      };
      for (const [tool, input] of Object.entries(inputs))
        assert.match(errorOf(await call(tool, input), 'not_supported').message, /lldb-dap/, tool);
    });

    it('list modules in pages, and set a variable of the frame', async () => {
      await stopAt(language, 'add');
      // LLDB adds a module for each expression that calls a function, and VS Code evaluates some expressions itself.
      const own = (answer: Answer): readonly { name: string }[] =>
        (answer['modules'] as { name: string }[]).filter(({ name }) => !name.startsWith('__lldb_'));
      const all = done(await call('get_modules', {}));
      const modules = own(all);
      assert.ok(
        modules.some((each) => each.name === 'scenario'),
        JSON.stringify(all),
      );
      const page = done(await call('get_modules', { start: 1, count: 1 }));
      assert.deepEqual(page['modules'], modules.slice(1, 2));
      assert.ok(Number(page['total']) >= modules.length, JSON.stringify(page));
      const rest = done(await call('get_modules', { start: 1 }));
      assert.deepEqual(own(rest), modules.slice(1));
      assert.equal(rest['total'], (rest['modules'] as object[]).length + 1);
      const set = done(await call('set_variable', { name: 'squared', value: '40' }));
      assert.equal(set['value'], '40');
      const stop = stopOf(await call('step_execution', { step_type: 'over' }));
      const sum = done(await call('evaluate_expression', { expression: 'sum' }));
      assert.equal(sum['result'], '40', JSON.stringify(stop));
    });
  });

  describe('with debugpy', () => {
    const language = named('Python');
    before(function () {
      skipWhereMissing(this, language);
    });

    it('set variables, members and expressions', async () => {
      await stopAt(language, 'add');
      const set = done(await call('set_variable', { name: 'squared', value: '40' }));
      assert.equal(set['value'], '40', JSON.stringify(set));
      const age = done(await call('set_variable', { name: 'person.age', value: '37' }));
      assert.equal(age['value'], '37', JSON.stringify(age));
      const values = done(
        await call('evaluate_expression', { expression: 'squared + person.age' }),
      );
      assert.equal(values['result'], '77');
    });

    it('go to a line without running the lines between', async () => {
      await stopAt(language, 'inside');
      const line = marked(language.source, 'leave');
      await call('set_variable', { name: 'n', value: '9' });
      const stop = stopOf(
        await call('goto_line', { file_path: language.source, line_number: line }),
      );
      assert.equal(stop.line, line, JSON.stringify(stop));
      const gone = await call('evaluate_expression', { expression: 'result' });
      errorOf(gone, 'adapter_error');
      const none = await call('goto_line', { file_path: language.source, line_number: 2 });
      assert.equal(none.status, 'error', JSON.stringify(none));
    });

    it('send a custom request, and refuse requests that would break the session', async () => {
      await stopAt(language, 'add');
      const info = done(await call('custom_request', { command: 'debugpySystemInfo' }));
      assert.match(JSON.stringify(info['body']), /python/i);
      errorOf(await call('custom_request', { command: 'noSuchThing' }), 'adapter_error');
      for (const command of ['initialize', 'disconnect', 'launch', 'setBreakpoints']) {
        const { hint } = errorOf(await call('custom_request', { command }), 'not_supported');
        assert.match(hint, /Call [a-z_]+\./);
      }
      const modules = done(await call('get_modules', {}));
      assert.ok((modules['modules'] as unknown[]).length > 0, JSON.stringify(modules));
      for (const [tool, input] of Object.entries({
        read_memory: { memory_reference: '0x1', count: 1 },
        write_memory: { memory_reference: '0x1', data: '00' },
        data_breakpoint_info: { name: 'sum' },
        set_data_breakpoint: { data_id: 'sum' },
        set_instruction_breakpoint: { instruction_reference: '0x1' },
        step_back: {},
        reverse_continue: {},
        disassemble: {},
        restart_frame: {},
        get_loaded_sources: {},
      })) {
        const { message } = errorOf(await call(tool, input), 'not_supported');
        assert.match(message, /debugpy/, tool);
      }
    });
  });

  describe('with delve', () => {
    const language = named('Go');
    before(function () {
      skipWhereMissing(this, language);
    });

    it('disassemble at the current instruction, and stop at the next one', async () => {
      await stopAt(language, 'inside');
      await clear();
      const answer = done(await call('disassemble', { instruction_count: 5 }));
      const [first, second, third] = answer['instructions'] as Instruction[];
      assert.ok(first && second && third, JSON.stringify(answer));
      assert.equal(first.current, true, JSON.stringify(answer));
      const set = breakpointOf(
        await call('set_instruction_breakpoint', { instruction_reference: third.address }),
      );
      assert.deepEqual([set.kind, set.verified], ['instruction', true], JSON.stringify(set));
      const stop = stopOf(await call('continue_debugging', {}));
      assert.deepEqual(stop.hit_breakpoint_ids, [set.id], JSON.stringify(stop));
      const there = done(await call('disassemble', { instruction_count: 1 }));
      assert.equal((there['instructions'] as Instruction[])[0]?.address, third.address);
      done(await call('remove_instruction_breakpoint', { instruction_reference: third.address }));
      // For an invalid address Delve reports why it cannot stop there.
      const nowhere = await call('set_instruction_breakpoint', { instruction_reference: '0x1' });
      const none = breakpointOf(nowhere);
      assert.equal(none.verified, false, JSON.stringify(nowhere));
      assert.ok(none.message, JSON.stringify(nowhere));
      done(await call('remove_instruction_breakpoint', { breakpoint_id: none.id }));
      assert.deepEqual(await listed(), []);
    });
  });

  describe('with js-debug', () => {
    const language = named('Node');

    it('go back to the start of a frame', async () => {
      await stopAt(language, 'leave');
      const stop = stopOf(await call('restart_frame', {}));
      assert.equal(stop.call_stack[0]?.function_name, 'square', JSON.stringify(stop));
      assert.ok(stop.line <= marked(language.source, 'inside'), JSON.stringify(stop));
      const again = stopOf(await call('continue_debugging', {}));
      assert.equal(variable(again, 'n').value, '1', 'the same call again');
    });

    it('set variables and members, and list the loaded sources', async () => {
      await stopAt(language, 'add');
      const set = done(await call('set_variable', { name: 'squared', value: '40' }));
      assert.equal(set['value'], '40');
      const person = done(await call('evaluate_expression', { expression: 'person' }));
      const member = {
        name: 'age',
        value: '37',
        variables_reference: person['variables_reference'],
      };
      assert.equal(done(await call('set_variable', member))['value'], '37');
      const sum = done(await call('evaluate_expression', { expression: 'squared + person.age' }));
      assert.equal(sum['result'], '77');
      const found = done(await call('get_loaded_sources', { name_pattern: 'scenario\\.js$' }));
      assert.deepEqual(
        (found['sources'] as { name: string }[]).map((each) => each.name.split('/').at(-1)),
        ['scenario.js'],
      );
      const page = done(await call('get_loaded_sources', { count: 1 }));
      const { sources } = page['omitted'] as { sources: number };
      assert.equal(page['total'], sources + 1);
      for (const [tool, input] of Object.entries({
        goto_line: { file_path: language.source, line_number: 1 },
        get_modules: {},
      })) {
        const { message } = errorOf(await call(tool, input), 'not_supported');
        assert.match(message, /node/, tool);
      }
    });

    it('read and write the memory of a buffer', async () => {
      await stopAt(language, 'add');
      const buffer = done(
        await call('evaluate_expression', {
          expression: '(globalThis.bytes = new Uint8Array([1, 2, 3, 4]))',
        }),
      );
      const reference = buffer['memory_reference'];
      assert.ok(reference, JSON.stringify(buffer));
      const write = { memory_reference: reference, offset: 1, data: 'Cgs=', encoding: 'base64' };
      assert.equal(done(await call('write_memory', write))['bytes_written'], 2);
      const read = done(await call('read_memory', { memory_reference: reference, count: 8 }));
      assert.deepEqual(
        [read['data'], read['bytes_read'], read['unreadable_bytes']],
        ['010a0b04', 4, 4],
        JSON.stringify(read),
      );
      const huge = { memory_reference: reference, count: 1_000_000_000 };
      assert.match(errorOf(await call('read_memory', huge), 'invalid_input').message, /count/);
      const wrong = { memory_reference: reference, data: '!', encoding: 'base64' };
      errorOf(await call('write_memory', wrong), 'invalid_input');
      const gone = await call('read_memory', { memory_reference: 'none', count: 1 });
      if (gone.status === 'success') assert.equal(gone['unreadable_bytes'], 1);
      else errorOf(gone, 'adapter_error');
    });
  });
});
