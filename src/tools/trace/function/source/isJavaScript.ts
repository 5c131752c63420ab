import type { JavaScriptFunction } from './javascriptFunctions';
import type { SourceFunction } from './sourceFunction';

/** Whether a function is of JavaScript or TypeScript. The parser is not loaded for that. */
export function isJavaScript(found: SourceFunction): found is JavaScriptFunction {
  return 'declared' in found;
}
