/**
 * Writes what is derived from the tools' declarations and from the sources: the manifest's tools, its English strings,
 * the reference, the README's table, and the bundle of strings to translate. With `--check` it only compares.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import * as prettier from 'prettier';
import { z } from 'zod';
import { TOOLS } from '../src/tools/catalog';
import type { Tool } from '../src/tools/defineTool';
import { inputSchemaOf } from '../src/tools/jsonSchema';

const root = path.resolve(__dirname, '../..');

type Json = Record<string, unknown>;

/** What each generated file should hold, by its path from the project's root. */
export async function generated(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['package.json', manifest()],
    ['package.nls.json', manifestStrings()],
    ['docs/tools.md', await formatted('docs/tools.md', reference())],
    ['README.md', await formatted('README.md', withTable('README.md', toolTable()))],
    [
      'README.zh-CN.md',
      await formatted(
        'README.zh-CN.md',
        withTable('README.zh-CN.md', toolTable(readJson('package.nls.zh-cn.json'))),
      ),
    ],
    ['l10n/bundle.l10n.json', await bundle()],
  ]);
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
    languageModelTools: TOOLS.map(manifestEntry),
  };
  return json({ ...current, contributes });
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
    inputSchema: inputSchemaOf(tool),
  };
}

function manifestStrings(): string {
  const kept = Object.entries(readJson('package.nls.json')).filter(
    ([key]) => !key.startsWith('tool.'),
  );
  const tools = TOOLS.flatMap((tool) => [
    [`tool.${tool.name}.title`, tool.title],
    [`tool.${tool.name}.description`, tool.userDescription],
  ]);
  return json(Object.fromEntries([...kept, ...tools]));
}

function reference(): string {
  const sections = TOOLS.map((tool) => {
    const output = z.toJSONSchema(tool.output, { target: 'draft-7', io: 'output' });
    const results = Object.keys((output.properties ?? {}) as Json).filter(
      (key) => !['status', 'code', 'message', 'hint', 'omitted'].includes(key),
    );
    return [
      `## \`${tool.name}\``,
      '',
      tool.modelDescription,
      '',
      `Set \`${tool.set}\`, effect \`${tool.effect}\`${tool.effect === 'read' ? ' (never asks)' : ' (asks the person first)'}.`,
      '',
      parameterTable(tool),
      '',
      `Result: \`status\`${results.map((each) => `, \`${each}\``).join('')}.`,
      '',
    ].join('\n');
  });
  return [
    '# The tools',
    '',
    'Generated from their declarations in `src/tools` by `npm run generate`: do not edit.',
    '',
    ...sections,
  ].join('\n');
}

function parameterTable(tool: Tool): string {
  const schema = inputSchemaOf(tool);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  if (properties.length === 0) return 'No parameters.';
  const required = new Set(schema['required'] as string[] | undefined);
  const rows = properties.map(([name, each]) => {
    const type = Array.isArray(each['enum'])
      ? (each['enum'] as string[]).map((value) => `\`"${value}"\``).join(', ')
      : String(each['type']);
    const fallback =
      each['default'] === undefined ? '' : ` (default ${JSON.stringify(each['default'])})`;
    return `| \`${name}\` | ${type} | ${required.has(name) ? 'yes' : 'no'} | ${text(each['description']).replaceAll('|', '\\|')}${fallback} |`;
  });
  return ['| parameter | type | required | |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function toolTable(strings?: Json): string {
  const asks =
    strings === undefined
      ? (tool: Tool) => (tool.effect === 'read' ? 'no' : 'yes')
      : (tool: Tool) => (tool.effect === 'read' ? '否' : '是');
  const head =
    strings === undefined
      ? '| tool | what it does | asks you first |'
      : '| 工具 | 作用 | 是否先询问 |';
  const words = (tool: Tool): string =>
    text(strings?.[`tool.${tool.name}.description`]) || tool.userDescription;
  return [
    head,
    '| --- | --- | --- |',
    ...TOOLS.map((tool) => `| \`${tool.name}\` | ${words(tool)} | ${asks(tool)} |`),
  ].join('\n');
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
 * The sources that import `l10n` in the usual way as one text with one import: l10n-dev takes 0.1 s for each import it
 * finds, however short the file. All others stay as they are.
 */
function combined(sources: readonly Source[]): Source[] {
  const isUsual = ({ contents, extension }: Source): boolean =>
    extension === '.ts' &&
    contents.includes(L10N_IMPORT) &&
    !/from '(vscode|@vscode\/l10n)'|vscode\.l10n/.test(contents.replace(L10N_IMPORT, ''));
  const usual = sources.filter(isUsual).map((each) => each.contents.replace(L10N_IMPORT, ''));
  return [
    { contents: L10N_IMPORT + usual.join('\n'), extension: '.ts' },
    ...sources.filter((each) => !isUsual(each)),
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
