// @ts-check
/**
 * VS Code as a user of Copilot's agent mode has it: the extension installed from its package, real dialogs and cards,
 * and a model on loopback instead of an account. In the harness `copilot` (VS Code's Agent Host) the model also stands
 * in for Copilot's service.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openBrowser } from './browser.mjs';
import { ensureHost } from './setup.mjs';
import { startServer, workbenchAddress } from './workbench.mjs';

/** A screenshot of VS Code if the chat did not appear. */
const FAILURE_PICTURE = '.vscode-test/pictures/chat-start.png';

/** Without handlers, these signals would end this process and leave the server running. */
const SIGNALS = /** @type {const} */ (['SIGTERM', 'SIGHUP']);

/**
 * Opens a folder with the chat ready for input.
 * @param {import('./chat.mjs').ChatOptions} options
 * @returns {Promise<import('./chat.mjs').ChatHost>}
 */
export async function openChat({
  folder,
  extension,
  model,
  language,
  settings = {},
  size,
  harness = 'local',
}) {
  const paths = await ensureHost();
  const scratch = mkdtempSync(path.join(tmpdir(), 'agent-debugger-chat-'));
  const userDataDir = path.join(scratch, 'user');
  const extensionsDir = path.join(scratch, 'extensions');
  /** @type {(() => Promise<void> | void)[]} */
  const cleanUps = [
    () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  ];
  /** @type {() => void} */
  let stopServerNow = () => undefined;
  const closeNow = () => {
    stopServerNow();
    rmSync(scratch, { recursive: true, force: true });
  };
  const leave = () => process.exit(1);
  process.once('exit', closeNow);
  for (const signal of SIGNALS) process.once(signal, leave);
  const close = async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    process.off('exit', closeNow);
    for (const signal of SIGNALS) process.off(signal, leave);
  };
  try {
    mkdirSync(path.join(userDataDir, 'User'), { recursive: true });
    writeFileSync(
      path.join(userDataDir, 'User', 'chatLanguageModels.json'),
      JSON.stringify([languageModel(model)]),
    );
    if (language) writeLanguagePack(paths.vscode, userDataDir, language);
    install(paths, extension, {
      userDataDir,
      extensionsDir,
      serverDataDir: path.join(scratch, 'server'),
    });
    const server = await startServer({
      userDataDir,
      extensionsDir,
      // VS Code accepts a test token only with the driver.
      driver: harness === 'copilot',
      settings: { ...(harness === 'copilot' ? AGENT_HOST_SETTINGS : {}), ...settings },
      ...(harness === 'copilot'
        ? { env: agentHostVariables(model, path.join(scratch, 'home')) }
        : {}),
      ...(language ? { locale: language.locale } : {}),
    });
    stopServerNow = server.stopNow;
    cleanUps.push(server.stop);
    const { browser, context } = await openBrowser(size);
    cleanUps.push(() => browser.close());
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    // The smoke-test driver calls these functions.
    for (const name of ['codeAutomationLog', 'codeAutomationExit'])
      await page.exposeFunction(name, () => undefined);
    await showChat(page, server, folder).catch(async (error) => {
      await page.screenshot({ path: FAILURE_PICTURE }).catch(() => undefined);
      throw new Error(`The chat did not appear, see ${FAILURE_PICTURE}`, { cause: error });
    });
    return { page, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @param {{ origin: string, port: number }} server
 * @param {string} folder
 */
async function showChat(page, server, folder) {
  await enableCopilot(page, server.origin);
  await page.goto(workbenchAddress(server, { open: folder }));
  await page.locator('.interactive-input-editor .monaco-editor').waitFor();
}

/** Copilot's Agent Host without an account. */
const AGENT_HOST_SETTINGS = {
  'chat.agentHost.unsafeTestToken': 'none',
  'chat.agentHost.allowSignedOutWhenUsable': true,
  'chat.agentHost.githubMcpServer.enabled': false,
  'github.copilot.chat.githubMcpServer.enabled': false,
};

/**
 * Variables that make the Agent Host use the model on loopback as Copilot's service, with a separate home folder.
 * @param {string} model
 * @param {string} home
 */
function agentHostVariables(model, home) {
  mkdirSync(home);
  return {
    HOME: home,
    COPILOT_HOME: path.join(home, '.copilot'),
    COPILOT_API_URL: model,
    COPILOT_DEBUG_GITHUB_API_URL: model,
    VSCODE_AGENT_HOST_CAPI_URL_OVERRIDE: model,
    GITHUB_COPILOT_API_TOKEN: 'none',
    GITHUB_PAT: 'none',
    GITHUB_TOKEN: undefined,
    GH_TOKEN: undefined,
  };
}

/** The entry that makes Copilot use a custom model, without an account. @param {string} address */
function languageModel(address) {
  const scripted = {
    id: 'local',
    name: 'Local',
    url: `${address}/v1/chat/completions`,
    toolCalling: true,
    vision: false,
    maxInputTokens: 128_000,
    maxOutputTokens: 8000,
  };
  return {
    name: 'Local',
    vendor: 'customendpoint',
    apiKey: 'none',
    apiType: 'chat-completions',
    models: [scripted],
  };
}

/**
 * Copilot stays disabled in a new profile until VS Code has noted that it is built in.
 * @param {import('playwright-core').Page} page
 * @param {string} origin
 */
async function enableCopilot(page, origin) {
  await page.goto(`${origin}/version`);
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('vscode-web-state-db-global', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('ItemTable');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const writing = opening.result.transaction('ItemTable', 'readwrite');
          writing.objectStore('ItemTable').put('true', 'builtinChatExtensionEnablementMigration');
          writing.onerror = () => reject(writing.error);
          writing.oncomplete = () => {
            opening.result.close();
            resolve(undefined);
          };
        };
      }),
  );
}

