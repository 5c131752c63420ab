import { strict as assert } from 'node:assert';
import path from 'node:path';
import { ESLint, Linter } from 'eslint';

/** The file access that each part of `src` may not use. The rules of `eslint.config.mjs` are applied to new files. */
describe('lint rules for file access', function () {
  // The first test loads ESLint.
  this.timeout(90_000);
  const eslint = new ESLint({ cwd: path.join(__dirname, '../../..') });

  async function refused(file: string, code: string): Promise<boolean> {
    const config = (await eslint.calculateConfigForFile(file)) as { rules: Linter.RulesRecord };
    const rules: Linter.RulesRecord = {};
    for (const name of ['no-restricted-imports', 'no-restricted-syntax'])
      rules[name] = config.rules[name] ?? 'off';
    const messages = new Linter().verify(
      code,
      [
        {
          files: ['**/*.ts'],
          languageOptions: { ecmaVersion: 'latest', sourceType: 'module' },
          rules,
        },
      ],
      { filename: file },
    );
    assert.deepEqual(
      messages.filter((each) => each.fatal),
      [],
      code,
    );
    return messages.some((each) => each.message.includes('fileAccess.ts'));
  }

  const READS = [
    "import { readFile } from 'node:fs/promises';",
    "import fs from 'fs';",
    "export * from 'node:fs';",
    "const fs = await import('node:fs/promises');",
    "const fs = require('fs');",
    "const fs = process.getBuiltinModule('fs');",
    'await vscode.workspace.fs.readFile(uri);',
    'const { fs } = vscode.workspace;',
    'await workspace.fs.stat(uri);',
    'await vscode.workspace.openTextDocument(uri);',
    'const text = editor.document.getText();',
    "await vscode.workspace.findFiles('**/x');",
    'for (const each of vscode.workspace.textDocuments) use(each);',
  ];

  for (const file of [
    'src/tools/new.ts',
    'src/debugger/new.ts',
    'src/results/new.ts',
    'src/investigation/new.ts',
    'src/diagnostics/new.ts',
    'src/editor/diagnostics/new.ts',
    'src/editor/new.ts',
    'src/extension.ts',
    'src/tools/files/fileAccess.ts',
    'src/mcp/new.ts',
    'src/mcp/ui/new.ts',
    'src/mcp/windows/new.ts',
  ]) {
    it(`refuse it in ${file}`, async () => {
      for (const code of READS) assert.equal(await refused(file, code), true, code);
    });
  }

  it('allow it in the modules that read files, and refuse nothing else', async () => {
    for (const file of [
      'src/editor/disk.ts',
      'src/editor/realFiles.ts',
      'src/editor/diagnostics/artefactFiles.ts',
      'src/mcp/windows/keyFile.ts',
      'src/mcp/ui/clientSetUps.ts',
    ])
      for (const code of READS) assert.equal(await refused(file, code), false, `${file}: ${code}`);
    for (const code of [
      "import path from 'node:path';",
      'await services.workspace.readText(file);',
      "const zod = await import('zod');",
    ])
      assert.equal(await refused('src/tools/new.ts', code), false, code);
  });
});
