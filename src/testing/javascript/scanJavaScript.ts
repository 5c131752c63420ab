import { inThread } from '../../syntax/reading';
import type { ScannedTest } from '../testFramework';
import { testsInText } from './javascriptText';
import { lineCounter } from '../scan/maskText';
import { nested } from '../scan/nesting';
import type { testsInTree } from './javascriptTests';

/** Finds tests of node:test, mocha, jest and vitest. */
export async function scanJavaScript(text: string, file: string): Promise<readonly ScannedTest[]> {
  const found = await inThread<typeof testsInTree>('testsInTree', text, file);
  return found === undefined ? testsInText(text) : nested(found, lineCounter(text));
}

/** Matches a placeholder in a name that is created when the test runs. */
const PLACEHOLDER = /\$\{[^}]{0,100}\}|%[#%sdifjoOpc]|\$[\w.]+/g;

/** Returns the parts of a name between its placeholders. */
export function fixedParts(name: string): readonly string[] {
  return name.split(PLACEHOLDER);
}
