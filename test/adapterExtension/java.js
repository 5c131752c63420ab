// @ts-check
'use strict';
const { spawn } = require('node:child_process');
const { existsSync, mkdtempSync, readdirSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { toolPath } = require('./toolchain.js');

/**
 * The words of a list as one text, as the Java extension writes them.
 * @param {string | string[] | undefined} words
 */
function joined(words) {
  return Array.isArray(words)
    ? words
        .map((each) => (/["\s]/.test(each) ? `"${each.replace(/(["\\])/g, '\\$1')}"` : each))
        .join(' ')
    : words;
}

/**
 * The Java projects of a workspace: those of the fixture, or the folders of the campaign that Maven builds.
 * @param {string} folder
 */
function projectsIn(folder) {
  const ofFixture = ['java', 'tests/java'].map((each) => path.join(folder, each));
  if (ofFixture.some((each) => existsSync(each))) return ofFixture;
  return readdirSync(folder)
    .map((each) => path.join(folder, each))
    .filter((each) => existsSync(path.join(each, 'pom.xml')));
}

/**
 * The Eclipse JDT language server with the java-debug plugin, as the founding document 004 tells its flow: language
 * server → `vscode.java.resolveMainClass`, `resolveClasspath` → `vscode.java.startDebugSession` → port → adapter.
 */
class JavaServer {
  constructor() {
    this.seq = 0;
    /** @type {Map<number, (message: { result?: unknown, error?: { message: string } }) => void>} */
    this.pending = new Map();
    this.rest = Buffer.alloc(0);
    /** @type {Promise<void> | undefined} */
    this.ready = undefined;
    /** @type {import('node:child_process').ChildProcessWithoutNullStreams | undefined} */
    this.child = undefined;
    this.data = '';
  }

  /** @param {string} folder @param {import('vscode').DebugConfiguration} configuration */
  async resolve(folder, configuration) {
    await this.start(projectsIn(folder));
    if (configuration.request !== 'launch') return configuration;
    if (configuration.projectName) return await this.resolveNamed(configuration);
    const projectUri = pathToFileURL(path.join(folder, 'java')).toString();
    const mains = /** @type {{ mainClass: string, projectName: string }[]} */ (
      await this.command('vscode.java.resolveMainClass', [projectUri])
    );
    const main = mains.find((each) => each.mainClass === configuration.mainClass) ?? mains[0];
    const mainClass = configuration.mainClass ?? main?.mainClass;
    const [modulePaths, classPaths] = /** @type {string[][]} */ (
      await this.command('vscode.java.resolveClasspath', [mainClass, main?.projectName ?? null])
    );
    return {
      console: 'internalConsole',
      cwd: folder,
      ...configuration,
      args: joined(configuration.args),
      mainClass,
      projectName: main?.projectName,
      modulePaths,
      classPaths,
    };
  }

  /**
   * As the Java extension does where a configuration names its project: `$Test` stands for the class path of its tests,
   * and arguments may be a list.
   * @param {import('vscode').DebugConfiguration} configuration
   */
  async resolveNamed({ classPaths = ['$Auto'], args, vmArgs, ...configuration }) {
    const { mainClass, projectName } = configuration;
    const scope = classPaths.includes('$Test') ? 'test' : undefined;
    const [, resolved] = /** @type {string[][]} */ (
      await this.command('vscode.java.resolveClasspath', [mainClass, projectName, scope])
    );
    return {
      ...configuration,
      args: joined(args),
      vmArgs: joined(vmArgs),
      modulePaths: [],
      classPaths: resolved,
    };
  }

  /** The port of a fresh debug adapter. */
  async startDebugSession() {
    return Number(await this.command('vscode.java.startDebugSession', []));
  }

  /** @param {string[]} projects */
  start(projects) {
    return (this.ready ??= this.launch(projects.filter((each) => existsSync(each))));
  }

  /** @param {string[]} projects */
  async launch(projects) {
    const modules =
      process.env.AGENT_DEBUGGER_JAVA ??
      path.join(__dirname, '../../.vscode-test/adapters/node_modules');
    const server = path.join(modules, 'coc-java/server');
    const launcher = readdirSync(path.join(server, 'plugins')).find((file) =>
      file.startsWith('org.eclipse.equinox.launcher_'),
    );
    const bundle = readdirSync(path.join(modules, 'coc-java-debug/server')).find((file) =>
      file.endsWith('.jar'),
    );
    if (!launcher || !bundle)
      throw new Error(`no Java language server in ${modules}: run npm run adapters:setup`);
    this.data = mkdtempSync(path.join(tmpdir(), 'agent-debugger-java-'));
    const configuration = path.join(this.data, 'configuration');
    require('node:fs').cpSync(path.join(server, 'config_linux'), configuration, {
      recursive: true,
    });
    const child = spawn(toolPath('jdk'), [
      '-Declipse.application=org.eclipse.jdt.ls.core.id1',
      '-Dosgi.bundles.defaultStartLevel=4',
      '-Declipse.product=org.eclipse.jdt.ls.core.product',
      '-Xmx512m',
      '-XX:+UseSerialGC',
      // The server runs for minutes only, so the optimizing compiler costs more than it saves.
      '-XX:TieredStopAtLevel=1',
      '--add-modules=ALL-SYSTEM',
      '--add-opens',
      'java.base/java.util=ALL-UNNAMED',
      '--add-opens',
      'java.base/java.lang=ALL-UNNAMED',
      '-jar',
      path.join(server, 'plugins', launcher),
      '-configuration',
      configuration,
      '-data',
      path.join(this.data, 'data'),
    ]);
    this.child = child;
    child.stderr.resume();
    child.stdout.on('data', (data) => this.read(data));
    const started = new Promise((resolve) => (this.onStarted = resolve));
    const bundles = [path.join(modules, 'coc-java-debug/server', bundle)];
    const uris = projects.map((each) => pathToFileURL(each).toString());
    await this.request('initialize', {
      processId: process.pid,
      rootUri: uris[0],
      workspaceFolders: uris.map((uri) => ({ uri, name: 'java' })),
      capabilities: { workspace: { executeCommand: {} } },
      initializationOptions: {
        bundles,
        workspaceFolders: uris,
        settings: {
          java: {
            autobuild: { enabled: true },
            import: { maven: { offline: { enabled: true } } },
          },
        },
      },
    });
    this.send({ method: 'initialized', params: {} });
    await started;
    await this.command('java.project.getAll', []).catch(() => undefined);
    await this.request('java/buildWorkspace', true).catch(() => undefined);
    // It waits three seconds for the program otherwise: a machine that runs tests may stand still for longer.
    await this.command('vscode.java.updateDebugSettings', [
      JSON.stringify({ logLevel: 'WARNING', jdwpRequestTimeout: 120_000 }),
    ]);
  }

  /** @param {string} command @param {unknown[]} args */
  command(command, args) {
    return this.request('workspace/executeCommand', { command, arguments: args });
  }

  /** @param {string} method @param {unknown} params */
  request(method, params) {
    this.seq += 1;
    const id = this.seq;
    return new Promise((resolve, reject) => {
      this.pending.set(id, ({ result, error }) =>
        error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result),
      );
      this.send({ id, method, params });
    });
  }

  /** @param {object} message */
  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.child?.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.child?.stdin.write(body);
  }

  /** @param {Buffer} data */
  read(data) {
    this.rest = Buffer.concat([this.rest, data]);
    for (;;) {
      const end = this.rest.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(
        /Content-Length: (\d+)/i.exec(this.rest.subarray(0, end).toString())?.[1],
      );
      if (this.rest.length < end + 4 + length) return;
      const message = JSON.parse(this.rest.subarray(end + 4, end + 4 + length).toString());
      this.rest = this.rest.subarray(end + 4 + length);
      this.received(message);
    }
  }

  /** @param {{ id?: number, method?: string, params?: { type?: string }, result?: unknown, error?: { message: string } }} message */
  received(message) {
    if (message.method === undefined && message.id !== undefined) {
      this.pending.get(message.id)?.(message);
      this.pending.delete(message.id);
    } else if (message.method === 'language/status' && message.params?.type === 'ServiceReady')
      this.onStarted?.();
    // Requests of the server (configuration, progress) get the empty answer.
    else if (message.id !== undefined) this.send({ id: message.id, result: null });
  }

  dispose() {
    this.child?.kill('SIGKILL');
    if (this.data) rmSync(this.data, { recursive: true, force: true });
  }
}

/** @type {((value?: unknown) => void) | undefined} */
JavaServer.prototype.onStarted = undefined;

exports.JavaServer = JavaServer;
