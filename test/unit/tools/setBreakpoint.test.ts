import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { HostBreakpoint, WantedBreakpoint } from '../../../src/debugger/host';
import { fields, isFields, type Fields } from '../../../src/debugger/protocol';
import { TOOLS } from '../../../src/tools/catalog';
import type { ToolResult } from '../../../src/tools/defineTool';
import { runTool } from '../../../src/tools/run';
import { answered, asked, created, stopped } from '../support/events';
import { bench, FILE, LINES, running, type Bench } from '../support/services';

function call(on: Bench, name: string, input: object): Promise<ToolResult> {
  const tool = TOOLS.find((each) => each.name === name);
  assert.ok(tool !== undefined);
  return runTool(tool, input, on.services, on.call);
}

const set = (on: Bench, input: object): Promise<ToolResult> => call(on, 'set_breakpoint', { file_path: FILE, ...input });

function breakpointOf(result: ToolResult): Fields {
  assert.equal(result.status, 'success', JSON.stringify(result));
  assert.ok(isFields(result['breakpoint']));
  return result['breakpoint'];
}

/** The person's own, as VS Code's views set it. */
const theirs = (on: Bench, line: number, more: Partial<Extract<WantedBreakpoint, { kind: 'source' }>> = {}): HostBreakpoint => on.host.addBreakpoint({ kind: 'source', path: FILE, line, ...more });

/** The line of each breakpoint that VS Code has. */
const places = (on: Bench): unknown[] => on.host.breakpoints().map((each) => (each.kind === 'source' ? each.line : each.functionName));

function only(on: Bench): HostBreakpoint {
  const [one, ...more] = on.host.breakpoints();
  assert.ok(one !== undefined && more.length === 0, `${more.length + 1} breakpoints`);
  return one;
}

/** Has an adapter answer that it has bound all that VS Code sends it. */
function binding(on: Bench): Bench {
  on.host.on('setBreakpoints', ({ breakpoints }) => ({ breakpoints: Array.isArray(breakpoints) ? breakpoints.map((each, id) => ({ id, verified: true, line: fields(each)['line'] })) : [] }));
  return on;
}

