/**
 * Writes the files that are generated from the tools' declarations and from the sources: the manifest's tools, its
 * English strings, the reference, the README's table, and the bundle of strings to translate. `--check` only compares.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import * as prettier from 'prettier';
import { z } from 'zod';
import { ALL_TOOLS, DEFAULT_SETS, TOOLS } from '../src/tools/catalog';
import type { Tool, ToolSet } from '../src/tools/defineTool';
import { SHRINK_STEPS, WHOLE } from '../src/results/fieldRules';
import { restText } from '../src/results/fields';
import { nonEmpty, readFacts } from './publishing/facts';
import { NOTICES, noticesOf } from './publishing/notices';
import { productionPackages } from './publishing/packages';
import { inputSchemaOf } from '../src/tools/jsonSchema';

const root = path.resolve(__dirname, '../..');

type Json = Record<string, unknown>;

/** The expected content of each generated file, by its path from the project's root. */
export async function generated(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['package.json', manifest()],
    ['package.nls.json', manifestStrings()],
    [AGENT, await formatted(AGENT, agentWithTools())],
    ['docs/tools.md', await formatted('docs/tools.md', reference())],
    ...(await tablesOfTools()),
    ['l10n/bundle.l10n.json', await bundle()],
    [NOTICES, noticesOf(productionPackages(root))],
  ]);
}

