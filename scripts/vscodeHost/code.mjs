#!/usr/bin/env node
// @ts-check
/**
 * Accepts the command line that `@vscode/test-electron` uses with a desktop VS Code, but runs the tests in the
 * npm-delivered VS Code: the workbench in a headless browser, with the extension host behind it.
 * Exit code: that of the tests, or 1 if VS Code or the browser dies before they end.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openBrowserPage } from './browser.mjs';
import { ensureHost } from './setup.mjs';
import { listenToConsole, startControl, startServer, workbenchAddress } from './workbench.mjs';

/** Flags of a desktop VS Code that have an effect here. The others are accepted and ignored. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    extensionTestsPath: { type: 'string' },
    extensionDevelopmentPath: { type: 'string', multiple: true },
    'extensions-dir': { type: 'string' },
    'user-data-dir': { type: 'string' },
    'untrusted-workspace': { type: 'boolean' },
    locale: { type: 'string' },
  },
});

const text = (/** @type {unknown} */ value) => (typeof value === 'string' ? value : undefined);
const developed = (
  Array.isArray(values.extensionDevelopmentPath) ? values.extensionDevelopmentPath : []
).map(String);
const [extension, ...others] = developed;

/** Whether the tests have ended or a signal asked us to end. A process that dies after that is not a failure. */
let isOver = false;
/** @type {(() => Promise<void>)[]} */
const cleanUps = [];
/** @type {(() => void)[]} */
const cleanUpsNow = [];

async function main() {
  await ensureHost();
  /** @type {import('./browser.mjs').BrowserPage | undefined} */
  let page;
  const control = await startControl(() => page);
  cleanUps.push(async () => control.close());
  const consoleLines = await listenToConsole(print);
  cleanUps.push(consoleLines.close);
  const locale = text(values.locale);
  const server = await startServer({
    extensions: others,
    trust: values['untrusted-workspace'] !== true,
    ...(locale ? { locale } : {}),
    settings: JSON.parse(process.env.AGENT_DEBUGGER_HOST_SETTINGS ?? '{}'),
    env: { AGENT_DEBUGGER_HOST_CONTROL: control.address, ...consoleLines.env },
  });
  cleanUps.push(server.stop);
  cleanUpsNow.push(server.stopNow);
  const browser = await openBrowserPage({
    isMinimized: process.env.AGENT_DEBUGGER_HOST_MINIMIZED !== undefined,
  });
  page = browser;
  cleanUps.push(browser.close);
  cleanUpsNow.push(browser.closeNow);

  const minutes = Number(process.env.AGENT_DEBUGGER_HOST_MINUTES ?? 45);
  const ended = new Promise((/** @type {(code: number) => void} */ resolve) => {
    const fail = (/** @type {string} */ message) => {
      if (isOver) return;
      console.error(`[vscode host] ${message}`);
      resolve(1);
    };
    // An extension host that is blocked never reports its end.
    setTimeout(() => fail(`no end within ${minutes} minutes`), minutes * 60_000).unref();
    void browser.exited.then(() => fail('the browser died'));
    browser.onCrash(() => fail('the page crashed'));
    void server.exited.then((code) => fail(`the VS Code server ended with ${code}`));
    void (async () => {
      // The log of the workbench and of VS Code itself. It helps only if nothing else shows the error.
      if (process.env.AGENT_DEBUGGER_HOST_VERBOSE)
        await browser.expose(
          'codeAutomationLog',
          (/** @type {string} */ type, /** @type {unknown[]} */ args) =>
            print(type, args.map(String).join(' ')),
        );
      else await browser.addScript('globalThis.codeAutomationLog = () => undefined;');
      await browser.expose('codeAutomationExit', (/** @type {number} */ code) => {
        isOver = true;
        resolve(code);
      });
      await browser.goTo(
        workbenchAddress(server, {
          open: positionals[0],
          extension,
          tests: text(values.extensionTestsPath),
        }),
      );
      await browser.shows('.monaco-workbench', 60_000);
    })().catch((error) => fail(error instanceof Error ? error.message : String(error)));
  });
  return await ended;
}

/** Prints a console line of the extension host to stdout or stderr. @param {string} type @param {string} line */
function print(type, line) {
  (type === 'error' || type === 'warn' ? process.stderr : process.stdout).write(`${line}\n`);
}

async function cleanUp() {
  isOver = true;
  for (const action of cleanUps.splice(0).reverse()) await action().catch(() => undefined);
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  let asked = false;
  process.on(signal, () => {
    if (asked) {
      for (const action of cleanUpsNow) action();
      process.exit(130);
    }
    asked = true;
    void cleanUp().then(() => process.exit(130));
  });
}
process.on('exit', () => {
  if (cleanUps.length > 0) for (const action of cleanUpsNow) action();
});

main()
  .catch((error) => {
    console.error(`[vscode host] ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  })
  .then(async (code) => {
    await cleanUp();
    process.exit(code);
  });
