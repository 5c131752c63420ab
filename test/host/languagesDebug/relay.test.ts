import { strict as assert } from 'node:assert';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import * as vscode from 'vscode';
import { call, cleanUp, inWorkspace, marked, stopOf } from '../support/client';
import { insideMcp, startMcp } from '../mcp/support/mcp';
import { LANGUAGES, skipWhereMissing } from '../languages/language';

const WAIT = { timeout_seconds: 120 };
const PAGE = path.resolve(__dirname, '../../../../examples/relay/serve.mjs');
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

describe('the relay in a browser', function () {
  this.timeout(300_000);
  const java = LANGUAGES.find((each) => each.name === 'Java');
  assert.ok(java);
  let browser: Browser | undefined;
  let server: ChildProcess | undefined;

  const setting = async (name: string, value: unknown): Promise<void> =>
    await vscode.workspace
      .getConfiguration('agentDebugger.mcp')
      .update(name, value, vscode.ConfigurationTarget.Global);

  before(async function () {
    skipWhereMissing(this, java);
    const executablePath = BROWSERS.find((each) => existsSync(each));
    assert.ok(executablePath, 'chromium is needed');
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    await setting('relay', 'control');
    await startMcp();
  });
  after(async () => {
    await browser?.close();
    server?.kill();
    await vscode.commands.executeCommand('agentDebugger.mcp.stop');
    for (const name of ['relay', 'port']) await setting(name, undefined);
  });
  afterEach(cleanUp);

  /** Starts the example's own server, and returns the address of its page. */
  async function served(): Promise<string> {
    server = spawn('node', [PAGE], { stdio: ['ignore', 'pipe', 'inherit'] });
    assert.ok(server.stdout);
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    return line.toString('utf8').trim();
  }

  const shows = async (page: Page, id: string, text: string): Promise<void> =>
    await page.locator(`#${id}`, { hasText: text }).waitFor({ timeout: 60_000 });

  it('shows a Java session’s threads, stack, variables and output, and steps it', async () => {
    const { mcp } = await insideMcp();
    const { url, key } = await mcp.address();
    await call('set_breakpoint', {
      file_path: inWorkspace(java.source),
      line_number: marked(java.source, 'add'),
    });
    const stop = stopOf(
      await call('start_debugging', { configuration_name: java.configuration, ...WAIT }),
    );
    assert.ok(browser);
    const page = await browser.newPage();
    await page.goto(
      `${await served()}?port=${new URL(url).port}&session=${stop.session_id}#key=${key}`,
    );
    await page.getByRole('button', { name: 'Connect' }).click();
    await shows(page, 'state', 'Java');
    await shows(page, 'threads', 'main');
    await shows(page, 'stack', `Scenario.java:${stop.line}`);
    await shows(page, 'variables', 'sum');
    await page.getByRole('button', { name: 'Step over' }).click();
    await page
      .locator('#stack li:first-child', { hasNotText: `Scenario.java:${stop.line}` })
      .waitFor({ timeout: 60_000 });
    await call('remove_breakpoint', { clear_all: true });
    await page.getByRole('button', { name: 'Continue' }).click();
    await shows(page, 'output', 'sum=14 shop 3 Ada');
    await page.locator('#state', { hasText: /ended|Not connected/ }).waitFor({ timeout: 60_000 });
  });
});
