import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { isMereText } from '../../../src/debugger/breakpoints/logMessage';
import {
  call,
  cleanUp,
  errorOf,
  insideExtension,
  inWorkspace,
  marked,
  stopOf,
  until,
  variable,
  type Answer,
  type StopData,
} from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const WAIT = { timeout_seconds: 120 };

interface View {
  readonly id: number;
  readonly verified: boolean;
  readonly line?: number;
  readonly hits?: number;
  readonly hit_condition?: string;
  readonly message?: string;
  readonly bound?: readonly {
    readonly verified: boolean;
    readonly line?: number;
    readonly reason?: string;
    readonly message?: string;
    readonly nearest_lines?: readonly number[];
  }[];
}

const viewOf = (answer: Answer): View => {
  assert.equal(answer.status, 'success', JSON.stringify(answer));
  return answer['breakpoint'] as View;
};
const listed = async (): Promise<readonly View[]> =>
  (await call('get_breakpoints', {}))['breakpoints'] as View[];

for (const language of LANGUAGES) {
  describe(`breakpoints in ${language.name}`, function () {
    this.timeout(300_000);

    before(function () {
      skipWhereMissing(this, language);
    });
    afterEach(cleanUp);

    const line = (marker: string): number => marked(language.source, marker);
    const set = async (marker: string, more: object = {}): Promise<View> =>
      viewOf(
        await call('set_breakpoint', {
          file_path: language.source,
          line_number: line(marker),
          ...more,
        }),
      );
    const start = async (mode = ''): Promise<StopData> =>
      stopOf(
        await call('start_debugging', {
          configuration_name: `${language.configuration}${mode === '' ? '' : ` ${mode}`}`,
          ...WAIT,
        }),
      );

    it('count hits in the notation of the founding documents, or report what the debugger understands', async () => {
      const { id, hit_condition: held } = await set('add', { hit_condition: language.hits.asked });
      assert.equal(held, language.hits.held);
      const stop = await start();
      assert.equal(variable(stop, 'i').value, '2');
      assert.deepEqual(stop.hit_breakpoint_ids, [id]);
      if (language.hits.refused !== undefined) {
        const before = await listed();
        const error = errorOf(
          await call('set_breakpoint', {
            file_path: language.source,
            line_number: line('print'),
            hit_condition: language.hits.refused,
          }),
          'not_supported',
        );
        assert.match(error.hint, /supports/);
        assert.deepEqual(
          (await listed()).map((each) => each.id),
          before.map((each) => each.id),
          'nothing was changed',
        );
      }
    });

    it('print the message of a logpoint without stopping', async () => {
      await set('add', { log_message: 'squared is {squared}' });
      const { id } = await set('print');
      const stop = await start();
      assert.deepEqual(stop.hit_breakpoint_ids, [id]);
      const output = await call('get_debug_output', { pattern: 'squared is' });
      assert.deepEqual(
        (output['lines'] as { text: string }[]).map(
          (each) => /squared is (\d+)/.exec(each.text)?.[1],
        ),
        ['1', '4', '9'],
        JSON.stringify(output),
      );
    });

    it('print a log message without braces unchanged if it counts as mere text', async () => {
      const text = 'a" + (1 + 2) + "b $x $(1+2) `1`';
      await set('add', { log_message: text });
      await set('print');
      const stop = await start();
      const { lines } = await call('get_debug_output', { session_id: stop.session_id });
      const printed = (lines as { text: string }[]).map((each) => each.text);
      const type =
        [...(await insideExtension()).model.state.sessions.values()].find(
          (each) => each.id === stop.session_id,
        )?.type ?? '';
      const isVerbatim = printed.some((each) => each.includes(text));
      assert.equal(isVerbatim, isMereText(text, [type]), `${type}: ${JSON.stringify(printed)}`);
      // java-debug inserts the message between quotes into an expression.
      if (language.name === 'Java')
        assert.ok(
          printed.some((each) => each.includes('a3b')),
          JSON.stringify(printed),
        );
    });

    it('keep their id when the program is started again, and count their hits', async () => {
      const { id } = await set('print');
      for (const hits of [1, 2]) {
        const stop = await start();
        assert.deepEqual(stop.hit_breakpoint_ids, [id]);
        assert.deepEqual(
          (await listed()).map((each) => [each.id, each.verified, each.hits]),
          [[id, true, hits]],
        );
        await call('stop_debugging', { session_id: stop.session_id });
      }
    });

    it('are set and removed while it is paused, and while it runs', async () => {
      await set('call');
      const stop = await start('loop');
      const added = await set('add');
      assert.equal(added.verified, true, JSON.stringify(added));
      const next = stopOf(
        await call('continue_debugging', {
          thread_id: stop.thread_id,
          session_id: stop.session_id,
          ...WAIT,
        }),
      );
      assert.equal(next.line, line('add'));
      await call('remove_breakpoint', { clear_all: true });
      const gone = await call('continue_debugging', {
        thread_id: next.thread_id,
        session_id: next.session_id,
        timeout_seconds: 2,
      });
      assert.equal(gone.status, 'timeout', JSON.stringify(gone));

      const inside = await set('inside');
      const waited = await call('wait_for_stop', { session_id: next.session_id, ...WAIT });
      assert.equal(waited.status, 'stopped', JSON.stringify([inside, waited, await listed()]));
      const there = stopOf(waited);
      assert.equal(there.line, line('inside'), JSON.stringify(inside));
      assert.equal(variable(there, 'n').value, '7');
      await call('remove_breakpoint', { breakpoint_id: inside.id });
      const onAgain = await call('continue_debugging', {
        thread_id: there.thread_id,
        session_id: there.session_id,
        timeout_seconds: 2,
      });
      assert.equal(onAgain.status, 'timeout', JSON.stringify(onAgain));
    });

    it('stop at a function, or report that the debugger has no function breakpoints', async () => {
      const expected = viewOf(
        await call('set_breakpoint', { function_name: language.square ?? 'square' }),
      );
      await set('print');
      const stop = await start();
      if (language.square === undefined) {
        assert.equal(stop.line, line('print'));
        const view = (await listed()).find((each) => each.id === expected.id);
        assert.equal(view?.verified, false);
        assert.match(view.message ?? '', /function breakpoints/);
        return;
      }
      assert.match(stop.call_stack[0]?.function_name ?? '', /square/, JSON.stringify(stop));
      assert.deepEqual(stop.hit_breakpoint_ids, [expected.id]);
    });

    it('report the debugger’s message for a condition that does not parse, in the answer or in the output', async () => {
      await set('call');
      await start();
      const view = await set('add', { condition: '((' });
      await call('continue_debugging', {
        thread_id: stopOf(await call('wait_for_stop', {})).thread_id,
        ...WAIT,
      });
      const printed = JSON.stringify(await call('get_debug_output', { max_lines: 200 }));
      const now = JSON.stringify([view, await listed()]);
      assert.match(
        `${printed} ${now}`,
        /syntax|unexpected|expected|invalid|error|unable/i,
        `${now}\n${printed}`,
      );
    });

    it('stop in the line of their column, or report that the debugger found no column', async () => {
      const text = (await vscode.workspace.openTextDocument(inWorkspace(language.source))).lineAt(
        line('call') - 1,
      ).text;
      const column = text.indexOf('square(') + 1;
      const view = (await set('call', { column_number: column })) as View & {
        readonly column?: number;
      };
      assert.equal(view.column, column);
      await set('print');
      const stop = (await start()) as StopData & { readonly column?: number };
      const now = (await listed()).find((each) => each.id === view.id);
      const [bound] = now?.bound ?? [];
      if (language.columns === 'none in that place') {
        assert.equal(stop.line, line('print'));
        assert.equal(now?.verified, false, JSON.stringify(now));
        assert.match(now.message ?? '', /column/, JSON.stringify(now));
        return;
      }
      assert.equal(stop.line, line('call'));
      assert.deepEqual(stop.hit_breakpoint_ids, [view.id]);
      if (language.columns === 'exact')
        assert.equal(stop.column, column, 'there, and not at the line’s beginning');
      assert.equal(bound?.verified, true);
      assert.ok(bound.line === undefined || bound.line === line('call'), JSON.stringify(bound));
    });

    it('are bound to another line if their line has no code, or report why not', async () => {
      await set('call');
      await start();
      const asked = line('leave') + 2;
      const view = viewOf(
        await call('set_breakpoint', { file_path: language.source, line_number: asked }),
      );
      if (view.verified)
        assert.ok(
          view.bound?.some((each) => each.verified && each.line !== undefined),
          JSON.stringify(view),
        );
      else
        assert.ok(
          view.message !== undefined &&
            view.bound?.some((each) => each.reason !== undefined || each.message !== undefined),
          JSON.stringify(view),
        );
    });

    it('report why they are unverified in a file of another language', async () => {
      await set('call');
      await start();
      const [other] = LANGUAGES.filter((each) => each.name !== language.name);
      assert.ok(other);
      const view = viewOf(
        await call('set_breakpoint', {
          file_path: other.source,
          line_number: marked(other.source, 'call'),
        }),
      );
      assert.equal(view.verified, false, JSON.stringify(view));
      assert.ok(view.message, JSON.stringify(view));
    });

    it('stay unchanged if they are the person’s, also disabled ones', async () => {
      const at = (marker: string): vscode.Location =>
        new vscode.Location(
          vscode.Uri.file(inWorkspace(language.source)),
          new vscode.Position(line(marker) - 1, 0),
        );
      const theirs = [
        new vscode.SourceBreakpoint(at('call'), false),
        new vscode.SourceBreakpoint(at('print')),
      ];
      vscode.debug.addBreakpoints(theirs);
      const stop = await start();
      assert.equal(stop.line, line('print'));
      const [disabled, enabled] = await listed();
      assert.match(disabled?.message ?? '', /disabled/);
      assert.deepEqual(stop.hit_breakpoint_ids, [enabled?.id]);
      errorOf(
        await call('set_breakpoint', { file_path: language.source, line_number: line('call') }),
        'not_supported',
      );
      await call('remove_breakpoint', { clear_all: true });
      await until(() => vscode.debug.breakpoints.length === 2, 'both are still there');
      assert.deepEqual(
        vscode.debug.breakpoints.map((each) => [each.id, each.enabled]),
        theirs.map((each) => [each.id, each.enabled]),
      );
    });
  });
}
