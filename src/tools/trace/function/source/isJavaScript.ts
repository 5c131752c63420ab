import type { JavaScriptFunction } from './javascriptFunctions';
import type { SourceFunction } from './sourceFunction';

/** Whether a function is of JavaScript or TypeScript. The parser is not loaded for that. */
export function isJavaScript(found: SourceFunction): found is JavaScriptFunction {
  return 'declared' in found;
}

/** Whether V8's steps may miss the end of a call, because a `return` has no place at its end. */
export function mayMissEnd({ exits }: JavaScriptFunction): boolean {
  return exits.some(({ hasNoEnd }) => hasNoEnd === true);
}
