/**
 * `npm run release -- --dry-run`: builds, checks and packages everything into `dist-release/`. Without `--dry-run` it
 * requires a complete publishing.json, and prints the commands that publish, which need the maintainer's tokens.
 * `--no-check` skips `npm run check`. `--copy <file>` also copies the extension there.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { fields } from '../src/debugger/protocol';
import { BIN, bridgeFiles } from './publishing/bridgePackage';
import {
  bundled,
  changelogProblems,
  contentProblems,
  linkProblems,
  undatedProblems,
  versionProblems,
  withoutReadmePictures,
  type Problems,
} from './publishing/checks';
import { publishingCommands } from './publishing/commands';
import { isPreRelease, missingFacts, readFacts, PUBLISHING, type Facts } from './publishing/facts';
import { openVsxProblems } from './publishing/openVsx';
import { productionPackages } from './publishing/packages';
import { pluginFiles, type Files } from './publishing/plugin';
import { sbomOf } from './publishing/sbom';
import { pluginManifest, pluginServers, registryServer } from './publishing/schemas';
import { writeFiles } from './publishing/writeFiles';

const root = path.resolve(__dirname, '../..');
const target = path.join(root, 'dist-release');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

function run(program: string, args: readonly string[], cwd = root): string {
  const { status, signal, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(
    `${program} ${args.join(' ')} ended with ${status ?? signal}:\n${stdout}${stderr}`,
  );
}

/** The arguments of vsce. The Marketplace shows relative images only if their base address is given. */
function packageArguments({ version, repository, images }: Facts, file: string): readonly string[] {
  return [
    ...['vsce', 'package', '--no-dependencies', '--out', file],
    ...(repository === '' ? ['--allow-missing-repository'] : []),
    ...(images === '' ? ['--no-rewrite-relative-links'] : ['--baseImagesUrl', images]),
    ...(isPreRelease(version) ? ['--pre-release'] : []),
    ...contentArguments(images),
  ];
}

function contentArguments(images: string): readonly string[] {
  if (images === '') return [];
  const file = path.join(target, '.vscodeignore');
  writeFileSync(file, withoutReadmePictures(read('.vscodeignore')));
  return ['--ignoreFile', file];
}

function json(text: string | undefined): unknown {
  return JSON.parse(text ?? '{}') as unknown;
}

function checkFormats(plugin: Files, bridge: Files): void {
  pluginManifest.parse(json(plugin.get('plugin.json')));
  pluginServers.parse(json(plugin.get('mcp.json')));
  if (bridge.has('server.json')) registryServer.parse(json(bridge.get('server.json')));
}

/** Lets Claude Code validate its form of the plugin, if it is installed. Without `author` it only warns. */
function validateWithClaude(folder: string): string {
  const client = path.join(root, '.vscode-test', 'mcp-clients', 'node_modules', 'claude', 'claude');
  if (!existsSync(client)) return 'claude plugin validate: not run, the client is not installed';
  run(client, ['plugin', 'validate', folder]);
  return 'claude plugin validate: passed';
}

/** Publishes the extension to a registry on this machine with Open VSX's tool. In CI the tool must be installed. */
async function tryOpenVsx(vsix: string): Promise<Problems> {
  const tool = path.join(root, 'node_modules', 'ovsx', 'bin', 'ovsx');
  if (!existsSync(tool)) {
    const message = 'ovsx publish: not run, the tool is not installed (npm ci)';
    console.log(message);
    return process.env['CI'] === undefined ? [] : [message];
  }
  const problems = await openVsxProblems(tool, vsix);
  if (problems.length === 0) console.log('ovsx publish: accepted by a registry on this machine');
  return problems;
}

/** The files in the package, by their paths in the extension's folder. */
function filesIn(vsix: Uint8Array): readonly string[] {
  const names: string[] = [];
  const filter = ({ name }: { readonly name: string }): boolean => {
    if (name.startsWith('extension/')) names.push(name.slice('extension/'.length));
    return false;
  };
  unzipSync(vsix, { filter });
  return names;
}

