// @ts-check
/** Starts the VS Code server and shows its workbench in a headless browser. Cleans both up in all cases. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { withPlaywright } from './browser.mjs';
import { endMarked, RUN_MARK } from './marked.mjs';
import { hostPaths } from './setup.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

/**
 * @typedef {object} ServerOptions
 * @property {string} [userDataDir] kept if given, else a new folder that is removed at the end
 * @property {string} [extensionsDir]
 * @property {string[]} [extensions] folders of further extensions, linked into the extensions folder
 * @property {boolean} [driver] false: without the smoke-test driver. With it, dialogs are answered automatically and
 *   the payload in the address is used
 * @property {boolean} [trust] false: the workspace is not trusted
 * @property {string} [locale]
 * @property {Record<string, unknown>} [settings] user settings
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [port] default: any free port
 */

/**
 * Starts the server without a browser.
 * @param {ServerOptions} [options]
 */
export async function startServer(options = {}) {
  const paths = hostPaths();
  const mark = randomUUID();
  const scratch = mkdtempSync(path.join(tmpdir(), 'agent-debugger-host-'));
  const userDataDir = options.userDataDir ?? path.join(scratch, 'user');
  const extensionsDir = options.extensionsDir ?? path.join(scratch, 'extensions');
  mkdirSync(path.join(userDataDir, 'User'), { recursive: true });
  mkdirSync(extensionsDir, { recursive: true });
  const settings = {
    'security.workspace.trust.startupPrompt': 'never',
    'workbench.startupEditor': 'none',
    'window.autoDetectColorScheme': false,
    ...options.settings,
  };
  writeFileSync(path.join(userDataDir, 'User', 'settings.json'), JSON.stringify(settings));
  for (const extension of options.extensions ?? []) linkExtension(extension, extensionsDir);

  const args = [
    `--require=${path.join(here, 'proposals.cjs')}`,
    ...(options.env?.AGENT_DEBUGGER_HOST_CONSOLE
      ? [`--require=${path.join(here, 'console.cjs')}`]
      : []),
    paths.server,
    '--host',
    '127.0.0.1',
    '--port',
    String(options.port ?? 0),
    '--without-connection-token',
    '--accept-server-license-terms',
    '--server-data-dir',
    path.join(scratch, 'server'),
    '--user-data-dir',
    userDataDir,
    '--extensions-dir',
    extensionsDir,
    '--telemetry-level',
    'off',
    // The browser is on this machine.
    '--disable-websocket-compression',
    ...(options.driver === false ? [] : ['--enable-smoke-test-driver']),
    ...(options.trust === false ? [] : ['--disable-workspace-trust']),
    ...(options.locale ? ['--locale', options.locale] : []),
  ];
  const env = { ...withoutVsCode(process.env), ...options.env, [RUN_MARK]: mark };
  const server = spawn(paths.node, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const said = /** @type {string[]} */ ([]);
  const exited = new Promise((resolve) =>
    server.once('exit', (code, signal) => resolve(code ?? signal)),
  );
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    if (server.exitCode === null && server.signalCode === null) {
      signalGroup(server.pid, 'SIGTERM');
      const timer = setTimeout(() => signalGroup(server.pid, 'SIGKILL'), 3000);
      await exited;
      clearTimeout(timer);
    }
    endMarked(mark);
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  const stopNow = () => {
    signalGroup(server.pid, 'SIGKILL');
    endMarked(mark);
    rmSync(scratch, { recursive: true, force: true });
  };
  const port = await new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The VS Code server did not start within 30 s:\n${said.join('')}`)),
      30_000,
    );
    const read = (/** @type {Buffer} */ data) => {
      said.push(data.toString());
      const match = /Extension host agent listening on (\d+)/.exec(said.join(''));
      if (match) {
        clearTimeout(timer);
        resolve(Number(match[1]));
      }
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    void exited.then((code) => {
      clearTimeout(timer);
      reject(new Error(`The VS Code server ended with ${code}:\n${said.join('')}`));
    });
  }).catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    port: /** @type {number} */ (port),
    origin: `http://127.0.0.1:${port}`,
    userDataDir,
    extensionsDir,
    scratch,
    exited,
    stop,
    stopNow,
    said,
  };
}

