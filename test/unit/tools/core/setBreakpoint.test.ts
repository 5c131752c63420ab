import { strict as assert } from 'node:assert';
import { binding, breakpointOf, only, places, set, theirs } from '../../support/breakpointCalls';
import { answered, asked, created, stopped } from '../../support/events';
import { bench, FILE, running, type Bench } from '../../support/services';

describe('setting a breakpoint', () => {
  it('sets it as the agent’s, and nothing was there before', async () => {
    const on = bench();
    const result = await set(on, { line_number: 3, condition: 'x > 1' });
    assert.deepEqual(
      [breakpointOf(result)['id'], breakpointOf(result)['owner'], result['changed']],
      [1, 'agent', undefined],
    );
    assert.deepEqual(only(on), {
      kind: 'source',
      path: FILE,
      line: 3,
      column: undefined,
      condition: 'x > 1',
      hitCondition: undefined,
      logMessage: undefined,
      hostId: 'host-breakpoint-1',
      enabled: true,
    });
  });

  it('tells what the running program’s adapter made of it', async () => {
    const on = binding(running(bench()));
    assert.deepEqual(breakpointOf(await set(on, { line_number: 3 }))['bound'], [
      { session_id: 's1', verified: true, line: 3 },
    ]);
    assert.equal(on.model.listenerCount, 0);
  });

  it('the same place twice is one breakpoint, and nothing changed', async () => {
    const on = bench();
    await set(on, { line_number: 3, condition: 'x' });
    const { hostId } = only(on);
    const again = await set(on, { line_number: 3, condition: 'x' });
    assert.deepEqual(
      [breakpointOf(again)['id'], again['changed'], only(on).hostId],
      [1, {}, hostId],
    );
  });

  it('other conditions at the same place replace it, and are told as before and now', async () => {
    const on = bench();
    const changes = [];
    for (const conditions of [
      {},
      { condition: 'x' },
      { condition: 'y', hit_condition: '> 5' },
      { log_message: 'here' },
    ]) {
      const result = await set(on, { line_number: 3, ...conditions });
      assert.equal(breakpointOf(result)['id'], 1);
      changes.push(result['changed']);
    }
    assert.deepEqual(changes, [
      undefined,
      { condition: [null, 'x'] },
      { condition: ['x', 'y'], hit_condition: [null, '> 5'] },
      { condition: ['y', null], hit_condition: ['> 5', null], log_message: [null, 'here'] },
    ]);
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
    on.model.dispatch(
      asked(50, 'setBreakpoints', { source: { path: FILE }, breakpoints: [{ line: 7 }] }),
    );
    on.model.dispatch(
      answered(50, 'setBreakpoints', { breakpoints: [{ id: 1, verified: true, line: 8 }] }),
    );
    assert.deepEqual((await set(on, { line_number: 7 }))['changed'], {});
    assert.deepEqual(places(on), [8]);
  });

  it('lines, columns and functions are places of their own', async () => {
    const on = bench();
    for (const input of [
      { line_number: 3 },
      { line_number: 3, column_number: 5 },
      { line_number: 4 },
      { file_path: undefined, function_name: 'main' },
      { file_path: undefined, function_name: 'other' },
    ]) {
      assert.equal((await set(on, input))['changed'], undefined, JSON.stringify(input));
    }
    assert.deepEqual(places(on), [3, 3, 4, 'main', 'other']);
    assert.deepEqual(
      (await set(on, { file_path: undefined, function_name: 'main' }))['changed'],
      {},
    );
  });

  it('the agent’s own that is disabled is enabled again, and that is told', async () => {
    const on = bench();
    await set(on, { line_number: 3 });
    on.host.setEnabled(only(on).hostId, false);
    const again = await set(on, { line_number: 3 });
    assert.deepEqual(
      [breakpointOf(again)['id'], again['changed'], only(on).enabled],
      [1, { enabled: ['false', 'true'] }, true],
    );
  });
});

describe('setting a breakpoint where the person has one', () => {
  it('with other conditions is refused, and theirs is left', async () => {
    const on = bench();
    const made = theirs(on, 3, { condition: 'mine', logMessage: 'seen' });
    const result = await set(on, { line_number: 3, condition: 'x' });
    assert.deepEqual(
      [result['code'], result['existing']],
      ['not_supported', { id: 1, enabled: true, condition: 'mine', log_message: 'seen' }],
    );
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
    assert.deepEqual(
      [breakpointOf(result)['owner'], breakpointOf(result)['line_content'], result['changed']],
      ['user', undefined, {}],
    );
    assert.deepEqual(only(on), made);
  });

  it('in another column is no matter', async () => {
    const on = bench();
    theirs(on, 3, { column: 7, condition: 'mine' });
    assert.equal(breakpointOf(await set(on, { line_number: 3 }))['owner'], 'agent');
    assert.equal(on.host.breakpoints().length, 2);
  });
});

