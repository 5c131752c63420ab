import { strict as assert } from 'node:assert';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import { inputSchemaOf } from '../../../src/tools/jsonSchema';
import { launched, stopped, eventOf } from '../support/events';
import { FILE, bench, paused, type Bench } from '../support/services';

function consentOf(on: Bench, name: string, input: object): string | undefined {
  const tool = ALL_TOOLS.find((candidate) => candidate.name === name);
  assert.ok(tool);
  return tool.check(input).consent(on.services);
}

describe('consent', () => {
  it('is not needed for a read-only tool, and is the effect of any other tool', () => {
    const on = paused(bench());
    for (const tool of ALL_TOOLS) {
      const required = (inputSchemaOf(tool)['required'] as string[] | undefined) ?? [];
      if (tool.effect === 'read' && required.length === 0)
        assert.equal(tool.check({}).consent(on.services), undefined, tool.name);
    }
    assert.equal(consentOf(on, 'stop_debugging', {}), 'control');
    assert.equal(consentOf(on, 'set_breakpoint', { file_path: FILE, line_number: 1 }), 'control');
  });

  it('treats an expression in a breakpoint as an evaluation', () => {
    const on = paused(bench());
    assert.equal(
      consentOf(on, 'set_breakpoint', { file_path: FILE, line_number: 1, condition: 'launch()' }),
      'change',
    );
    assert.equal(
      consentOf(on, 'set_breakpoint', {
        file_path: FILE,
        line_number: 1,
        log_message: '{launch()}',
      }),
      'change',
    );
    assert.equal(
      consentOf(on, 'set_exception_breakpoints', {
        filters: ['raised'],
        conditions: { raised: 'launch()' },
      }),
      'change',
    );
    assert.equal(consentOf(on, 'set_exception_breakpoints', { filters: ['raised'] }), 'control');
  });

  it('treats a log message as plain text only for debuggers that interpolate nothing but braces', () => {
    const kindOf = (
      log_message: string,
      file_path: string,
      debuggers: readonly { type: string; languages: readonly string[] }[],
      ...sessions: string[]
    ): string | undefined => {
      const on = bench();
      on.workspace.debuggers = () =>
        debuggers.map((installed) => ({ ...installed, label: installed.type }));
      for (const sessionType of sessions)
        for (const event of launched(sessionType, { sessionType })) on.model.dispatch(event);
      return consentOf(on, 'set_breakpoint', {
        ...(file_path === '' ? { function_name: 'main' } : { file_path, line_number: 1 }),
        log_message,
      });
    };
    const [node, python, powershell] = [
      { type: 'pwa-node', languages: ['javascript'] },
      { type: 'debugpy', languages: ['python'] },
      { type: 'PowerShell', languages: ['powershell'] },
    ];
    const all = [node, python, powershell, { type: 'java', languages: ['java'] }];
    for (const text of ['here', '$(launch)', '$name', '`launch`', '%s', '"); launch(); //']) {
      for (const file of ['/app/x.js', '/app/x.py'])
        assert.equal(kindOf(text, file, all), 'control', `${text} ${file}`);
      // java-debug inserts the text between quotes into code, and PowerShell treats it as a quoted string.
      for (const file of ['/app/x.ps1', '/app/X.java', '/app/x.unknown', ''])
        assert.equal(kindOf(text, file, all), 'change', `${text} ${file}`);
      assert.equal(kindOf(text, '/app/x.js', []), 'change', 'no debugger is known');
      assert.equal(
        kindOf(text, '/app/x.js', [node, { type: 'other', languages: ['javascript'] }]),
        'change',
        'the session may be one of the other’s',
      );
      assert.equal(
        kindOf(text, '/app/x.js', all, 'pwa-node', 'PowerShell'),
        'change',
        'VS Code sends it to every session',
      );
      assert.equal(kindOf(text, '', all, 'pwa-node', 'go', 'lldb-dap'), 'control');
    }
    assert.equal(kindOf('{launch()}', '/app/x.js', all, 'pwa-node'), 'change');
  });

  it('treats an evaluation as read-only only in the hover context of a debugger that keeps it free of side effects', () => {
    const on = bench();
    const evaluate = (
      sessionType: string,
      context: string,
      supportsEvaluateForHovers = true,
    ): string | undefined => {
      for (const event of [
        ...launched(sessionType, { sessionType }),
        stopped(1, { reason: 'breakpoint' }, sessionType),
        eventOf('capabilities', { capabilities: { supportsEvaluateForHovers } }, sessionType),
      ])
        on.model.dispatch(event);
      const place = on.services.inspector.placeOf(on.session(sessionType), 1);
      return consentOf(on, 'evaluate_expression', {
        expression: 'x',
        frame_id: on.services.inspector.handles.frame(place, 10),
        context,
      });
    };
    assert.equal(evaluate('lldb-dap', 'hover', false), 'change');
    assert.equal(evaluate('lldb-dap', 'hover'), 'look');
    assert.equal(evaluate('lldb-dap', 'watch'), 'change');
    // All three report the capability, but were seen to change the program.
    for (const type of ['pwa-node', 'debugpy', 'go'])
      assert.equal(evaluate(type, 'hover'), 'change', type);
    assert.equal(
      consentOf(on, 'evaluate_expression', { expression: 'x', frame_id: 999, context: 'hover' }),
      'change',
      'a frame that is none',
    );
  });
});