/**
 * The address that opens a folder or workspace file, with a development extension and its tests if given.
 * @param {{ origin: string, port: number }} server
 * @param {{ open?: string, extension?: string, tests?: string }} what
 */
export function workbenchAddress(server, { open, extension, tests }) {
  const remote = (/** @type {string} */ file) =>
    `vscode-remote://127.0.0.1:${server.port}${encodeURI(file)}`;
  const payload = [['skipWelcome', 'true']];
  if (extension) payload.push(['extensionDevelopmentPath', remote(extension)]);
  if (tests) payload.push(['extensionTestsPath', remote(tests)]);
  const query = new URLSearchParams({ payload: JSON.stringify(payload) });
  if (!open) query.set('ew', 'true');
  else query.set(open.endsWith('.code-workspace') ? 'workspace' : 'folder', open);
  return `${server.origin}/?${query}`;
}

/**
 * An HTTP server on loopback through which code in the extension host requests a picture or a reload of the page.
 * @param {() => import('./browser.mjs').BrowserPage | undefined} page
 */
export async function startControl(page) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', async () => {
      try {
        const current = page();
        if (!current) throw new Error('no page yet');
        const answer = await control(current, request.url, body ? JSON.parse(body) : {});
        response.end(JSON.stringify(answer ?? {}));
      } catch (error) {
        response.statusCode = 500;
        response.end(JSON.stringify({ error: String(error) }));
      }
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/**
 * Carries out one command. Returns its answer, if it has one.
 * @param {import('./browser.mjs').BrowserPage} browser
 * @param {string | undefined} command
 * @param {Record<string, any>} input
 */
async function control(browser, command, input) {
  if (command === '/reload') return void browser.reload();
  return await withPlaywright(browser, async (page) => {
    if (command === '/screenshot') {
      mkdirSync(path.dirname(input.path), { recursive: true });
      if (input.selector) await page.waitForSelector(input.selector, { timeout: 30_000 });
      const shown = input.element ? page.locator(input.element).first() : page;
      await shown.screenshot({ path: input.path });
      return undefined;
    }
    if (command === '/press') return await page.keyboard.press(input.key);
    if (command === '/texts') return await page.locator(input.selector).allInnerTexts();
    if (command === '/webview') {
      const content = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
      const found = content.locator(input.selector);
      await found.first().waitFor({ timeout: 60_000 });
      if (input.clicks) await found.first().click();
      return await found.allInnerTexts();
    }
    if (command !== '/wait') throw new Error(`unknown command ${command}`);
    await page.waitForSelector(input.selector, { state: input.state, timeout: 60_000 });
    return undefined;
  });
}

/**
 * Listens for the console output of the extension host, which `console.cjs` sends.
 * @param {(type: string, line: string) => void} print
 */
export async function listenToConsole(print) {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-console-'));
  const address = path.join(folder, 'console.sock');
  /** @type {Set<Promise<unknown>>} */
  const open = new Set();
  const listener = createSocketServer((socket) => {
    const lines = createInterface({ input: socket });
    lines.on('line', (line) => {
      const { type, text } = JSON.parse(line);
      print(type, text);
    });
    socket.on('error', () => undefined);
    open.add(new Promise((resolve) => lines.once('close', resolve)));
  });
  await new Promise((resolve) => listener.listen(address, () => resolve(undefined)));
  const close = async () => {
    listener.close();
    await Promise.all(open);
    rmSync(folder, { recursive: true, force: true });
  };
  return { env: { AGENT_DEBUGGER_HOST_CONSOLE: address }, close };
}

/** Removes the variables of an outer VS Code for the one that we start. @param {NodeJS.ProcessEnv} env */
function withoutVsCode(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([key]) => !/^(VSCODE_(?!TEST_OPTIONS)|ELECTRON_)/.test(key)),
  );
}

/** @param {string} folder @param {string} extensionsDir */
function linkExtension(folder, extensionsDir) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const link = path.join(
    extensionsDir,
    `${manifest.publisher}.${manifest.name}-${manifest.version}`,
  );
  rmSync(link, { force: true, recursive: true });
  symlinkSync(realpathSync(folder), link);
}

/** @param {number | undefined} pid @param {NodeJS.Signals} signal */
function signalGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // already gone
  }
}
