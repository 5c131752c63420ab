// @ts-check
/**
 * Headless Chromium: with Playwright, or as one page that is controlled by the DevTools Protocol
 * (https://chromedevtools.github.io/devtools-protocol/). Playwright makes Chromium report each message of VS Code's
 * connection. Without it, the tests of a window take about a tenth less of the processor.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { WebSocket } from 'ws';
import { endMarked, RUN_MARK } from './marked.mjs';
import { browserPath } from './setup.mjs';

/** How each browser starts here. */
const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  // Debian's Chromium enables this. Without a GPU it draws with a software OpenGL.
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Pages of Chromium's address bar, for which it starts another process. */
const UNUSED_PAGES = 'WebUIOmniboxPopup,WebUIOmniboxAimPopup';

/** Further flags of a browser that Playwright does not start: its page works as if a person looked at it. */
const PAGE_FLAGS = [
  '--headless',
  '--hide-scrollbars',
  '--mute-audio',
  '--remote-debugging-port=0',
  '--no-default-browser-check',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-component-extensions-with-background-pages',
  '--disable-field-trial-config',
  '--disable-breakpad',
  '--disable-dev-shm-usage',
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  `--disable-features=Translate,MediaRouter,OptimizationHints,PaintHolding,${UNUSED_PAGES}`,
  '--disable-hang-monitor',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--metrics-recording-only',
  '--password-store=basic',
];

/** The time that Chromium may take to print its address, in milliseconds. */
const START_LIMIT_MS = 30_000;

/** The time between two animation frames of a minimized window, in milliseconds. */
const MINIMIZED_FRAME_MS = 200;

/** @throws Error if no browser is installed */
function installedBrowser() {
  const found = browserPath();
  if (!found) throw new Error('No Chromium found: apt-get install chromium, or set CHROME_PATH.');
  return found;
}

/**
 * Opens a browser with Playwright.
 * @param {{ width?: number, height?: number, flags?: string[] }} [options]
 */
