// @ts-check
import tseslint from 'typescript-eslint';

const noVsCode = {
  name: 'vscode',
  message:
    'Only src/editor, src/mcp/ui and src/extension.ts know VS Code: go through a port (debugger/host.ts, tools/services.ts).',
};
const readBounded =
  'Read by readRegularFile (src/mcp/shared/regularFile.ts), which refuses what never ends.';
const noTemporaryFolder = ['os', 'node:os'].map((name) => ({
  name,
  importNames: ['tmpdir', 'default'],
  message:
    'Temporary files are in the folder of src/editor/privateFolder.ts, which nobody else can change.',
}));
const noMcp = { group: ['@modelcontextprotocol/*'], message: 'Only src/mcp knows the MCP SDK.' };

const noFiles = ['fs', 'node:fs', 'fs/promises', 'node:fs/promises'].map((name) => ({
  name,
  message:
    'Files are read through src/tools/files/fileAccess.ts, which says what may be read without asking.',
}));

/** Code that reads files without importing `fs`. */
const noOtherWays = [
  ...[
    'fs',
    'openTextDocument',
    'openNotebookDocument',
    'textDocuments',
    'findFiles',
    'findTextInFiles',
  ].map((name) => ({
    selector: `MemberExpression[object.property.name='workspace'][property.name='${name}'], MemberExpression[object.name='workspace'][property.name='${name}']`,
  })),
  ...['getText', 'lineAt', 'getBuiltinModule'].map((name) => ({
    selector: `MemberExpression[property.name='${name}']`,
  })),
  { selector: "VariableDeclarator[init.property.name='workspace'] > ObjectPattern" },
  { selector: 'ImportExpression[source.value=/^(node:)?fs(\\u002F|$)/]' },
  { selector: "CallExpression[callee.name='require']" },
].map((rule) => ({
  ...rule,
  message:
    'Files are read through src/tools/files/fileAccess.ts, which says what may be read without asking.',
}));

const noForeignPatterns =
  'A pattern from outside runs on the linear engine (src/results/linearPattern.ts); one of our own is a constant.';
const allButConstants = (/** @type {string} */ argument) =>
  `[${argument}.type!='Literal']:not([${argument}.type='Identifier'][${argument}.name=/^[A-Z_0-9]+$/])`;

/** Patterns from outside, which could run without end; and writing to a log without the one function for it. */
const noEndlessTime = [
  {
    selector:
      ":function NewExpression[callee.name='RegExp'], :function CallExpression[callee.name='RegExp']",
    message: noForeignPatterns,
  },
  {
    selector: `CallExpression[callee.property.name=/^(match|matchAll|search)$/]${allButConstants('arguments.0')}`,
    message: noForeignPatterns,
  },
  {
    selector: "CallExpression[callee.property.name='createOutputChannel']",
    message: 'What is foreign is logged as one bounded line: by src/editor/log.ts.',
  },
];

/** Ways to the text of a project without the limit of its size. */
const noUnboundedText = ['readText', 'readSource'].map((name) => ({
  selector: `MemberExpression[property.name='${name}']`,
  message:
    'The text of a project is scanned by scannedText or scannedIfAny (src/tools/files/scannedText.ts), which bound it.',
}));

/** Code that distinguishes debug adapters by name. Their differences belong in src/debugger/adapters. */
const noAdapterNames = [
  'Literal[value=/^(pwa-.*|debugpy|lldb-dap|js-debug|node-terminal|cppdbg|cppvsdbg)$/]',
  'CallExpression[callee.property.name=/^(ends|starts)With$/][arguments.0.value=/^(node|pwa-)$/]',
  'BinaryExpression[operator=/^[!=]==$/][right.value=/^(node|go|java|python|lldb)$/]',
].map((selector) => ({
  selector,
  message: 'What differs between debug adapters belongs in src/debugger/adapters.',
}));

/** Wire names, which only results have. The debugger and run control return domain objects. */
const noWireNames = [
  'Property > Identifier.key[name=/^[a-z]+(_[a-z]+)+$/]',
  'TSPropertySignature > Identifier.key[name=/^[a-z]+(_[a-z]+)+$/]',
  'Literal[value=/\\b(get|set|list|start|stop|step|wait_for|continue|pause|evaluate|select|remove)_(debug|break|call|stack|scope|variab|except|execution|expression|stop|window)\\w*/]',
].map((selector) => ({
  selector,
  message: 'Wire names and names of tools belong to src/tools and src/results.',
}));

