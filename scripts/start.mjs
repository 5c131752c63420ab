// @ts-check
/**
 * `npm start [folder]`: opens the example project with the extension for a person. If `code` is installed, it uses the
 * desktop VS Code; else the npm-delivered one, and prints its address for a browser.
 */
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { ensureHost } from './vscodeHost/setup.mjs';
import { startServer, workbenchAddress } from './vscodeHost/workbench.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'examples/shop'));

console.log('Building the extension, and getting VS Code ready …');
build();
if (spawnSync('code', ['--version']).status === 0) {
  spawn('code', ['--new-window', `--extensionDevelopmentPath=${root}`, folder], {
    stdio: 'inherit',
  });
} else {
  await ensureHost();
  const port = Number(process.env.PORT ?? 0);
  const server = await startServer({
    port,
    extensions: [root],
    driver: false,
    trust: false,
    settings: {
      'security.workspace.trust.startupPrompt': 'once',
      'workbench.startupEditor': 'readme',
    },
  });
  const stop = async () => {
    await server.stop();
    process.exit(0);
  };
  process.once('SIGINT', () => void stop());
  process.once('SIGTERM', () => void stop());
  console.log(
    `VS Code with Agent Debugger: open this address in a browser on this machine, Ctrl+C ends it.\n\n  ${workbenchAddress(server, { open: folder })}\n`,
  );
  await server.exited;
}
