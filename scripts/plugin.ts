/** `npm run plugin`: writes the portable plugin to `dist-plugin/`. Run `npm run build` first. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readFacts } from './publishing/facts';
import { pluginFiles } from './publishing/plugin';
import { writeFiles } from './publishing/writeFiles';

const root = path.resolve(__dirname, '../..');

/** Writes the plugin with the bridge from the last build. */
export function writePlugin(folder = path.join(root, 'dist-plugin')): string {
  const facts = readFacts(root);
  const bridge = readFileSync(path.join(root, 'dist', 'stdio.js'), 'utf8');
  writeFiles(folder, pluginFiles(root, facts, bridge));
  return `plugin ${facts.name} ${facts.version}: ${folder}`;
}

if (require.main === module) console.log(writePlugin());