/** The packaged documents by their names. Pictures may be left out of the package, so their links are not kept. */
function documentsIn(vsix: Uint8Array): ReadonlyMap<string, string> {
  const entries = unzipSync(vsix, {
    filter: ({ name }) => /^extension\/[^/]*(?:\/[^/]*)?\.md$/.test(name),
  });
  return new Map(
    Object.entries(entries).map(([name, bytes]) => [
      name.slice('extension/'.length),
      strFromU8(bytes).replace(/!\[[^\]]*\]\([^)]*\)/g, ''),
    ]),
  );
}

function versionIn(vsix: Uint8Array): unknown {
  const entry = unzipSync(vsix, { filter: ({ name }) => name === 'extension/package.json' });
  const bytes = entry['extension/package.json'];
  return bytes === undefined ? undefined : fields(json(strFromU8(bytes)))['version'];
}

function zipped(files: Files): Uint8Array {
  return zipSync(Object.fromEntries([...files].map(([name, text]) => [name, strToU8(text)])));
}

function extensionFile({ name, version }: Facts): string {
  return path.join(target, `${name}-${version}.vsix`);
}

/** Packages everything. @returns the problems */
async function packageAll(facts: Facts): Promise<Problems> {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const packageFile = extensionFile(facts);
  run('npx', packageArguments(facts, packageFile));
  const vsix = readFileSync(packageFile);
  const built = readdirSync(path.join(root, 'dist')).map((name) => `dist/${name}`);
  const maps = built.filter((file) => file.endsWith('.map')).map(read);
  const { used, problems } = bundled(maps, productionPackages(root));
  writeFileSync(path.join(target, 'sbom.cdx.json'), sbomOf(facts, used));

  const stdio = read('dist/stdio.js');
  const [plugin, bridge] = [pluginFiles(root, facts, stdio), bridgeFiles(root, facts, stdio)];
  checkFormats(plugin, bridge);
  writeFiles(path.join(root, 'dist-plugin'), plugin);
  writeFiles(path.join(root, 'dist-bridge'), bridge, [BIN]);
  writeFileSync(path.join(target, `${facts.name}-plugin-${facts.version}.zip`), zipped(plugin));
  run('npm', ['pack', '--pack-destination', target], path.join(root, 'dist-bridge'));
  console.log(validateWithClaude(path.join(root, 'dist-plugin')));

  const versions = {
    'the extension': versionIn(vsix),
    'the plugin': fields(json(plugin.get('plugin.json')))['version'],
    'the bridge': fields(json(bridge.get('package.json')))['version'],
  };
  return [
    ...problems,
    ...changelogProblems(read('CHANGELOG.md'), facts),
    ...contentProblems(filesIn(vsix), built),
    ...linkProblems(documentsIn(vsix), filesIn(vsix)),
    ...versionProblems(versions, facts),
    ...(await tryOpenVsx(packageFile)),
  ];
}

/** What a maintainer must do before a release. A dry run only prints it. */
function unfinished(facts: Facts): Problems {
  const missing = missingFacts(facts);
  return [
    ...(missing.length > 0 ? [`${PUBLISHING} is not filled in yet: ${missing.join(', ')}.`] : []),
    ...undatedProblems(read('CHANGELOG.md'), facts),
  ];
}

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      'dry-run': { type: 'boolean', default: false },
      'no-check': { type: 'boolean', default: false },
      copy: { type: 'string' },
    },
  });
  const facts = readFacts(root);
  const toDo = unfinished(facts);
  if (toDo.length > 0 && !values['dry-run'])
    throw new Error([...toDo, 'Nothing was done.'].join('\n'));
  for (const problem of toDo) console.log(problem);
  if (!values['no-check']) run('npm', ['run', 'check']);
  const problems = await packageAll(facts);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  if (values.copy !== undefined) copyFileSync(extensionFile(facts), values.copy);
  for (const file of readdirSync(target).sort()) console.log(`dist-release/${file}`);
  if (!values['dry-run']) console.log(['To publish:', ...publishingCommands(facts)].join('\n'));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