describe('setting a breakpoint', () => {
  it('sets it as the agent’s, and nothing was there before', async () => {
    const on = bench();
    const result = await set(on, { line_number: 3, condition: 'x > 1' });
    assert.deepEqual([breakpointOf(result)['id'], breakpointOf(result)['owner'], result['changed']], [1, 'agent', undefined]);
    assert.deepEqual(only(on), { kind: 'source', path: FILE, line: 3, column: undefined, condition: 'x > 1', hitCondition: undefined, logMessage: undefined, hostId: 'host-breakpoint-1', enabled: true });
  });

  it('tells what the running program’s adapter made of it', async () => {
    const on = binding(running(bench()));
    assert.deepEqual(breakpointOf(await set(on, { line_number: 3 }))['bound'], [{ session_id: 's1', verified: true, line: 3 }]);
    assert.equal(on.model.listenerCount, 0);
  });

  it('the same place twice is one breakpoint, and nothing changed', async () => {
    const on = bench();
    await set(on, { line_number: 3, condition: 'x' });
    const { hostId } = only(on);
    const again = await set(on, { line_number: 3, condition: 'x' });
    assert.deepEqual([breakpointOf(again)['id'], again['changed'], only(on).hostId], [1, {}, hostId]);
  });

  it('other conditions at the same place replace it, and are told as before and now', async () => {
    const on = bench();
    const changes = [];
    for (const conditions of [{}, { condition: 'x' }, { condition: 'y', hit_condition: '> 5' }, { log_message: 'here' }]) {
      const result = await set(on, { line_number: 3, ...conditions });
      assert.equal(breakpointOf(result)['id'], 1);
      changes.push(result['changed']);
    }
    assert.deepEqual(changes, [undefined, { condition: [null, 'x'] }, { condition: ['x', 'y'], hit_condition: [null, '> 5'] }, { condition: ['y', null], hit_condition: ['> 5', null], log_message: [null, 'here'] }]);
    assert.equal(only(on).logMessage, 'here');
  });

  it('a hit count that is spelled otherwise is no change', async () => {
    const on = bench();
    await set(on, { line_number: 3, hit_condition: '% 2 == 0' });
    assert.deepEqual((await set(on, { line_number: 3, hit_condition: '%2' }))['changed'], {});
  });

  it('one that replaces another keeps its hits', async () => {
    const on = binding(running(bench()));
    await set(on, { line_number: 3 });
    on.model.dispatch(stopped(1, { reason: 'breakpoint', hitBreakpointIds: [0] }));
    assert.equal(breakpointOf(await set(on, { line_number: 3, condition: 'x' }))['hits'], 1);
  });

  it('one that was bound elsewhere is in the place that it was asked for', async () => {
    const on = running(bench());
    on.services.breakpoints.claim(theirs(on, 8));
    on.model.dispatch(asked(50, 'setBreakpoints', { source: { path: FILE }, breakpoints: [{ line: 7 }] }));
    on.model.dispatch(answered(50, 'setBreakpoints', { breakpoints: [{ id: 1, verified: true, line: 8 }] }));
    assert.deepEqual((await set(on, { line_number: 7 }))['changed'], {});
    assert.deepEqual(places(on), [8]);
  });

  it('lines, columns and functions are places of their own', async () => {
    const on = bench();
    for (const input of [{ line_number: 3 }, { line_number: 3, column_number: 5 }, { line_number: 4 }, { file_path: undefined, function_name: 'main' }, { file_path: undefined, function_name: 'other' }]) {
      assert.equal((await set(on, input))['changed'], undefined, JSON.stringify(input));
    }
    assert.deepEqual(places(on), [3, 3, 4, 'main', 'other']);
    assert.deepEqual((await set(on, { file_path: undefined, function_name: 'main' }))['changed'], {});
  });

  it('the agent’s own that is disabled is enabled again, and that is told', async () => {
    const on = bench();
    await set(on, { line_number: 3 });
    on.host.setEnabled(only(on).hostId, false);
    const again = await set(on, { line_number: 3 });
    assert.deepEqual([breakpointOf(again)['id'], again['changed'], only(on).enabled], [1, { enabled: ['false', 'true'] }, true]);
  });
});

describe('setting a breakpoint where the person has one', () => {
  it('with other conditions is refused, and theirs is left', async () => {
    const on = bench();
    const made = theirs(on, 3, { condition: 'mine', logMessage: 'seen' });
    const result = await set(on, { line_number: 3, condition: 'x' });
    assert.deepEqual([result['code'], result['existing']], ['not_supported', { id: 1, enabled: true, condition: 'mine', log_message: 'seen' }]);
    assert.deepEqual([only(on), on.services.breakpoints.ownerOf(made)], [made, 'user']);
  });

  it('that is disabled is refused, and theirs stays disabled', async () => {
    const on = bench();
    on.host.setEnabled(theirs(on, 3).hostId, false);
    assert.equal((await set(on, { line_number: 3 }))['code'], 'not_supported');
    assert.equal(only(on).enabled, false);
  });

  it('just as wanted uses theirs, which stays theirs', async () => {
    const on = bench();
    const made = theirs(on, 3);
    const result = await set(on, { line_content: 'three' });
    assert.deepEqual([breakpointOf(result)['owner'], breakpointOf(result)['line_content'], result['changed']], ['user', undefined, {}]);
    assert.deepEqual(only(on), made);
  });

  it('in another column is no matter', async () => {
    const on = bench();
    theirs(on, 3, { column: 7, condition: 'mine' });
    assert.equal(breakpointOf(await set(on, { line_number: 3 }))['owner'], 'agent');
    assert.equal(on.host.breakpoints().length, 2);
  });
});

