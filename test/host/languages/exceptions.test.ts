import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { call, cleanUp, errorOf, marked, stopOf, type StopData } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const WAIT = { timeout_seconds: 120 };

interface Row {
  readonly session_id: string;
  readonly filter: string;
  readonly on: boolean;
  readonly by?: string;
  readonly condition?: string;
}

/**
 * The exception filters that adapters of a type have accepted for the session that stopped last, as recorded by the
 * test's own tracker: a Node program has two sessions, and VS Code sends its list to each at a different time.
 */
function listsOf(type: string): {
  answered(): readonly string[];
  until(condition: (answered: readonly string[]) => boolean, what: string): Promise<void>;
  dispose(): void;
} {
  const bySession = new Map<string, string[]>();
  let stopped: string | undefined;
  const answered = (): readonly string[] => bySession.get(stopped ?? '') ?? [];
  const listeners = new Set<() => void>();
  const factory = vscode.debug.registerDebugAdapterTrackerFactory('*', {
    createDebugAdapterTracker: (session): vscode.DebugAdapterTracker => {
      const asked = new Map<number, string>();
      return {
        onWillReceiveMessage: (message: { command?: string; seq?: number; arguments?: object }) => {
          if (
            message.command === 'setExceptionBreakpoints' &&
            session.type.includes(type.replace('pwa-', ''))
          )
            asked.set(message.seq ?? -1, JSON.stringify(message.arguments));
        },
        onDidSendMessage: (message: { type?: string; event?: string; request_seq?: number }) => {
          if (message.type === 'event' && message.event === 'stopped') stopped = session.id;
          const list = asked.get(message.request_seq ?? -2);
          if (list === undefined || message.type !== 'response') return;
          bySession.set(session.id, [...(bySession.get(session.id) ?? []), list]);
          for (const listener of [...listeners]) listener();
        },
      };
    },
  });
  const wait = async (
    condition: (lists: readonly string[]) => boolean,
    what: string,
  ): Promise<void> => {
    if (condition(answered())) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`never happened: ${what}: ${JSON.stringify(answered())}`)),
        90_000,
      );
      const listener = (): void => {
        if (!condition(answered())) return;
        clearTimeout(timer);
        listeners.delete(listener);
        resolve();
      };
      listeners.add(listener);
    });
  };
  return { answered, until: wait, dispose: () => void factory.dispose() };
}

for (const language of LANGUAGES) {
  const { filter, condition, isDefault = false } = language.exceptions;
  describe(`exception breakpoints in ${language.name}`, function () {
    this.timeout(300_000);

    before(function () {
      skipWhereMissing(this, language);
    });
    afterEach(async () => {
      await cleanUp();
      await call('set_exception_breakpoints', {});
    });

    const start = async (): Promise<StopData> => {
      await call('set_breakpoint', {
        file_path: language.source,
        line_number: marked(language.source, 'print'),
      });
      return stopOf(
        await call('start_debugging', {
          configuration_name: `${language.configuration} throw`,
          ...WAIT,
        }),
      );
    };
    const goOn = async ({ session_id, thread_id }: StopData) =>
      await call('continue_debugging', { session_id, thread_id, ...WAIT });
    const choose = async (
      filters: readonly string[],
      conditions?: Record<string, string>,
    ): Promise<readonly Row[]> => {
      const answer = await call('set_exception_breakpoints', {
        filters,
        ...(conditions === undefined ? {} : { conditions }),
      });
      assert.equal(answer.status, 'success', JSON.stringify(answer));
      return (answer['filters'] ?? []) as Row[];
    };

    if (filter === '') {
      it('are reported as an empty list if the debugger offers no filters', async () => {
        await start();
        assert.deepEqual(await choose([]), []);
      });
      return;
    }

    it('are on in the running session and in the next; an empty list turns them off', async () => {
      const stop = await start();
      const rows = await choose([filter]);
      assert.deepEqual(
        rows.flatMap((each) => (each.by === 'agent' ? [each.filter] : [])),
        isDefault ? [] : [filter],
        JSON.stringify(rows),
      );
      const { on, by } = rows.find((each) => each.filter === filter) ?? {};
      assert.deepEqual([on, by], [true, isDefault ? 'user' : 'agent'], JSON.stringify(rows));
      assert.ok(
        rows.every((each) => each.session_id === stop.session_id),
        JSON.stringify(rows),
      );
      assert.equal(stopOf(await goOn(stop)).reason, 'exception');
      await call('stop_debugging', { session_id: stop.session_id });

      const next = await start();
      assert.equal(stopOf(await goOn(next)).reason, 'exception', 'on for a new session, too');
      await call('stop_debugging', { session_id: next.session_id });

      const off = await start();
      assert.ok((await choose([])).every((each) => each.by !== 'agent'));
      const end = await goOn(off);
      // An uncaught exception ends a native program by a signal, at which its debugger stops with any filters.
      if (language.adapterType === 'lldb-dap') assert.match(JSON.stringify(end), /SIGABRT/);
      // VS Code turns on debugpy's own default filter, which counts as the person's.
      else if ((await choose([])).some((each) => each.on && each.by === 'user'))
        assert.equal(end.status, 'stopped', JSON.stringify(end));
      else assert.equal(end.status, 'completed', JSON.stringify(end));
    });

    it('stay on after VS Code sends its own list', async () => {
      const lists = listsOf(language.adapterType);
      try {
        const stop = await start();
        await choose([filter]);
        await lists.until(
          (each) => each.at(-1)?.includes(filter) === true,
          'the adapter has the agent’s',
        );
        for (const _ of ['off', 'on']) {
          const before = lists.answered().length;
          await vscode.commands.executeCommand(
            'workbench.debug.viewlet.action.toggleBreakpointsActivatedAction',
          );
          await lists.until(
            (each) => each.length >= before + 2,
            'VS Code has sent its own, and we ours',
          );
        }
        assert.equal(
          lists.answered().at(-1)?.includes(filter),
          true,
          JSON.stringify(lists.answered()),
        );
        assert.equal(stopOf(await goOn(stop)).reason, 'exception');
      } finally {
        lists.dispose();
      }
    });

    it('stop only if their condition holds, or are refused if the debugger has no conditions', async () => {
      const stop = await start();
      const expected = condition?.fails ?? '1 == 2';
      if (condition === undefined) {
        const before = await choose([]);
        errorOf(
          await call('set_exception_breakpoints', {
            filters: [filter],
            conditions: { [filter]: expected },
          }),
          'not_supported',
        );
        assert.deepEqual(await choose([]), before, 'nothing was changed');
        return;
      }
      const rows = await choose([filter], { [filter]: expected });
      assert.equal(rows.find((each) => each.filter === filter)?.condition, expected);
      const end = await goOn(stop);
      assert.equal(end.status, 'completed', JSON.stringify(end));
      const next = await start();
      await choose([filter], { [filter]: condition.holds });
      assert.equal(stopOf(await goOn(next)).reason, 'exception');
    });

    it('are refused with the available filters if the debugger does not offer them', async () => {
      await start();
      const error = errorOf(
        await call('set_exception_breakpoints', { filters: ['no such filter'] }),
        'not_supported',
      );
      assert.ok(
        Object.values(error['available'] as Record<string, string[]>)
          .flat()
          .includes(filter),
        JSON.stringify(error),
      );
    });
  });
}
