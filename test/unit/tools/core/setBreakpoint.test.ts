import { strict as assert } from 'node:assert';
import { binding, breakpointOf, only, places, set, theirs } from '../../support/breakpointCalls';
import { answered, asked, created, stopped } from '../../support/events';
import { bench, FILE, running, type Bench } from '../../support/services';

describe('set_breakpoint', () => {
  it('sets it as the agent’s if nothing was there before', async () => {
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

  it('reports how the running program’s adapter bound it', async () => {
    const on = binding(running(bench()));
    assert.deepEqual(breakpointOf(await set(on, { line_number: 3 }))['bound'], [
      { session_id: 's1', verified: true, line: 3 },
    ]);
    assert.equal(on.model.listenerCount, 0);
  });

  it('keeps one breakpoint if the same place is set twice, and reports no change', async () => {
    const on = bench();
    await set(on, { line_number: 3, condition: 'x' });
    const { hostId } = only(on);
    const again = await set(on, { line_number: 3, condition: 'x' });
    assert.deepEqual(
      [breakpointOf(again)['id'], again['changed'], only(on).hostId],
      [1, {}, hostId],
    );
  });

  it('replaces it if the conditions at the same place differ, and reports the old and new values', async () => {
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

  it('does not report a hit count that is only spelled differently as a change', async () => {
    const on = bench();
    await set(on, { line_number: 3, hit_condition: '% 2 == 0' });
    assert.deepEqual((await set(on, { line_number: 3, hit_condition: '%2' }))['changed'], {});
  });

  it('keeps the hits of a breakpoint that it replaces', async () => {
    const on = binding(running(bench()));
    await set(on, { line_number: 3 });
    on.model.dispatch(stopped(1, { reason: 'breakpoint', hitBreakpointIds: [0] }));
    assert.equal(breakpointOf(await set(on, { line_number: 3, condition: 'x' }))['hits'], 1);
  });

  it('finds a breakpoint that was bound elsewhere by its requested place', async () => {
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

  it('treats lines, columns and functions as different places', async () => {
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

  it('enables the agent’s own disabled breakpoint again, and reports that', async () => {
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

describe('set_breakpoint where the person has a breakpoint', () => {
  it('is refused if the conditions differ, and leaves the person’s breakpoint unchanged', async () => {
    const on = bench();
    const made = theirs(on, 3, { condition: 'mine', logMessage: 'seen' });
    const result = await set(on, { line_number: 3, condition: 'x' });
    assert.deepEqual(
      [result['code'], result['existing']],
      ['not_supported', { id: 1, enabled: true, condition: 'mine', log_message: 'seen' }],
    );
    assert.deepEqual([only(on), on.services.breakpoints.ownerOf(made)], [made, 'user']);
  });

  it('is refused if the person’s breakpoint is disabled, which stays disabled', async () => {
    const on = bench();
    on.host.setEnabled(theirs(on, 3).hostId, false);
    assert.equal((await set(on, { line_number: 3 }))['code'], 'not_supported');
    assert.equal(only(on).enabled, false);
  });

  it('uses the person’s breakpoint if it is as requested, and leaves it to the person', async () => {
    const on = bench();
    const made = theirs(on, 3);
    const result = await set(on, { line_content: 'three' });
    assert.deepEqual(
      [breakpointOf(result)['owner'], breakpointOf(result)['line_content'], result['changed']],
      ['user', undefined, {}],
    );
    assert.deepEqual(only(on), made);
  });

  it('sets its own if the person’s breakpoint is in another column', async () => {
    const on = bench();
    theirs(on, 3, { column: 7, condition: 'mine' });
    assert.equal(breakpointOf(await set(on, { line_number: 3 }))['owner'], 'agent');
    assert.equal(on.host.breakpoints().length, 2);
  });
});

describe('set_breakpoint: a logpoint with a condition', () => {
  const of = (type: string): Bench => {
    const on = bench();
    on.workspace.debuggers = () => [{ type, label: type, languages: ['javascript'] }];
    return on;
  };
  const input = { line_number: 3, condition: 'i === 2', log_message: 'at {i}' };

  it('is refused if the debugger would stop there; the hint is a condition that prints', async () => {
    const on = of('node');
    const result = await set(on, input);
    assert.equal(result['code'], 'not_supported');
    assert.match(String(result['message']), /uses only condition and ignores log_message/);
    assert.ok(
      String(result['hint']).includes('"(i === 2) && (console.log(`at ${i}`), false)"'),
      String(result['hint']),
    );
    assert.deepEqual(places(on), []);
    const counted = await set(on, { line_number: 3, log_message: 'x', hit_condition: '> 2' });
    assert.match(String(counted['hint']), /Leave out hit_condition/);
  });

  it('is set if the debugger supports both, or is not known to ignore either', async () => {
    for (const type of ['debugpy', 'go', 'test']) {
      const on = of(type);
      const result = await set(on, input);
      assert.equal(breakpointOf(result)['log_message'], 'at {i}', type);
      assert.equal(result['hint'], undefined, type);
    }
  });

  it('is set with a hint that support is unknown if no debugger is known for the file', async () => {
    const on = bench();
    on.workspace.debuggers = () => [];
    assert.match(
      String((await set(on, input))['hint']),
      /not known yet which debugger will use it. js-debug uses only/,
    );
    assert.equal((await set(on, { line_number: 4, log_message: 'x' }))['hint'], undefined);
  });
});

describe('set_breakpoint: a hit count', () => {
  /** A bench with one debugger, for files of its language. */
  const installed = (type: string, language: string): Bench => {
    const on = bench();
    on.workspace.debuggers = () => [{ type, label: type, languages: [language] }];
    on.workspace.languageOf = () => Promise.resolve(language);
    return on;
  };

  it('is written in the syntax of the debugger for the file', async () => {
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

  it('is refused if the debugger has no syntax for it, with the syntax that it understands; nothing is set', async () => {
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

  it('is invalid input if it is malformed, and leaves the existing breakpoint unchanged', async () => {
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

  it('on a function is written in the syntax of the running debugger', async () => {
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

describe('set_breakpoint by the text of its line', () => {
  it('finds the only line that matches, ignoring surrounding blanks, and returns its text', async () => {
    const on = bench();
    const { line, line_content } = breakpointOf(await set(on, { line_content: '  five ' }));
    assert.deepEqual([line, line_content, places(on)], [5, 'five', [5]]);
  });

  it('names the candidates if several lines match, and sets nothing', async () => {
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

  it('names only some of very many candidates', async () => {
    const on = bench();
    on.workspace.files.set(FILE, Array.from({ length: 1000 }, () => '}').join('\n'));
    const { candidates, message } = await set(on, { line_content: '}' });
    assert.ok(Array.isArray(candidates));
    assert.equal(candidates.length, 20);
    assert.match(String(message), /1000/);
  });

  it('names no candidates if no line matches', async () => {
    const on = bench();
    const result = await set(on, { line_content: 'eleven' });
    assert.deepEqual(
      [result['code'], result['candidates'], places(on)],
      ['line_not_found', undefined, []],
    );
  });

  it('still follows the text if the line is then set by its number', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    assert.equal(breakpointOf(await set(on, { line_number: 5 }))['line_content'], 'five');
  });
});

describe('set_breakpoint: invalid places', () => {
  it('refuses more or less than one way to name the place, and sets nothing', async () => {
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

  it('refuses a line that the file does not have, and a missing file', async () => {
    const on = bench();
    assert.equal((await set(on, { line_number: 11 }))['code'], 'line_out_of_range');
    for (const where of [{ line_number: 1 }, { line_content: 'one' }])
      assert.equal(
        (await set(on, { file_path: '/home/ada/app/none.js', ...where }))['code'],
        'file_not_found',
      );
    assert.deepEqual(places(on), []);
  });

  it('refuses a line of a notebook', async () => {
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