describe('setting a breakpoint with a hit count', () => {
  /** With one debugger, for files of its language. */
  const installed = (type: string, language: string): Bench => {
    const on = bench();
    on.workspace.debuggers = () => [{ type, label: type, languages: [language] }];
    on.workspace.languageOf = () => Promise.resolve(language);
    return on;
  };

  it('says it in the words of the debugger for the file', async () => {
    for (const [type, language, text, expected] of [
      ['node', 'javascript', '% 2 == 0', '% 2'],
      ['node', 'typescriptreact', '>5', '> 5'],
      ['debugpy', 'python', '3', '== 3'],
      ['go', 'go', '!= 3', '!= 3'],
      ['java', 'java', '== 3', '3'],
      ['lldb-dap', 'c', '> 5', '6'],
      ['lldb-dap', 'rust', '>= 5', '5'],
      ['test', 'javascript', '< 4', '< 4'],
    ] as const) {
      const on = installed(type, language);
      assert.equal(breakpointOf(await set(on, { line_number: 3, hit_condition: text }))['hit_condition'], expected, `${type} ${text}`);
      assert.equal(only(on).hitCondition, expected);
    }
  });

  it('that the debugger has no words for is refused with what it understands, and sets nothing', async () => {
    for (const [type, language, text, understood] of [['node', 'javascript', '!= 3', '"% n == 0"'], ['java', 'java', '> 3', '"== n"'], ['lldb-dap', 'cpp', '== 3', '">= n" and "> n"']] as const) {
      const on = installed(type, language);
      const result = await set(on, { line_number: 3, hit_condition: text });
      assert.equal(result['code'], 'not_supported', type);
      assert.ok(String(result['hint']).includes(understood), String(result['hint']));
      assert.deepEqual(places(on), []);
    }
  });

  it('that is none is invalid input, and leaves what is there', async () => {
    const on = bench();
    await set(on, { line_number: 3 });
    const before = only(on);
    for (const text of ['often', '> x', '% 2 == 1']) assert.equal((await set(on, { line_number: 3, hit_condition: text }))['code'], 'invalid_input', text);
    assert.deepEqual(only(on), before);
  });

  it('on a function says it in the words of the debugger that runs', async () => {
    const on = bench();
    on.model.dispatch(created('a', { sessionType: 'lldb-dap' }));
    assert.equal(breakpointOf(await set(on, { file_path: undefined, function_name: 'main', hit_condition: '> 5' }))['hit_condition'], '6');
    assert.equal((await set(on, { file_path: undefined, function_name: 'main', hit_condition: '== 5' }))['code'], 'not_supported');
    assert.equal(only(on).hitCondition, '6');
  });
});

describe('setting a breakpoint by the text of its line', () => {
  it('finds the one line, blanks aside, and tells its text', async () => {
    const on = bench();
    const { line, line_content } = breakpointOf(await set(on, { line_content: '  five ' }));
    assert.deepEqual([line, line_content, places(on)], [5, 'five', [5]]);
  });

  it('that several lines hold names them, and sets nothing', async () => {
    const on = bench();
    const result = await set(on, { line_content: 'ne' });
    assert.deepEqual([result['code'], result['candidates'], places(on)], ['line_not_found', [{ line: 1, text: 'one' }, { line: 9, text: 'nine' }], []]);
  });

  it('names some of very many', async () => {
    const on = bench();
    on.workspace.files.set(FILE, Array.from({ length: 1000 }, () => '}').join('\n'));
    const { candidates, message } = await set(on, { line_content: '}' });
    assert.ok(Array.isArray(candidates));
    assert.equal(candidates.length, 20);
    assert.match(String(message), /1000/);
  });

  it('that no line holds names none', async () => {
    const on = bench();
    const result = await set(on, { line_content: 'eleven' });
    assert.deepEqual([result['code'], result['candidates'], places(on)], ['line_not_found', undefined, []]);
  });

  it('and then by its number lets it follow its text still', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    assert.equal(breakpointOf(await set(on, { line_number: 5 }))['line_content'], 'five');
  });
});

