// @ts-check
/**
 * `npm run campaign`: `debug_test` on real projects with planted faults, against the plain runner's own report.
 * `npm run campaign -- boltons gjson` runs parts; see `USAGE` for the rest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as prettier from 'prettier';
import { build } from './build.mjs';

const USAGE = `npm run campaign -- [options] [projects or runners]
  --project <file>  a description of further projects, or a folder with a campaign.json
  --quick           the part that runs in CI, without the aims for times
  --most <n>        at most n failing tests of each project (default: 20; quick: 1)
  --prepare         only install the projects and plant the faults
  --fresh           search other faults than the pinned ones, with AGENT_DEBUGGER_CAMPAIGN_SEED
  --pin             write the faults that were found into the catalogue
  --table           only the table of what was measured before
  --report-only     exit code 0 also if an aim is missed
  --write           put the table into docs/performance.md
  --built           use what is compiled and bundled`;

/** The debug views would be rendered at each stop, and the projects have thousands of files to watch. */
const SETTINGS = {
  'debug.openDebug': 'neverOpen',
  'debug.internalConsoleOptions': 'neverOpen',
  'debug.toolBarLocation': 'hidden',
  'git.enabled': false,
  'typescript.tsserver.useSyntaxServer': 'always',
  'files.watcherExclude': { '**': true },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    project: { type: 'string', multiple: true },
    quick: { type: 'boolean' },
    most: { type: 'string' },
    prepare: { type: 'boolean' },
    fresh: { type: 'boolean' },
    pin: { type: 'boolean' },
    table: { type: 'boolean' },
    'report-only': { type: 'boolean' },
    write: { type: 'boolean' },
    built: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
if (!values.built) build();
const { catalogue, described, preparedFile, resultFile, CAMPAIGN_FOLDER } = await import(
  path.join(root, 'out/test/campaign/project.js')
);
const { nodeFolder } = await import(path.join(root, 'out/test/campaign/runtime.js'));
const { prepare } = await import(path.join(root, 'out/test/campaign/prepare.js'));
const { tableOf, shortfallsOf, missedAims } = await import(
  path.join(root, 'out/test/campaign/table.js')
);

/** @typedef {{ name: string, runner: string, language: string, quick?: boolean, fault?: object }} Project */
/** @type {readonly Project[]} */
const selected = values.fresh ? selection().map(withoutFault) : selection();
mkdirSync(CAMPAIGN_FOLDER, { recursive: true });
const { ready, unprepared } = values.table ? { ready: [], unprepared: [] } : await prepareAll();
if (values.pin) await pin(ready);
if (!values.prepare && !values.table && ready.length > 0) await measure();
if (!values.prepare) await tell(measured());
if (unprepared.length > 0) process.exitCode = 1;

function selection() {
  const further = (values.project ?? []).flatMap((each) => described(each));
  const all = [...catalogue(), ...further];
  const isNamed = (/** @type {Project} */ { name, runner, language }) =>
    [name, runner, language].some((each) => positionals.includes(each));
  const unknown = positionals.filter(
    (word) => !all.some(({ name, runner, language }) => [name, runner, language].includes(word)),
  );
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(', ')}.\n${USAGE}`);
    process.exit(1);
  }
  if (positionals.length > 0) return all.filter(isNamed);
  if (further.length > 0) return further;
  return values.quick ? all.filter(({ quick }) => quick === true) : all;
}

/** Without the pinned fault, another one is searched. @param {Project} project @returns {Project} */
function withoutFault({ fault: _pinned, ...project }) {
  rmSync(preparedFile(project), { force: true });
  return project;
}

/** Installs the projects and plants the faults, in sequence. */
async function prepareAll() {
  const ready = [];
  const unprepared = [];
  for (const project of selected) {
    const say = (/** @type {string} */ text) => console.error(`[${project.name}] ${text}`);
    try {
      ready.push(await prepare(project, say));
    } catch (error) {
      unprepared.push(project.name);
      console.error(
        `[${project.name}] not prepared: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
  console.log(`Prepared: ${ready.length} of ${selected.length}.`);
  return { ready, unprepared };
}

/** Runs the calls in VS Code, and prints what they showed. */
async function measure() {
  for (const { project } of ready) rmSync(resultFile(project), { force: true });
  for (const [node, group] of groups()) {
    const status = await measureIn(node, group);
    const missing = group.filter(({ project }) => !existsSync(resultFile(project)));
    if (status === 0 && missing.length === 0) continue;
    const names = missing.map(({ project }) => project.name).join(', ');
    console.error(`VS Code ended with ${status}. Not measured: ${names || 'none'}.`);
    process.exitCode = 1;
  }
}

