import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import {
  call,
  cleanUp,
  errorOf,
  inWorkspace,
  marked,
  stopOf,
  variable,
  type StopData,
  type VariableData,
} from '../support/client';
import { LANGUAGES, skipWhereMissing, type Language } from './language';

const WAIT = { timeout_seconds: 120 };

/** Resolves with the frame that VS Code's views show. The views follow the stop a little later. */
async function shownFrame(): Promise<vscode.DebugStackFrame> {
  return await new Promise((resolve) => {
    const readRequest = (item: vscode.DebugThread | vscode.DebugStackFrame | undefined): void => {
      if (!(item instanceof vscode.DebugStackFrame)) return;
      subscription.dispose();
      resolve(item);
    };
    const subscription = vscode.debug.onDidChangeActiveStackItem(readRequest);
    readRequest(vscode.debug.activeStackItem);
  });
}

for (const language of LANGUAGES) {
  describe(`the shared scenario in ${language.name}`, function () {
    this.timeout(300_000);

    before(function () {
      skipWhereMissing(this, language);
    });
    afterEach(cleanUp);

    const line = (marker: string): number => marked(language.source, marker);
    const breakAt = async (marker: string, more: object = {}): Promise<number> => {
      const set = await call('set_breakpoint', {
        file_path: language.source,
        line_number: line(marker),
        ...more,
      });
      return (set['breakpoint'] as { id: number }).id;
    };
    const start = (mode = ''): Promise<StopData> => startOf(language, mode);

    it('stops at the breakpoint with stack, scopes, variables and their children', async () => {
      const id = await breakAt('call');
      const stop = await start();
      assert.match(stop.reason, /breakpoint/);
      assert.equal(stop.source?.path, inWorkspace(language.source));
      assert.equal(stop.line, line('call'));
      assert.deepEqual(stop.hit_breakpoint_ids, [id]);
      assert.match(stop.call_stack[0]?.function_name ?? '', /run/);
      assert.match(variable(stop, 'label').value, language.shows.label);
      assert.equal(variable(stop, 'i').value, '1');

      const scopes = (await call('get_scopes', { frame_id: stop.call_stack[0]?.frame_id }))[
        'scopes'
      ] as { name: string; variables_reference: number }[];
      assert.ok(scopes.length >= 1 && scopes.every((each) => each.name !== ''));
      const children = await members(variable(stop, 'person'));
      assert.match(
        children.find((each) => /^age$/i.test(each.name))?.value ?? JSON.stringify(children),
        language.shows.age,
      );
      const elements = await members(variable(stop, 'numbers'));
      assert.deepEqual(
        elements.filter((each) => /^\[?\d+\]?$/.test(each.name)).map((each) => each.value),
        ['1', '2', '3'],
      );

      const outer = (await call('get_call_stack', { start_frame: 1, levels: 1 }))[
        'call_stack'
      ] as unknown[];
      assert.equal(outer.length, 1);
      const value = await call('evaluate_expression', {
        expression: language.evaluate.expression,
        frame_id: stop.call_stack[0]?.frame_id,
      });
      assert.match(String(value['result']), language.evaluate.result);
      const refused = await call('evaluate_expression', {
        expression: 'no_such_name',
        frame_id: stop.call_stack[0]?.frame_id,
      });
      if (refused.status === 'error') errorOf(refused, 'adapter_error');
      else assert.match(String(refused['result']), /error|undefined|not found|could not/i);
    });

    it('keeps the variables of a frame in VS Code’s views when the agent reads other frames', async () => {
      await breakAt('inside');
      const stop = await start();
      const { session, frameId } = await shownFrame();
      const { scopes } = (await session.customRequest('scopes', { frameId })) as {
        scopes: { name: string; variablesReference: number }[];
      };
      const local =
        scopes.find((each) => /^local/i.test(each.name))?.variablesReference ??
        assert.fail(JSON.stringify(scopes));
      const other = (await call('get_scopes', { frame_id: stop.call_stack[1]?.frame_id }))[
        'scopes'
      ] as { name: string; variables_reference: number }[];
      for (const each of other.slice(0, 2))
        await call('get_variables', { variables_reference: each.variables_reference });
      const { variables } = (await session.customRequest('variables', {
        variablesReference: local,
      })) as { variables: { name: string }[] };
      assert.ok(
        variables.some((each) => each.name === 'n'),
        JSON.stringify(variables),
      );
    });

    it('returns each frame’s own variables in any order of the requests', async () => {
      await breakAt('inside');
      const stop = await start();
      const locals: number[] = [];
      for (const frame of stop.call_stack.slice(0, 2)) {
        const scopes = (await call('get_scopes', { frame_id: frame.frame_id }))['scopes'] as {
          name: string;
          variables_reference: number;
        }[];
        locals.push(
          scopes.find((each) => /^local/i.test(each.name))?.variables_reference ??
            assert.fail(JSON.stringify(scopes)),
        );
      }
      for (const [index, name] of [
        [0, 'n'],
        [1, 'label'],
        [0, 'n'],
      ] as const) {
        const read = (await call('get_variables', { variables_reference: locals[index] }))[
          'variables'
        ] as VariableData[];
        assert.ok(
          read.some((each) => each.name === name),
          `${name}: ${JSON.stringify(read)}`,
        );
      }
    });

    it('steps into, out and over', async () => {
      await breakAt('call');
      const stop = await start();
      const into = stopOf(
        await call('step_execution', { thread_id: stop.thread_id, step_type: 'into', ...WAIT }),
      );
      assert.match(into.call_stack[0]?.function_name ?? '', /square/);
      assert.equal(variable(into, 'n').value, '1');
      const out = stopOf(
        await call('step_execution', { thread_id: stop.thread_id, step_type: 'out', ...WAIT }),
      );
      assert.match(out.call_stack[0]?.function_name ?? '', /run/);
      assert.ok([line('call'), line('add')].includes(out.line));
      const over = stopOf(
        await call('step_execution', { thread_id: stop.thread_id, step_type: 'over', ...WAIT }),
      );
      assert.match(over.call_stack[0]?.function_name ?? '', /run/);
      assert.notEqual(over.line, out.line);
      errorOf(
        await call('get_scopes', { frame_id: stop.call_stack[0]?.frame_id }),
        'stale_reference',
      );
    });

    it('pauses while it runs, and goes on', async () => {
      await breakAt('inside');
      const first = await start('loop');
      await call('remove_breakpoint', { clear_all: true });
      let now = first;
      for (let round = 0; round < 2; round += 1) {
        assert.equal(
          (
            await call('continue_debugging', {
              thread_id: now.thread_id,
              session_id: now.session_id,
              timeout_seconds: 1,
            })
          ).status,
          'timeout',
        );
        now = stopOf(
          await call('pause_debugging', {
            thread_id: first.thread_id,
            session_id: first.session_id,
            ...WAIT,
          }),
        );
        assert.equal(now.reason, 'pause', JSON.stringify(now));
        assert.equal(now.exception, undefined);
        assert.ok(
          now.call_stack.some((each) => /run/.test(each.function_name)),
          JSON.stringify(now.call_stack),
        );
      }
    });

    it('breaks on a condition, and runs to the end with its output and exit code', async () => {
      await breakAt('add', { condition: language.condition });
      const stop = await start();
      assert.equal(variable(stop, 'i').value, '2');
      assert.equal(variable(stop, 'squared').value, '4');
      const end = await call('continue_debugging', { thread_id: stop.thread_id, ...WAIT });
      assert.equal(end.status, 'completed', JSON.stringify(end));
      assert.equal(end['exit_code'], language.exitCode);
      const output = await call('get_debug_output', {});
      assert.ok(
        (output['lines'] as { text: string }[]).some((each) =>
          language.prints.test(each.text.trimEnd()),
        ),
        JSON.stringify(output),
      );
      const state = await call('get_debug_state', {});
      assert.ok(
        (state['sessions'] as { state: string }[]).every((each) => each.state === 'terminated'),
      );
    });

    it('stops at an uncaught exception, and reports it', async () => {
      const stop = await start('throw');
      assert.equal(stop.reason, 'exception', JSON.stringify(stop));
      const reported = JSON.stringify([stop.text, stop.exception, stop.description]);
      assert.match(reported, language.shows.exception);
      assert.ok(
        stop.call_stack.some((each) => /fail/.test(each.function_name)),
        JSON.stringify(stop.call_stack),
      );
    });

    it('stops in each of several threads', async () => {
      await breakAt('worker');
      const first = await start('threads');
      assert.equal(first.line, line('worker'));
      const second = stopOf(
        await call('continue_debugging', {
          thread_id: first.thread_id,
          session_id: first.session_id,
          ...WAIT,
        }),
      );
      assert.equal(second.line, line('worker'));
      assert.notDeepEqual(
        [first.session_id, first.thread_id],
        [second.session_id, second.thread_id],
        'another thread, or a session of its own',
      );
      const state = (await call('get_debug_state', {}))['sessions'] as {
        session_id: string;
        threads?: { id: number; state: string }[];
      }[];
      const held = state
        .find((each) => each.session_id === second.session_id)
        ?.threads?.find((each) => each.id === second.thread_id);
      assert.equal(held?.state, 'stopped');
    });
  });
}

async function startOf(language: Language, mode: string): Promise<StopData> {
  return stopOf(
    await call('start_debugging', {
      configuration_name: `${language.configuration}${mode === '' ? '' : ` ${mode}`}`,
      ...WAIT,
    }),
  );
}

async function members(of: VariableData): Promise<VariableData[]> {
  assert.ok(of.variables_reference > 0, `${of.name} can be expanded`);
  return (await call('get_variables', { variables_reference: of.variables_reference }))[
    'variables'
  ] as VariableData[];
}
