// @ts-check
import tseslint from 'typescript-eslint';

const noVsCode = { name: 'vscode', message: 'Only src/editor, src/mcp/provider and src/extension.ts know VS Code: go through a port (debugger/host.ts, tools/services.ts).' };
const readBounded = 'Read by readRegularFile (src/mcp/regularFile.ts), which refuses what never ends.';
const noMcp = { group: ['@modelcontextprotocol/*'], message: 'Only src/mcp knows the MCP SDK.' };

/**
 * Rooms and what they must not import; docs/design.md says why. That there are no cycles is a unit test.
 * @param {string} room
 * @param {string[]} closed
 * @param {{ vscode?: boolean, mcp?: boolean }} [may]
 */
const walls = (room, closed, { vscode = false, mcp = false } = {}) => ({
  files: [`src/${room}/**/*.ts`, `src/${room}/**/*.tsx`],
  rules: {
    'no-restricted-imports': /** @type {const} */ ([
      'error',
      {
        paths: vscode ? [] : [noVsCode],
        patterns: [{ group: [...closed.map((each) => `**/${each}/*`), '**/extension'], message: `src/${room} must not import from there.` }, ...(mcp ? [] : [noMcp])],
      },
    ]),
  },
});

export default tseslint.config(
  { ignores: ['node_modules', 'out', 'dist', '.vscode-test', 'test/fixtures', 'examples'] },
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['src/**/*.ts', 'src/**/*.tsx', 'test/**/*.ts', 'test/**/*.tsx', 'scripts/**/*.ts'] })),
  {
    files: ['src/**/*.ts', 'src/**/*.tsx', 'test/**/*.ts', 'test/**/*.tsx', 'scripts/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
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
  walls('debugger', ['tools', 'results', 'investigation', 'editor', 'mcp']),
  walls('results', ['tools', 'investigation', 'editor', 'mcp']),
  walls('tools', ['editor', 'mcp']),
  walls('investigation', ['tools', 'editor', 'mcp']),
  walls('editor', ['mcp'], { vscode: true }),
  walls('mcp', ['editor'], { mcp: true }),
  walls('mcp/provider', ['editor'], { vscode: true, mcp: true }),
  {
    // Others may put a device, a FIFO or a file without end where we read: one function reads.
    files: ['src/mcp/**/*.ts'],
    ignores: ['src/mcp/regularFile.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:fs/promises', importNames: ['readFile'], message: readBounded }, { name: 'node:fs', importNames: ['readFile', 'readFileSync', 'createReadStream'], message: readBounded }] },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unsafe-type-assertion': 'off', '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test', 'it'] }] }] },
  },
);