/** The tables of tools: those that are on by default in the READMEs, the others in `docs`, in both languages. */
async function tablesOfTools(): Promise<[string, string][]> {
  const tables: [string, string][] = [];
  for (const language of ['', '.zh-CN']) {
    const strings = language === '' ? undefined : readJson('package.nls.zh-cn.json');
    for (const [file, table] of [
      [`README${language}.md`, toolTable(TOOLS, strings)],
      [`docs/tool-sets${language}.md`, tablesOfOtherSets(strings)],
    ] as const)
      tables.push([file, await formatted(file, withTable(file, table))]);
  }
  return tables;
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

function readJson(file: string): Json {
  return JSON.parse(read(file)) as Json;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

async function formatted(file: string, content: string): Promise<string> {
  const filepath = path.join(root, file);
  return prettier.format(content, { ...(await prettier.resolveConfig(filepath)), filepath });
}

function manifest(): string {
  const current = readJson('package.json');
  const contributes = {
    ...(current['contributes'] as Json),
    languageModelTools: ALL_TOOLS.map(manifestEntry),
  };
  return json({ ...current, ...addresses(), contributes });
}

/** The project's addresses, as far as publishing.json contains them. */
function addresses(): Json {
  const { publisher, homepage, repository, bugs } = readFacts(root);
  return {
    ...nonEmpty({ publisher, homepage }),
    ...(repository !== '' && { repository: { type: 'git', url: repository } }),
    ...(bugs !== '' && { bugs: { url: bugs }, qna: bugs }),
  };
}

function manifestEntry(tool: Tool): Json {
  return {
    name: tool.name,
    toolReferenceName: tool.name,
    displayName: `%tool.${tool.name}.title%`,
    userDescription: `%tool.${tool.name}.description%`,
    modelDescription: tool.modelDescription,
    icon: `$(${tool.icon})`,
    tags: ['debug', tool.effect],
    canBeReferencedInPrompt: true,
    // Chats are offered the tools of the sets that are on.
    ...(tool.set === 'core' ? {} : { when: `config.agentDebugger.sets.${tool.set}` }),
    inputSchema: inputSchemaOf(tool, 'accepted'),
  };
}

const AGENT = 'agents/debugger.agent.md';

/** The agent may use only our tools. VS Code ignores the tools of a set that is off, because they do not exist. */
function agentWithTools(): string {
  const tools = ALL_TOOLS.map(({ name }) => `  - ${name}\n`).join('');
  return read(AGENT).replace(/^tools:.*\n(?: {2}.*\n)*/m, () => `tools:\n${tools}`);
}

function manifestStrings(): string {
  const kept = Object.entries(readJson('package.nls.json')).filter(
    ([key]) => !key.startsWith('tool.'),
  );
  const tools = ALL_TOOLS.flatMap((tool) => [
    [`tool.${tool.name}.title`, tool.title],
    [`tool.${tool.name}.description`, tool.userDescription],
  ]);
  return json(Object.fromEntries([...kept, ...tools]));
}

const SET_HEADS: Readonly<Record<ToolSet, string>> = {
  core: 'Set `core`: on by default',
  trace: 'Set `trace`: on by default',
  live: 'Set `live`: off by default',
  advanced: 'Set `advanced`: off by default',
  investigation: 'Set `investigation`: off by default',
};

function reference(): string {
  const sets = [...new Set(ALL_TOOLS.map((tool) => tool.set))];
  const sections = sets.flatMap((set) => [
    `## ${SET_HEADS[set]}`,
    '',
    ...ALL_TOOLS.filter((tool) => tool.set === set).map(section),
  ]);
  return [
    '# The tools',
    '',
    'Generated from their declarations in `src/tools` by `npm run generate`: do not edit.',
    '',
    ...sections,
    ...longResults(),
  ].join('\n');
}

function section(tool: Tool): string {
  const output = z.toJSONSchema(tool.output, { target: 'draft-7', io: 'output' });
  const results = Object.keys((output.properties ?? {}) as Json).filter(
    (key) => !['status', 'code', 'message', 'hint', 'omitted'].includes(key),
  );
  return [
    `### \`${tool.name}\``,
    '',
    tool.modelDescription,
    '',
    `Effect \`${tool.effect}\` (${asksWhen(tool)}).`,
    '',
    parameterTable(tool),
    '',
    ...(tool.evidence
      ? [
          'With the set `investigation` on, `sid` keeps the answer as evidence: `evidence` is its link.',
          '',
        ]
      : []),
    `Result: \`status\`${results.map((field) => `, \`${field}\``).join('')}.`,
    '',
  ].join('\n');
}

function asksWhen({ effect, asksWith }: Tool): string {
  if (effect === 'read') return 'never asks';
  return asksWith === undefined
    ? 'asks the person first'
    : `with \`${asksWith}\`, asks the person first; without, it only reads and never asks`;
}

/** How results are shortened, from the declarations of their fields. */
function longResults(): readonly string[] {
  const rows = SHRINK_STEPS.map(
    ({ path: at, keep, from, counted, rest }) =>
      `| \`${at.join('.')}\` | ${from === 'start' ? 'first' : 'last'} ${keep} | \`${counted}\` | ${rest === undefined ? '' : `\`${restText(rest, 0).replace(/=0$/, '')}\``} |`,
  );
  return [
    '## Long results',
    '',
    'A result that exceeds `max_chars` is shortened: long texts first, then these lists, from the first row on, as far as needed. `omitted` counts what was left out, and `fetch_…` beside it says how to get it.',
    '',
    '| list | keeps at least the | counted as | the rest |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    `Never cut: ${[...WHOLE].map((name) => `\`${name}\``).join(', ')}.`,
    '',
  ];
}

function parameterTable(tool: Tool): string {
  const schema = inputSchemaOf(tool);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  if (properties.length === 0) return 'No parameters.';
  const required = new Set(schema['required'] as string[] | undefined);
  const rows = properties.map(([name, property]) => {
    const type = Array.isArray(property['enum'])
      ? (property['enum'] as string[]).map((value) => `\`"${value}"\``).join(', ')
      : String(property['type']);
    const fallback =
      property['default'] === undefined ? '' : ` (default ${JSON.stringify(property['default'])})`;
    return `| \`${name}\` | ${type} | ${required.has(name) ? 'yes' : 'no'} | ${text(property['description']).replaceAll('|', '\\|')}${fallback} |`;
  });
  return ['| parameter | type | required | |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** A table of tools: name, what it does, whether the person is asked. English, or with translated strings. */
function toolTable(tools: readonly Tool[], strings: Json | undefined): string {
  const isEnglish = strings === undefined;
  const [yes, no, withIt] = isEnglish ? ['yes', 'no', 'with'] : ['是', '否', '仅当使用'];
  const asks = ({ effect, asksWith }: Tool): string => {
    if (effect === 'read') return no;
    return asksWith === undefined ? yes : `${withIt} \`${asksWith}\``;
  };
  const description = (tool: Tool): string =>
    text(strings?.[`tool.${tool.name}.description`]) || tool.userDescription;
  return [
    isEnglish ? '| tool | what it does | asks you first |' : '| 工具 | 作用 | 是否先询问 |',
    '| --- | --- | --- |',
    ...tools.map((tool) => `| \`${tool.name}\` | ${description(tool)} | ${asks(tool)} |`),
  ].join('\n');
}

function tablesOfOtherSets(strings: Json | undefined): string {
  const others = [...new Set(ALL_TOOLS.map((tool) => tool.set))].filter(
    (set) => !DEFAULT_SETS.includes(set),
  );
  const heading = (set: ToolSet): string =>
    strings === undefined ? `## The set \`${set}\`` : `## 工具集 \`${set}\``;
  return others
    .flatMap((set) => [
      heading(set),
      toolTable(
        ALL_TOOLS.filter((tool) => tool.set === set),
        strings,
      ),
    ])
    .join('\n\n');
}

function withTable(file: string, table: string): string {
  return read(file).replace(
    /(<!-- tools -->\n)[\s\S]*?(<!-- \/tools -->)/,
    (_whole, start: string, end: string) => `${start}${table}\n${end}`,
  );
}

type Source = Parameters<typeof getL10nJson>[0][number];

const L10N_IMPORT = "import * as l10n from '@vscode/l10n';\n";

/**
 * Joins the sources that import `l10n` in the usual way into one text with one import, because l10n-dev takes 0.1 s for
 * each import, however short the file. All other sources stay as they are.
 */
function combined(sources: readonly Source[]): Source[] {
  const isUsual = ({ contents, extension }: Source): boolean =>
    extension === '.ts' &&
    contents.includes(L10N_IMPORT) &&
    !/from '(vscode|@vscode\/l10n)'|vscode\.l10n/.test(contents.replace(L10N_IMPORT, ''));
  const usual = sources.filter(isUsual).map((source) => source.contents.replace(L10N_IMPORT, ''));
  return [
    { contents: L10N_IMPORT + usual.join('\n'), extension: '.ts' },
    ...sources.filter((source) => !isUsual(source)),
  ];
}

async function bundle(): Promise<string> {
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file),
  );
  const contents = combined(
    files.sort().map((file) => ({
      contents: read(path.join('src', file)),
      extension: file.endsWith('.tsx') ? ('.tsx' as const) : ('.ts' as const),
    })),
  );
  const strings = await getL10nJson(contents);
  return json(
    Object.fromEntries(Object.entries(strings).sort(([one], [other]) => (one < other ? -1 : 1))),
  );
}

async function main(): Promise<void> {
  const check = process.argv.includes('--check');
  const stale: string[] = [];
  for (const [file, content] of await generated()) {
    if (read(file) === content) continue;
    stale.push(file);
    if (!check) writeFileSync(path.join(root, file), content);
  }
  if (stale.length === 0) console.log('generated files: up to date');
  else if (check) throw new Error(`out of date, run "npm run generate": ${stale.join(', ')}`);
  else console.log(`generated files: wrote ${stale.join(', ')}`);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