/** Source files that may read files. Tools go through fileAccess.ts; these read files that no tool reads. */
const FILE_READERS = {
  // What /proc on Linux says about the process under debug.
  debugger: ['output/standardInput.ts'],
  // Our own folders: recordings, results of test runners, diagnostics, investigations.
  editor: [
    'disk.ts',
    'realFiles.ts',
    // What /proc on Linux says about processes.
    'processTable.ts',
    'threadDumps.ts',
    'recordingFolders.ts',
    'removeFolder.ts',
    // What the person's editor shows at a recorded line.
    'recorded/shownText.ts',
    'scratchFolders.ts',
    // The standard input of programs that a call starts.
    'inputFiles.ts',
    'diagnostics/artefactFiles.ts',
    'diagnostics/earlierCalls.ts',
    'investigation/sessionFolder.ts',
    // What /proc on Linux says about the processes that a captured command has started.
    'investigation/terminalProcesses.ts',
  ],
  mcp: [
    // The settings files of MCP clients, which the person sets up.
    'clients/configurationFile.ts',
    'clients/setUp.ts',
    'ui/clientSetUps.ts',
    'ui/confirmChange.ts',
    'ui/settingsPreview.ts',
    // The folder that windows share: its key, its entries, the stdio bridge.
    'shared/privateFiles.ts',
    'windows/installBridge.ts',
    'windows/keyFile.ts',
    'windows/registry.ts',
    'stdio/offlineAnswers.ts',
    // Others can write these files as well: only regular files of bounded size are read.
    'shared/regularFile.ts',
    'windows/keyExposure.ts',
    // They only resolve the real path of a folder or settings file.
    'windows/routing.ts',
    'windows/derivedPort.ts',
    'clients/gitWorkTree.ts',
  ],
};

/**
 * The folders of src/mcp: what each must not import, and whether it may use the MCP SDK and VS Code.
 * @type {Record<string, { closed: string[], mcp: boolean, vscode?: boolean }>}
 */
const MCP_FOLDERS = {
  shared: { closed: ['server', 'windows', 'clients', 'stdio', 'ui'], mcp: false },
  server: { closed: ['windows', 'clients', 'stdio', 'ui'], mcp: true },
  windows: { closed: ['clients', 'stdio', 'ui'], mcp: true },
  clients: { closed: ['server', 'stdio', 'ui'], mcp: false },
  // A separate bundle, which runs in any Node.
  stdio: { closed: ['server', 'clients', 'ui'], mcp: false },
  ui: { closed: ['stdio'], mcp: false, vscode: true },
};

/**
 * A folder of src and what it must not import; docs/design.md says why. A unit test checks that there are no cycles.
 * @param {string} room
 * @param {string[]} closed
 * @param {{ vscode?: boolean, mcp?: boolean, temporary?: boolean, files?: readonly string[] }} [may] `files`: only these,
 *   and they may read files; `temporary`: they may use the system's folder for temporary files
 */
const walls = (room, closed, { vscode = false, mcp = false, temporary = false, files } = {}) => ({
  files: files?.map((file) => `src/${room}/${file}`) ?? [
    `src/${room}/**/*.ts`,
    `src/${room}/**/*.tsx`,
  ],
  rules: {
    'no-restricted-syntax': /** @type {const} */ ([
      'error',
      ...(files === undefined ? noOtherWays : []),
      ...noEndlessTime,
      ...noAdapterNames,
      ...(['debugger', 'control'].includes(room) ? noWireNames : []),
      ...(room === 'testing' ? noUnboundedText : []),
    ]),
    'no-restricted-imports': /** @type {const} */ ([
      'error',
      {
        paths: [
          ...(vscode ? [] : [noVsCode]),
          ...(files === undefined ? noFiles : []),
          ...(temporary ? [] : noTemporaryFolder),
        ],
        patterns: [
          {
            group: [...closed.map((folder) => `**/${folder}/*`), '**/extension'],
            message: `src/${room} must not import from there.`,
          },
          ...(mcp ? [] : [noMcp]),
        ],
      },
    ]),
  },
});