export async function openBrowser({ width = 1440, height = 900, flags = [] } = {}) {
  const browser = await chromium.launch({
    executablePath: installedBrowser(),
    args: [...BROWSER_FLAGS, ...flags],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const context = await browser.newContext({ viewport: { width, height } });
  return { browser, context };
}

/** @typedef {Awaited<ReturnType<typeof openBrowserPage>>} BrowserPage */

/**
 * Opens a browser with one empty page, without Playwright. A minimized window is drawn only while Playwright is
 * connected to it. The tests of a window then take about a quarter less of the processor.
 * @param {{ width?: number, height?: number, isMinimized?: boolean }} [options]
 */
export async function openBrowserPage({ width = 1440, height = 900, isMinimized = false } = {}) {
  const profile = mkdtempSync(path.join(tmpdir(), 'agent-debugger-browser-'));
  const args = [...PAGE_FLAGS, ...BROWSER_FLAGS, `--user-data-dir=${profile}`, 'about:blank'];
  const mark = randomUUID();
  const env = { ...process.env, [RUN_MARK]: mark };
  const browser = spawn(installedBrowser(), args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(browser, 'exit').catch(() => undefined);
  const removeProfile = () =>
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  const close = async () => {
    browser.kill('SIGKILL');
    await exited;
    // Its helpers notice only later that it is gone.
    endMarked(mark);
    removeProfile();
  };
  const closeNow = () => {
    browser.kill('SIGKILL');
    endMarked(mark);
    removeProfile();
  };
  try {
    const endpoint = await endpointOf(browser);
    const page = await attach(await connect(endpoint), { width, height, isMinimized });
    return { ...page, endpoint, exited, close, closeNow };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the address that Chromium prints. @param {import('node:child_process').ChildProcess} browser */
async function endpointOf(browser) {
  const printed = /** @type {string[]} */ ([]);
  const { stderr } = browser;
  if (stderr === null) throw new Error('the output of the browser is not read');
  const lines = createInterface({ input: stderr });
  return await new Promise((/** @type {(address: string) => void} */ resolve, reject) => {
    const fail = (/** @type {string} */ message) =>
      reject(new Error(`${message}:\n${printed.join('\n')}`));
    const timer = setTimeout(() => fail('The browser did not start in time'), START_LIMIT_MS);
    lines.on('line', (line) => {
      const found = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (found === undefined) return void printed.push(line);
      clearTimeout(timer);
      resolve(found);
    });
    lines.once('close', () => fail('The browser ended'));
    browser.once('error', ({ message }) => fail(message));
  });
}

/** @typedef {Record<string, any>} Fields */
/** @typedef {Awaited<ReturnType<typeof connect>>} Connection */

/** Connects to the browser. @param {string} endpoint */
async function connect(endpoint) {
  const socket = new WebSocket(endpoint, { perMessageDeflate: false });
  await once(socket, 'open');
  let lastId = 0;
  /** @type {Map<number, { resolve: (result: Fields) => void, reject: (error: Error) => void }>} */
  const pending = new Map();
  /** @type {Map<string, (params: Fields) => void>} */
  const listeners = new Map();
  socket.on('message', (data) => {
    const { id, method, params, result, error } = JSON.parse(String(data));
    if (id === undefined) return listeners.get(method)?.(params);
    const request = pending.get(id);
    pending.delete(id);
    if (error) request?.reject(new Error(error.message));
    else request?.resolve(result);
  });
  socket.on('close', () => {
    for (const { reject } of pending.values()) reject(new Error('the browser has been closed'));
    pending.clear();
  });
  socket.on('error', () => undefined);
  return {
    /**
     * @param {string} method
     * @param {Fields} [params]
     * @param {string} [sessionId]
     * @returns {Promise<Fields>}
     */
    send: (method, params = {}, sessionId) => {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        socket.send(JSON.stringify({ id, method, params, sessionId }));
      });
    },
    on: (/** @type {string} */ method, /** @type {(params: Fields) => void} */ listener) =>
      void listeners.set(method, listener),
  };
}

/** Runs in the page: whether an element appears in time. @param {string} selector @param {number} timeoutMs */
function appears(selector, timeoutMs) {
  return new Promise((resolve) => {
    const look = () => document.querySelector(selector) !== null && resolve(true);
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
    setTimeout(() => resolve(false), timeoutMs);
    look();
  });
}

/**
 * Runs in each document of a minimized window. Chromium gives such a window no focus and no animation frames. VS Code
 * waits for frames before it renders a view or an editor.
 * @param {number} frameMs
 */
function actAsIfShown(frameMs) {
  document.hasFocus = () => true;
  globalThis.requestAnimationFrame = (callback) =>
    Number(setTimeout(() => callback(performance.now()), frameMs));
  globalThis.cancelAnimationFrame = (handle) => clearTimeout(handle);
}

/**
 * Runs in each document of a minimized window. VS Code receives each message of its connection as a blob, which Chromium
 * keeps in another process, and reads it back from there. Here it gets the bytes at once.
 */
function receiveBytes() {
  globalThis.WebSocket = class extends WebSocket {
    /** @param {string | URL} url @param {string | string[]} [protocols] */
    constructor(url, protocols) {
      super(url, protocols);
      this.binaryType = 'arraybuffer';
    }
  };
  const { readAsArrayBuffer } = FileReader.prototype;
  FileReader.prototype.readAsArrayBuffer = function (/** @type {any} */ source) {
    if (!(source instanceof ArrayBuffer)) return readAsArrayBuffer.call(this, source);
    this.onload?.(/** @type {any} */ ({ target: { result: source } }));
  };
}

/**
 * Attaches to the empty page.
 * @param {Connection} connection
 * @param {{ width: number, height: number, isMinimized: boolean }} window
 */
async function attach(connection, { width, height, isMinimized }) {
  const { targetInfos } = await connection.send('Target.getTargets');
  const { targetId } = targetInfos.find((/** @type {Fields} */ { type }) => type === 'page');
  const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
  const send = (/** @type {string} */ method, /** @type {Fields} */ params = {}) =>
    connection.send(method, params, sessionId);
  await send('Page.enable');
  await send('Inspector.enable');
  // Without it, a binding is lost when the page moves to another process.
  await send('Runtime.enable');
  const size = { width, height, deviceScaleFactor: 1, mobile: false };
  await send('Emulation.setDeviceMetricsOverride', size);
  const { windowId } = await connection.send('Browser.getWindowForTarget', { targetId });
  const become = async (/** @type {'normal' | 'minimized'} */ windowState) =>
    void (await connection.send('Browser.setWindowBounds', { windowId, bounds: { windowState } }));
  /** The number of callers for which a minimized window is shown. */
  let viewers = 0;
  if (isMinimized) {
    await become('minimized');
    const source = `(${actAsIfShown})(${MINIMIZED_FRAME_MS}); (${receiveBytes})();`;
    await send('Page.addScriptToEvaluateOnNewDocument', { source });
  } else await send('Emulation.setFocusEmulationEnabled', { enabled: true });
  // The page asks before it is reloaded during a debug session.
  connection.on(
    'Page.javascriptDialogOpening',
    () => void send('Page.handleJavaScriptDialog', { accept: true }).catch(() => undefined),
  );
  /** @type {Map<string, (...args: any[]) => void>} */
  const exposed = new Map();
  connection.on('Runtime.bindingCalled', ({ name, payload }) =>
    exposed.get(name)?.(...JSON.parse(payload)),
  );
  return {
    /** Shows a minimized window until `hide` is called as often. Chromium draws it meanwhile. */
    show: async () => {
      viewers += 1;
      if (isMinimized) await become('normal');
    },
    hide: async () => {
      viewers -= 1;
      if (isMinimized && viewers === 0) await become('minimized');
    },
    /** Defines a function in each document of the page. @param {string} name @param {(...args: any[]) => void} listener */
    expose: async (name, listener) => {
      const binding = `${name}Binding`;
      exposed.set(binding, listener);
      await send('Runtime.addBinding', { name: binding });
      const source = `globalThis.${name} = (...args) => globalThis.${binding}(JSON.stringify(args));`;
      await send('Page.addScriptToEvaluateOnNewDocument', { source });
    },
    /** Runs a script at the beginning of each document of the page. @param {string} source */
    addScript: (source) => send('Page.addScriptToEvaluateOnNewDocument', { source }),
    onCrash: (/** @type {() => void} */ listener) =>
      connection.on('Inspector.targetCrashed', listener),
    /** Waits for an element. @param {string} selector @param {number} timeoutMs */
    shows: async (selector, timeoutMs) => {
      const request = {
        expression: `(${appears})(${JSON.stringify(selector)}, ${timeoutMs})`,
        awaitPromise: true,
        returnByValue: true,
      };
      const { result } = await send('Runtime.evaluate', request);
      if (result.value !== true) throw new Error(`The page does not show ${selector}`);
    },
    goTo: (/** @type {string} */ url) => send('Page.navigate', { url }),
    reload: () => send('Page.reload'),
  };
}

/**
 * Connects Playwright to a page while an action runs. The window is shown meanwhile.
 * @template T
 * @param {BrowserPage} shown
 * @param {(page: import('playwright-core').Page) => Promise<T>} action
 */
export async function withPlaywright({ endpoint, show, hide }, action) {
  await show();
  try {
    const browser = await chromium.connectOverCDP(endpoint);
    try {
      const page = browser.contexts()[0]?.pages()[0];
      if (page === undefined) throw new Error('the browser has no page');
      return await action(page);
    } finally {
      await browser.close();
    }
  } finally {
    await hide();
  }
}