describe('what cannot be set', () => {
  it('more or less than one way to say where sets nothing', async () => {
    const on = bench();
    const file_path = undefined;
    for (const input of [{}, { line_number: 3, line_content: 'three' }, { line_number: 3, function_name: 'main' }, { function_name: 'main' }, { file_path, line_number: 3 }, { file_path, line_content: 'three' }, { file_path }]) {
      assert.equal((await set(on, input))['code'], 'invalid_input', JSON.stringify(input));
    }
    assert.deepEqual(places(on), []);
  });

  it('a line that the file does not have, and a file that is not there', async () => {
    const on = bench();
    assert.equal((await set(on, { line_number: 11 }))['code'], 'line_out_of_range');
    for (const where of [{ line_number: 1 }, { line_content: 'one' }]) assert.equal((await set(on, { file_path: '/home/ada/app/none.js', ...where }))['code'], 'file_not_found');
    assert.deepEqual(places(on), []);
  });

  it('a line of a notebook', async () => {
    const on = bench();
    on.workspace.files.set('/home/ada/app/a.IPYNB', 'one');
    for (const where of [{ line_number: 1 }, { line_content: 'one' }]) assert.equal((await set(on, { file_path: '/home/ada/app/a.IPYNB', ...where }))['code'], 'not_supported');
    assert.deepEqual(places(on), []);
  });
});

