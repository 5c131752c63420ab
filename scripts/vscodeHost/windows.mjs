#!/usr/bin/env node
// @ts-check
/**
 * Several windows of the npm-delivered VS Code, as a person has them: the extension installed from its package, no test
 * driver. It reads commands as lines of JSON from stdin, answers each with a line on stdout, and ends with its stdin.
 *
 * `--package <vsix> --settings <json> --home <folder> [--remote <name>]`
 *
 * `--remote ssh-remote` or `wsl`: VS Code's name of the remote side. The workbench takes this name from the page's
 * address, and the browser resolves it to our server.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { openBrowser } from './browser.mjs';
import { ensureHost, hostPaths } from './setup.mjs';
import { startServer, workbenchAddress } from './workbench.mjs';

const { values } = parseArgs({
  options: {
    package: { type: 'string' },
    settings: { type: 'string' },
    home: { type: 'string' },
    remote: { type: 'string' },
  },
});

await ensureHost({ log: (line) => console.error(line) });
const scratch = mkdtempSync(path.join(tmpdir(), 'agent-debugger-windows-host-'));
const [userDataDir, extensionsDir] = [path.join(scratch, 'user'), path.join(scratch, 'extensions')];
// Machine settings, unlike user settings, are read on the side on which extensions run.
mkdirSync(path.join(userDataDir, 'Machine'), { recursive: true });
writeFileSync(path.join(userDataDir, 'Machine', 'settings.json'), values.settings ?? '{}');
const { node, server: serverMain } = hostPaths();
const installed = spawnSync(
  node,
  [
    serverMain,
    '--accept-server-license-terms',
    '--extensions-dir',
    extensionsDir,
    '--user-data-dir',
    userDataDir,
    '--server-data-dir',
    path.join(scratch, 'server'),
    '--install-extension',
    String(values.package),
  ],
  { encoding: 'utf8' },
);
if (installed.status !== 0) throw new Error(`${installed.stdout}${installed.stderr}`);
// An empty home folder, so that there are no settings files of clients.
const person = path.join(scratch, 'person');
mkdirSync(person);
const server = await startServer({
  userDataDir,
  extensionsDir,
  driver: false,
  env: { AGENT_DEBUGGER_HOME: values.home, HOME: person },
});
const { remote } = values;
const origin = remote === undefined ? server.origin : `http://${remote}`;
const { browser, context } = await openBrowser(
  remote === undefined
    ? {}
    : {
        flags: [
          `--host-resolver-rules=MAP ${remote} 127.0.0.1:${server.port}`,
          `--unsafely-treat-insecure-origin-as-secure=${origin}`,
        ],
      },
);

/** @type {Map<string, import('playwright-core').Page>} */
const pages = new Map();
/** @param {string} folder */
const pageOf = (folder) => {
  const page = pages.get(folder);
  if (!page) throw new Error(`no window has ${folder}`);
  return page;
};
const ITEM = '[id="agent-debugger.agent-debugger.agentDebugger.mcp"]';

/** @type {Record<string, (input: { folder: string, text?: string, path?: string }) => Promise<unknown>>} */
const actions = {
  async open({ folder }) {
    const page = await context.newPage();
    pages.set(folder, page);
    await page.goto(workbenchAddress({ ...server, origin }, { open: folder }));
    await page.waitForSelector('.monaco-workbench', { timeout: 180_000 });
  },
  /** Waits until the status bar item's accessible label contains the text. @returns its visible text */
  async says({ folder, text = '' }) {
    const item = pageOf(folder)
      .locator(ITEM)
      .filter({ has: pageOf(folder).locator(`[aria-label*="${text}"]`) });
    await item.waitFor({ timeout: 180_000 });
    return await item.innerText();
  },
  /** Chooses an entry of the menu behind the status bar item. */
  async choose({ folder, text = '' }) {
    await actions.menu?.({ folder });
    await actions.pick?.({ folder, text });
  },
  /** Opens the menu behind the status bar item. @returns its title */
  async menu({ folder }) {
    const page = pageOf(folder);
    await page.bringToFront();
    await page.locator(ITEM).locator('a').click();
    await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    return await page.locator('.quick-input-titlebar .quick-input-title').innerText();
  },
  /** Chooses an entry of the list that is open. */
  async pick({ folder, text = '' }) {
    const page = pageOf(folder);
    // By keyboard, because the rows move during layout, and a click could hit another one.
    await page.locator('.quick-input-box input').fill(text);
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: text }).waitFor();
    await page.keyboard.press('Enter');
  },
  /** Presses a button of the dialog. */
  async press({ folder, text = '' }) {
    await pageOf(folder).locator('.monaco-dialog-box .monaco-button', { hasText: text }).click();
  },
  /** Waits until a notification contains the text. */
  async tells({ folder, text = '' }) {
    await pageOf(folder).locator('.notification-toast', { hasText: text }).waitFor();
  },
  async escape({ folder }) {
    await pageOf(folder).keyboard.press('Escape');
  },
  /** Waits until the open list shows the text. @returns all its text */
  async lists({ folder, text = '' }) {
    await pageOf(folder)
      .locator('.quick-input-list .monaco-list-row', { hasText: text })
      .first()
      .waitFor();
    return await pageOf(folder).locator('.quick-input-list').innerText();
  },
  async close({ folder }) {
    const page = pageOf(folder);
    pages.delete(folder);
    // A page that is closed directly may not notify the server, which would then wait hours for it.
    await page.goto('about:blank');
    await page.close({ runBeforeUnload: false });
  },
  async reload({ folder }) {
    await pageOf(folder).reload();
  },
  async picture({ folder, path: file = '' }) {
    await pageOf(folder).bringToFront();
    await pageOf(folder).screenshot({ path: file });
  },
};

const lines = createInterface({ input: process.stdin });
lines.on('line', async (line) => {
  const { id, action, ...input } = JSON.parse(line);
  try {
    console.log(JSON.stringify({ id, result: (await actions[action]?.(input)) ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ id, error: String(error) }));
  }
});
const end = async () => {
  await browser.close().catch(() => undefined);
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
  process.exit(0);
};
lines.once('close', () => void end());
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => void end());
console.log(JSON.stringify({ id: 0, result: server.origin }));