/** The folders of `src`. */
const FOLDERS = [
  ...['util', 'debugger', 'control', 'recording', 'results', 'investigation', 'diagnostics'],
  ...['syntax', 'testing', 'trace', 'tools', 'editor', 'mcp'],
];

/** @param {...string} open the folders that may be imported from */
const allBut = (...open) => FOLDERS.filter((folder) => !open.includes(folder));

export default tseslint.config(
  {
    ignores: [
      'node_modules',
      'out',
      'dist',
      'dist-plugin',
      'dist-bridge',
      'dist-release',
      '.vscode-test',
      'test/fixtures',
      'examples',
    ],
  },
  ...tseslint.configs.strictTypeChecked.map((config) => ({
    ...config,
    files: ['src/**/*.ts', 'src/**/*.tsx', 'test/**/*.ts', 'test/**/*.tsx', 'scripts/**/*.ts'],
  })),
  {
    files: ['src/**/*.ts', 'src/**/*.tsx', 'test/**/*.ts', 'test/**/*.tsx', 'scripts/**/*.ts'],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidOperator: true },
      ],
      // Ports and tools are asynchronous by contract, even if the result is available at once.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: true },
      ],
      '@typescript-eslint/prefer-nullish-coalescing': 'off',
      '@typescript-eslint/dot-notation': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    rules: {
      'no-nested-ternary': 'error',
      'max-lines-per-function': [
        'error',
        { max: 50, skipBlankLines: true, skipComments: true, IIFEs: true },
      ],
    },
  },
  walls('util', allBut()),
  walls('debugger', allBut('util')),
  {
    files: ['src/debugger/adapters/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...noOtherWays, ...noEndlessTime] },
  },
  walls('control', allBut('debugger', 'util')),
  walls('recording', allBut('control', 'debugger', 'util')),
  // One room for each debugger, in tracers/.
  walls('trace', allBut('control', 'debugger', 'recording', 'util')),
  walls('results', allBut('debugger', 'util')),
  walls('investigation', allBut('control', 'debugger', 'results', 'util')),
  walls('diagnostics', allBut('debugger', 'results', 'util')),
  walls('syntax', allBut('debugger', 'util')),
  // It runs tests with the launch plans of tools, but knows no tool.
  walls('testing', [
    ...allBut('control', 'debugger', 'results', 'syntax', 'tools', 'util'),
    ...['tools/core', 'tools/trace', 'tools/advanced', 'tools/investigation'],
  ]),
  walls(
    'tools',
    allBut(
      ...[
        'control',
        'debugger',
        'investigation',
        'recording',
        'results',
        'syntax',
        'testing',
        'trace',
        'util',
      ],
    ),
  ),
  walls('editor', ['mcp'], { vscode: true }),
  walls('debugger', allBut('util'), { files: FILE_READERS.debugger }),
  walls('editor', ['mcp'], { vscode: true, files: FILE_READERS.editor }),
  walls('editor', ['mcp'], { vscode: true, files: ['privateFolder.ts'], temporary: true }),
  walls('mcp', ['editor'], { mcp: true }),
  ...Object.entries(MCP_FOLDERS).flatMap(([folder, { closed, ...may }]) => {
    const readers = FILE_READERS.mcp.filter((file) => file.startsWith(`${folder}/`));
    const all = walls(`mcp/${folder}`, ['editor', ...closed], may);
    if (readers.length === 0) return [all];
    return [all, walls('mcp', ['editor', ...closed], { ...may, files: readers })];
  }),
  {
    files: ['src/extension.ts'],
    rules: {
      'no-restricted-imports': ['error', { paths: noFiles }],
      'no-restricted-syntax': ['error', ...noOtherWays, ...noEndlessTime],
    },
  },
  {
    // Others may put a device, a FIFO or an endless file where we read. So one function reads, with checks.
    files: ['src/mcp/**/*.ts'],
    ignores: ['src/mcp/shared/regularFile.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'node:fs/promises', importNames: ['readFile'], message: readBounded },
            {
              name: 'node:fs',
              importNames: ['readFile', 'readFileSync', 'createReadStream'],
              message: readBounded,
            },
          ],
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 650, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/no-unsafe-type-assertion': 'off',
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test', 'it'] }],
        },
      ],
    },
  },
);