/** What was measured of the selected projects, in this run or before. */
function measured() {
  return selected
    .map((project) => resultFile(project))
    .filter((/** @type {string} */ file) => existsSync(file))
    .map((/** @type {string} */ file) => JSON.parse(readFileSync(file, 'utf8')));
}

/** The projects by the folder of their Node. A window has one Node on its path. */
function groups() {
  /** @type {Map<string | undefined, any[]>} */
  const byNode = new Map();
  for (const each of ready) {
    const node = nodeFolder(each.project);
    byNode.set(node, [...(byNode.get(node) ?? []), each]);
  }
  return byNode;
}

/** Runs the calls of some projects in one window. @param {string | undefined} node @param {any[]} group */
async function measureIn(node, group) {
  const task = path.join(CAMPAIGN_FOLDER, 'task.json');
  writeFileSync(
    task,
    JSON.stringify({
      prepared: group.map(({ project }) => preparedFile(project)),
      most: Number(values.most ?? (values.quick ? 1 : 20)),
      passing: values.quick ? 1 : 2,
    }),
  );
  const host = spawn(
    path.join(root, 'scripts/vscodeHost/code.mjs'),
    [
      CAMPAIGN_FOLDER,
      `--extensionTestsPath=${path.join(root, 'out/test/campaign/campaign.js')}`,
      `--extensionDevelopmentPath=${root}`,
      `--extensionDevelopmentPath=${path.join(root, 'test/adapterExtension')}`,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'pipe'],
      env: {
        ...process.env,
        ...(node === undefined ? {} : { PATH: `${node}${path.delimiter}${process.env.PATH}` }),
        AGENT_DEBUGGER_CAMPAIGN: CAMPAIGN_FOLDER,
        AGENT_DEBUGGER_CAMPAIGN_TASK: task,
        AGENT_DEBUGGER_HOST_MINUTES: '170',
        AGENT_DEBUGGER_HOST_MINIMIZED: 'true',
        AGENT_DEBUGGER_HOST_SETTINGS: JSON.stringify(SETTINGS),
      },
    },
  );
  // The debuggers write much that is not of the campaign.
  createInterface({ input: host.stderr }).on('line', (line) => {
    if (/^(?:… | {2}\d+ ms|\[vscode host\])/.test(line)) console.error(line);
  });
  const [status] = await once(host, 'close');
  return status;
}

/** @param {any[]} results */
async function tell(results) {
  const table = tableOf(results);
  const shortfalls = shortfallsOf(results);
  // In CI, other tests run beside the short part.
  const missed = missedAims(results, !values.quick);
  console.log(`\n${table}\n`);
  for (const { project, test, what, expected, got } of shortfalls)
    console.log(`- ${project}, ${test}: ${what}\n    expected ${expected}\n    got      ${got}`);
  console.log(
    missed.length === 0
      ? '\nEvery aim of this run is met.'
      : `\nMissed:\n${missed.map((aim) => `- ${aim}`).join('\n')}`,
  );
  writeFileSync(
    path.join(CAMPAIGN_FOLDER, 'report.json'),
    JSON.stringify({ table, shortfalls, missed }, undefined, 1),
  );
  if (values.write) await writeTable(table);
  if (missed.length > 0 && !values['report-only']) process.exitCode = 1;
}

/** Puts the table between its marks. @param {string} table */
async function writeTable(table) {
  const file = path.join(root, 'docs/performance.md');
  const text = readFileSync(file, 'utf8');
  const place = /(<!-- campaign -->)[^]*?(<!-- end -->)/;
  if (!place.test(text)) throw new Error('docs/performance.md has no place for the campaign');
  const written = text.replace(
    place,
    (_whole, before, after) => `${before}\n\n${table}\n\n${after}`,
  );
  await writeFormatted(file, written);
}

/** Writes the faults into the catalogue. @param {any[]} prepared */
async function pin(prepared) {
  const file = path.join(root, 'test/campaign/catalogue.json');
  const faults = new Map(prepared.map(({ project, fault }) => [project.name, fault]));
  const pinned = catalogue().map((/** @type {Project} */ project) => ({
    ...project,
    ...(faults.has(project.name) ? { fault: faults.get(project.name) } : {}),
  }));
  await writeFormatted(file, JSON.stringify(pinned, undefined, 2));
  // What was prepared is for the same entries, with their faults.
  for (const each of prepared) {
    const project = pinned.find((/** @type {Project} */ { name }) => name === each.project.name);
    if (project && existsSync(preparedFile(project)))
      writeFileSync(preparedFile(project), JSON.stringify({ ...each, project }, undefined, 1));
  }
}

/** @param {string} file @param {string} text */
async function writeFormatted(file, text) {
  const options = { ...(await prettier.resolveConfig(file)), filepath: file };
  writeFileSync(file, await prettier.format(text, options));
}