describe('breakpoints that are set at the same time', () => {
  it('are all set, each with a number of its own', async () => {
    const on = bench();
    const ids = await Promise.all(LINES.map(async (text, index) => breakpointOf(await set(on, index % 2 === 0 ? { line_number: index + 1 } : { line_content: text }))['id']));
    assert.equal(new Set(ids).size, LINES.length);
    assert.deepEqual(places(on).map(Number).sort((one, other) => one - other), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('at one place are one breakpoint', async () => {
    const on = bench();
    const results = await Promise.all(['a', 'b', 'b', 'a'].map((condition) => set(on, { line_number: 3, condition })));
    assert.deepEqual(results.map((each) => breakpointOf(each)['id']), [1, 1, 1, 1]);
    assert.deepEqual(results.map((each) => each['changed']), [undefined, { condition: ['a', 'b'] }, {}, { condition: ['b', 'a'] }]);
    assert.equal(only(on).condition, 'a');
  });

  it('in a running program are all set and all answered', async () => {
    const on = binding(running(bench()));
    const results = await Promise.all([1, 2, 3, 4].map((line_number) => set(on, { line_number })));
    assert.deepEqual(results.map((each) => breakpointOf(each)['verified']), [true, true, true, true]);
    assert.equal(on.model.listenerCount, 0);
  });
});

describe('an answer to an earlier list of breakpoints', () => {
  it('is no answer about one that was set since', async () => {
    const on = running(bench());
    const held: (() => void)[] = [];
    let bothAsked = (): void => undefined;
    const areAsked = new Promise<void>((resolve) => (bothAsked = resolve));
    on.host.on('setBreakpoints', async ({ breakpoints }) => {
      await new Promise<void>((resolve) => {
        held.push(resolve);
        if (held.length === 2) bothAsked();
      });
      return { breakpoints: Array.isArray(breakpoints) ? breakpoints.map((each, id) => ({ id, verified: true, line: fields(each)['line'] })) : [] };
    });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const first = set(on, { line_number: 3 });
      const second = set(on, { line_number: 4 });
      await areAsked;
      held[0]?.();
      assert.equal(breakpointOf(await first)['verified'], true);
      // Longer than an adapter is given to bind what it has answered.
      mock.timers.tick(300);
      assert.equal(await Promise.race([second, setImmediate('open')]), 'open');
      held[1]?.();
      assert.deepEqual([breakpointOf(await second)['verified'], breakpointOf(await second)['bound']], [true, [{ session_id: 's1', verified: true, line: 4 }]]);
    } finally {
      mock.timers.reset();
    }
    assert.equal(on.model.listenerCount, 0);
  });

  it('is no answer about one that takes another’s place: without the other there is none, and that is not deactivated', async () => {
    const on = binding(running(bench()));
    await set(on, { line_number: 3 });
    const sends: (() => void)[] = [];
    on.host.whenSent = (send) => void sends.push(send);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const again = set(on, { line_number: 3, condition: 'i > 3' });
      while (sends.length < 2) await setImmediate();
      sends[0]?.();
      await setImmediate();
      mock.timers.tick(300);
      assert.equal(await Promise.race([again, setImmediate('open')]), 'open');
      sends[1]?.();
      assert.deepEqual([breakpointOf(await again)['verified'], breakpointOf(await again)['message']], [true, undefined]);
    } finally {
      mock.timers.reset();
    }
  });

  it('of one that takes another’s place is one, too, where all are deactivated', async () => {
    const on = running(bench());
    on.host.on('setBreakpoints', () => ({ breakpoints: [] }));
    await set(on, { line_number: 3 });
    on.host.deactivated = true;
    assert.match(String(breakpointOf(await set(on, { line_number: 3, condition: 'i > 3' }))['message']), /deactivated/);
  });

  it('is one where VS Code’s breakpoints are deactivated: it is told of none', async () => {
    const on = running(bench());
    on.host.on('setBreakpoints', () => ({ breakpoints: [] }));
    on.host.deactivated = true;
    assert.match(String(breakpointOf(await set(on, { line_number: 3 }))['message']), /deactivated/);
    assert.equal(on.model.listenerCount, 0);
  });
});

describe('breakpoints that follow the text of their line', () => {
  /** One line more above, written from elsewhere. */
  const shift = (on: Bench): void => void on.workspace.files.set(FILE, ['zero', ...LINES].join('\r\n'));
  const look = async (on: Bench): Promise<Fields[]> => {
    const { breakpoints } = await call(on, 'get_breakpoints', {});
    assert.ok(Array.isArray(breakpoints));
    return breakpoints.map(fields);
  };

  it('are where it is, with their numbers and conditions', async () => {
    const on = bench();
    await set(on, { line_content: 'five', condition: 'x', hit_condition: '> 5' });
    shift(on);
    const [view] = await look(on);
    assert.deepEqual([view?.['id'], view?.['line'], view?.['condition'], view?.['hit_condition'], view?.['line_content'], view?.['owner']], [1, 6, 'x', '> 5', 'five', 'agent']);
    assert.deepEqual(places(on), [6]);
  });

  it('stay where a program holds them', async () => {
    const on = binding(running(bench()));
    await set(on, { line_content: 'five' });
    shift(on);
    await look(on);
    assert.deepEqual(places(on), [5]);
  });

  it('stay where the text is still, is gone, or is on several lines', async () => {
    for (const lines of [[...LINES, 'five'], ['five', ...LINES.slice(1)], LINES.map((each) => (each === 'five' ? '5' : each)), ['five', 'five', ...LINES.filter((each) => each !== 'five')]]) {
      const on = bench();
      await set(on, { line_content: 'five' });
      const { hostId } = only(on);
      on.workspace.files.set(FILE, lines.join('\n'));
      await look(on);
      assert.deepEqual([only(on).hostId, places(on)], [hostId, [5]]);
    }
  });

  it('stay where the file cannot be read', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    on.workspace.files.clear();
    assert.equal((await look(on)).length, 1);
    assert.deepEqual(places(on), [5]);
  });

  it('are those alone that were set by it and are the agent’s still', async () => {
    const on = bench();
    await set(on, { line_number: 1 });
    await set(on, { line_content: 'two' });
    await set(on, { line_content: 'three' });
    on.services.breakpoints.giveToPerson(on.services.breakpoints.at(FILE, 2));
    theirs(on, 9);
    shift(on);
    await look(on);
    assert.deepEqual(places(on).sort(), [1, 2, 4, 9]);
  });

  it('are not brought back when they are removed while their file is read', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    shift(on);
    const text = on.workspace.files.get(FILE) ?? '';
    on.workspace.readText = () => {
      on.host.removeBreakpoints([only(on).hostId]);
      return Promise.resolve(text);
    };
    assert.deepEqual(await look(on), []);
  });

  it('move once, though several look at once', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    shift(on);
    const looks = await Promise.all([look(on), look(on), look(on)]);
    assert.deepEqual(looks.map((each) => each.map((view) => [view['id'], view['line']])), [[[1, 6]], [[1, 6]], [[1, 6]]]);
    assert.deepEqual(places(on), [6]);
  });

  it('that the person disabled stay disabled', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    on.host.setEnabled(only(on).hostId, false);
    shift(on);
    await look(on);
    assert.equal(only(on).enabled, false);
  });

  it('go nowhere where another is already: VS Code keeps one a place', async () => {
    // What is added where one is, VS Code drops.
    const on = bench();
    await set(on, { line_content: 'five' });
    theirs(on, 6, { condition: 'mine' });
    shift(on);
    await look(on);
    assert.deepEqual(places(on), [5, 6]);
  });
});