/**
 * Writes a language pack with only the given translations of VS Code's English texts.
 * @param {string} vscode
 * @param {string} userDataDir
 * @param {{ locale: string, translations: Readonly<Record<string, string>> }} language
 */
function writeLanguagePack(vscode, userDataDir, { locale, translations }) {
  /** @type {[string, string[]][]} */
  const keys = JSON.parse(readFileSync(path.join(vscode, 'out', 'nls.keys.json'), 'utf8'));
  /** @type {string[]} */
  const messages = JSON.parse(readFileSync(path.join(vscode, 'out', 'nls.messages.json'), 'utf8'));
  const unknown = Object.keys(translations).filter((english) => !messages.includes(english));
  if (unknown.length > 0) throw new Error(`This VS Code does not say: ${unknown.join(', ')}`);
  let index = 0;
  const contents = Object.fromEntries(
    keys.map(([module, names]) => [
      module,
      Object.fromEntries(
        names.flatMap((name) => {
          const translation = translations[messages[index++] ?? ''];
          return translation === undefined ? [] : [[name, translation]];
        }),
      ),
    ]),
  );
  const file = path.join(userDataDir, 'main.i18n.json');
  writeFileSync(file, JSON.stringify({ version: '1.0.0', contents }));
  const pack = {
    hash: 'test',
    label: locale,
    extensions: [
      { extensionIdentifier: { id: 'agent-debugger.test-language-pack' }, version: '1.0.0' },
    ],
    translations: { vscode: file },
  };
  writeFileSync(path.join(userDataDir, 'languagepacks.json'), JSON.stringify({ [locale]: pack }));
}

/**
 * @param {{ node: string, server: string }} paths
 * @param {string} extension the VSIX
 * @param {{ userDataDir: string, extensionsDir: string, serverDataDir: string }} folders
 */
function install({ node, server }, extension, { userDataDir, extensionsDir, serverDataDir }) {
  const args = [
    '--accept-server-license-terms',
    '--extensions-dir',
    extensionsDir,
    '--user-data-dir',
    userDataDir,
    '--server-data-dir',
    serverDataDir,
    '--install-extension',
    extension,
  ];
  const result = spawnSync(node, [server, ...args], { encoding: 'utf8', timeout: 60_000 });
  if (result.status !== 0 || !result.stdout.includes('was successfully installed'))
    throw new Error(`${extension} could not be installed:\n${result.stdout}${result.stderr}`);
}
