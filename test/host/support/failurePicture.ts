import path from 'node:path';
import { control } from './hostControl';

/** Takes a picture of VS Code when a test fails, in `.vscode-test/pictures`. */
afterEach(async function () {
  if (this.currentTest?.state !== 'failed') return;
  const name = this.currentTest
    .fullTitle()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 120);
  const file = path.resolve(__dirname, '../../../../.vscode-test/pictures', `${name}.png`);
  const taken = await control('screenshot', { path: file });
  if (taken) console.log(`      picture: ${path.relative(process.cwd(), file)}`);
});
