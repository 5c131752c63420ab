// @ts-check
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** Rooms and what they must not import; docs/design.md says why. */
const walls = [
  { target: './src/debugger', from: ['./src/tools', './src/results', './src/editor', './src/mcp', './src/investigation', './src/extension.ts'] },
  { target: './src/results', from: ['./src/tools', './src/editor', './src/mcp', './src/investigation', './src/extension.ts'] },
  { target: './src/tools', from: ['./src/editor', './src/mcp', './src/extension.ts'] },
  { target: './src/investigation', from: ['./src/tools', './src/editor', './src/mcp', './src/extension.ts'] },
  { target: './src/editor', from: ['./src/mcp', './src/extension.ts'] },
  { target: './src/mcp', from: ['./src/editor', './src/extension.ts'] },
];

const noVsCode = { name: 'vscode', message: 'Only src/editor, src/mcp/provider and src/extension.ts know VS Code: go through a port (debugger/host.ts, tools/services.ts).' };
const noMcp = { group: ['@modelcontextprotocol/*'], message: 'Only src/mcp knows the MCP SDK.' };

export default tseslint.config(
  { ignores: ['node_modules', 'out', 'dist', '.vscode-test', 'test/fixtures', 'examples'] },
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['src/**/*.ts', 'src/**/*.tsx', 'test/**/*.ts', 'scripts/**/*.ts'] })),
  {
    files: ['src/**/*.ts', 'src/**/*.tsx', 'test/**/*.ts', 'scripts/**/*.ts'],
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    settings: { 'import-x/resolver-next': [importX.createNodeResolver({ extensions: ['.ts', '.tsx', '.js'] })], 'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] } },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones: walls }],
      'import-x/no-cycle': 'error',
      'no-restricted-imports': ['error', { paths: [noVsCode], patterns: [noMcp] }],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true, ignoreVoidOperator: true }],
      // Ports and tools are asynchronous by contract, also where an answer is at hand.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/prefer-nullish-coalescing': 'off',
      '@typescript-eslint/dot-notation': 'off',
    },
  },
  { files: ['src/editor/**/*.ts', 'src/extension.ts', 'src/mcp/provider/**/*.ts', 'test/host/**/*.ts', 'test/demo/**/*.ts', 'test/bench/**/*.ts'], rules: { 'no-restricted-imports': ['error', { patterns: [noMcp] }] } },
  { files: ['src/mcp/**/*.ts'], rules: { 'no-restricted-imports': ['error', { paths: [noVsCode] }] } },
  { files: ['test/mcp/**/*.ts', 'src/mcp/provider/**/*.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unsafe-type-assertion': 'off', '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test', 'it'] }] }] },
  },
);