describe('setting a logpoint with a condition', () => {
  const of = (type: string): Bench => {
    const on = bench();
    on.workspace.debuggers = () => [{ type, label: type, languages: ['javascript'] }];
    return on;
  };
  const input = { line_number: 3, condition: 'i === 2', log_message: 'at {i}' };

  it('is refused where the debugger would stop there, with a condition that prints', async () => {
    const on = of('node');
    const result = await set(on, input);
    assert.equal(result['code'], 'not_supported');
    assert.match(String(result['message']), /heeds only condition and ignores log_message/);
    assert.ok(
      String(result['hint']).includes('"(i === 2) && (console.log(`at ${i}`), false)"'),
      String(result['hint']),
    );
    assert.deepEqual(places(on), []);
    const counted = await set(on, { line_number: 3, log_message: 'x', hit_condition: '> 2' });
    assert.match(String(counted['hint']), /Leave out hit_condition/);
  });

  it('is set where the debugger heeds both, or nothing is known to be against it', async () => {
    for (const type of ['debugpy', 'go', 'test']) {
      const on = of(type);
      const result = await set(on, input);
      assert.equal(breakpointOf(result)['log_message'], 'at {i}', type);
      assert.equal(result['hint'], undefined, type);
    }
  });

  it('says that nobody knows where no debugger is known for it', async () => {
    const on = bench();
    on.workspace.debuggers = () => [];
    assert.match(String((await set(on, input))['hint']), /not known yet; js-debug heeds only/);
    assert.equal((await set(on, { line_number: 4, log_message: 'x' }))['hint'], undefined);
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
      assert.equal(
        breakpointOf(await set(on, { line_number: 3, hit_condition: text }))['hit_condition'],
        expected,
        `${type} ${text}`,
      );
      assert.equal(only(on).hitCondition, expected);
    }
  });

  it('that the debugger has no words for is refused with what it understands, and sets nothing', async () => {
    for (const [type, language, text, understood] of [
      ['node', 'javascript', '!= 3', '"% n == 0"'],
      ['java', 'java', '> 3', '"== n"'],
      ['lldb-dap', 'cpp', '== 3', '">= n" and "> n"'],
    ] as const) {
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
    for (const text of ['often', '> x', '% 2 == 1'])
      assert.equal(
        (await set(on, { line_number: 3, hit_condition: text }))['code'],
        'invalid_input',
        text,
      );
    assert.deepEqual(only(on), before);
  });

  it('on a function says it in the words of the debugger that runs', async () => {
    const on = bench();
    on.model.dispatch(created('a', { sessionType: 'lldb-dap' }));
    assert.equal(
      breakpointOf(
        await set(on, { file_path: undefined, function_name: 'main', hit_condition: '> 5' }),
      )['hit_condition'],
      '6',
    );
    assert.equal(
      (await set(on, { file_path: undefined, function_name: 'main', hit_condition: '== 5' }))[
        'code'
      ],
      'not_supported',
    );
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
    assert.deepEqual(
      [result['code'], result['candidates'], places(on)],
      [
        'line_not_found',
        [
          { line: 1, text: 'one' },
          { line: 9, text: 'nine' },
        ],
        [],
      ],
    );
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
    assert.deepEqual(
      [result['code'], result['candidates'], places(on)],
      ['line_not_found', undefined, []],
    );
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
    for (const input of [
      {},
      { line_number: 3, line_content: 'three' },
      { line_number: 3, function_name: 'main' },
      { function_name: 'main' },
      { file_path, line_number: 3 },
      { file_path, line_content: 'three' },
      { file_path },
    ]) {
      assert.equal((await set(on, input))['code'], 'invalid_input', JSON.stringify(input));
    }
    assert.deepEqual(places(on), []);
  });

  it('a line that the file does not have, and a file that is not there', async () => {
    const on = bench();
    assert.equal((await set(on, { line_number: 11 }))['code'], 'line_out_of_range');
    for (const where of [{ line_number: 1 }, { line_content: 'one' }])
      assert.equal(
        (await set(on, { file_path: '/home/ada/app/none.js', ...where }))['code'],
        'file_not_found',
      );
    assert.deepEqual(places(on), []);
  });

  it('a line of a notebook', async () => {
    const on = bench();
    on.workspace.files.set('/home/ada/app/a.IPYNB', 'one');
    for (const where of [{ line_number: 1 }, { line_content: 'one' }])
      assert.equal(
        (await set(on, { file_path: '/home/ada/app/a.IPYNB', ...where }))['code'],
        'not_supported',
      );
    assert.deepEqual(places(on), []);
  });
});
