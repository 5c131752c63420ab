import { strict as assert } from 'node:assert';
import { extensionLackedBy, missingDebuggers } from '../../../../src/tools/launch/missingDebugger';
import { ask } from '../../support/asking';
import { bench, type Bench } from '../../support/services';

/** A workspace with these files, each in its language, and these installed debuggers. */
function workspaceWith(files: Readonly<Record<string, string>>, ...installed: string[]): Bench {
  const on = bench();
  for (const [file, language] of Object.entries(files)) {
    on.workspace.files.set(`/home/ada/app/${file}`, '');
    on.workspace.languages.set(`/home/ada/app/${file}`, language);
  }
  on.workspace.installed = installed.map((type) => ({ type, languages: [] }));
  return on;
}

describe('a debugger that is missing', () => {
  for (const [file, language, extension] of [
    ['app.py', 'python', 'ms-python.debugpy'],
    ['main.go', 'go', 'golang.go'],
    ['Main.java', 'java', 'vscjava.vscode-java-debug'],
  ] as const)
    it(`for ${language} is reported with its extension`, async () => {
      const on = workspaceWith({ [file]: language }, 'node');
      const answer = await ask(on, 'start_debugging', { program: `/home/ada/app/${file}` });
      assert.deepEqual(
        [answer['code'], answer['extension'], answer['installed']],
        ['debugger_not_installed', extension, ['node']],
      );
      assert.ok(String(answer['hint']).includes(extension));
      assert.equal(extensionLackedBy(answer), extension);
    });

  it('for an unknown language is reported without an extension', async () => {
    const on = workspaceWith({ 'a.cob': 'cobol' }, 'node');
    const answer = await ask(on, 'start_debugging', { program: '/home/ada/app/a.cob' });
    assert.equal(answer['code'], 'debugger_not_installed');
    assert.equal('extension' in answer, false);
    assert.equal(extensionLackedBy(answer), undefined);
  });

  it('for a launch configuration is found by its type', async () => {
    const on = workspaceWith({}, 'node');
    const answer = await ask(on, 'start_debugging', {
      program: '/home/ada/app/main.js',
      type: 'lldb',
    });
    assert.equal(answer['extension'], 'vadimcn.vscode-lldb');
  });

  it('is not found in another error', () => {
    assert.equal(extensionLackedBy({ code: 'not_supported', extension: 'a.b' }), undefined);
    assert.equal(extensionLackedBy(undefined), undefined);
  });

  it('is found from the files of the workspace, unless one is installed', async () => {
    const files = { 'a.py': 'python', 'b.go': 'go', 'c.rs': 'rust' };
    assert.deepEqual(
      await missingDebuggers(workspaceWith(files, 'node', 'dlv-dap', 'go').services),
      [
        { extension: 'ms-python.debugpy', language: 'Python' },
        { extension: 'llvm-vs-code-extensions.lldb-dap', language: 'C, C++, Rust, Swift' },
      ],
    );
    assert.deepEqual(
      await missingDebuggers(workspaceWith(files, 'debugpy', 'go', 'cppdbg').services),
      [],
    );
  });
});
