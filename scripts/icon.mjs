// @ts-check
/** `npm run icon`: renews `media/icon.png`, the icon in the Marketplace and VS Code, from `media/icon.svg`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from './vscodeHost/browser.mjs';

const media = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../media');
const size = 256;
const { browser, context } = await openBrowser({ width: size, height: size });
const page = await context.newPage();
await page.setContent(
  `<style>body { margin: 0 } svg { display: block }</style>${readFileSync(path.join(media, 'icon.svg'), 'utf8')}`,
);
await page.screenshot({ path: path.join(media, 'icon.png'), omitBackground: true });
await browser.close();
