import path from 'node:path';
import { giveWay, MAX_SCANNED } from '../../../../util/projectText';
import { braceFunctions, type BraceLanguage } from './braceFunctions';
import { goBody } from './goBody';
import { withGoVariables } from './fileVariables';
import { pythonFunctions } from './pythonFunctions';
import type { SourceCall, SourceFunction } from './sourceFunction';

const C: BraceLanguage = { entersAtHeader: true, namesFirst: false, copiesArguments: true };
const FUNC: BraceLanguage = { entersAtHeader: true, namesFirst: true, keyword: 'func' };
const GO: BraceLanguage = { ...FUNC, copiesArguments: true, body: goBody };
const JAVA: BraceLanguage = { entersAtHeader: false, namesFirst: false };
const RUST: BraceLanguage = {
  entersAtHeader: true,
  namesFirst: true,
  keyword: 'fn',
  copiesArguments: true,
};
const KOTLIN: BraceLanguage = { entersAtHeader: false, namesFirst: true, keyword: 'fun' };
const PHP: BraceLanguage = { entersAtHeader: false, namesFirst: false, keyword: 'function' };

type Functions = readonly SourceFunction[];
type Reader = (text: string, file: string) => Functions | Promise<Functions>;

const braces =
  (language: BraceLanguage): Reader =>
  (text) =>
    braceFunctions(text, language);

/** Babel's parser is in a separate chunk, which is loaded with the first file. */
const javaScript: Reader = async (text, file) => {
  const { javaScriptFunctions } = await import(
    /* webpackChunkName: "javascript" */ './javascriptFunctions.js'
  );
  return javaScriptFunctions(text, file);
};

const READERS: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(
    ['.js', '.cjs', '.mjs', '.jsx', '.ts', '.cts', '.mts', '.tsx'].map((extension) => [
      extension,
      javaScript,
    ]),
  ),
  '.py': pythonFunctions,
  ...Object.fromEntries(
    ['.c', '.cc', '.cpp', '.cxx', '.h', '.hh', '.hpp', '.hxx', '.m', '.mm'].map((extension) => [
      extension,
      braces(C),
    ]),
  ),
  '.go': (text) => withGoVariables(braceFunctions(text, GO), text),
  '.rs': braces(RUST),
  '.java': braces(JAVA),
  '.kt': braces(KOTLIN),
  '.cs': braces(JAVA),
  '.swift': braces(FUNC),
  '.php': braces(PHP),
};

/** The extensions, without dots, of files whose functions can be read. */
export const READABLE: readonly string[] = Object.keys(READERS).map((extension) =>
  extension.slice(1),
);

/** Returns the functions of a source file. Returns undefined for an unsupported language, or a text that is too long. */
export async function functionsIn(file: string, text: string): Promise<Functions | undefined> {
  if (text.length > MAX_SCANNED) return undefined;
  await giveWay(text);
  return await READERS[path.extname(file).toLowerCase()]?.(text, file);
}

/** Returns the calls of a JavaScript file that are not in functions. */
export async function javaScriptProgramCalls(
  file: string,
  text: string,
): Promise<readonly SourceCall[]> {
  const { callsOutsideFunctions } = await import(
    /* webpackChunkName: "javascript" */ './javascriptCalls.js'
  );
  return callsOutsideFunctions(text, file);
}
