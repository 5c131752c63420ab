import type { ScannedTest } from '../testFramework';
import { testsInText } from './javascriptText';
import { lineCounter } from '../scan/maskText';
import { nested } from '../scan/nesting';

/** Finds tests of node:test, mocha, jest and vitest. Babel's parser is in a separate chunk. */
export async function scanJavaScript(text: string, file: string): Promise<readonly ScannedTest[]> {
  const { testsInTree } = await import(/* webpackChunkName: "javascript" */ './javascriptTests.js');
  const found = testsInTree(text, file);
  return found === undefined ? testsInText(text) : nested(found, lineCounter(text));
}

/** Matches a placeholder in a name that is created when the test runs. */
const PLACEHOLDER = /\$\{[^}]{0,100}\}|%[#%sdifjoOpc]|\$[\w.]+/g;

/** Returns the parts of a name between its placeholders. */
export function fixedParts(name: string): readonly string[] {
  return name.split(PLACEHOLDER);
}
