import path from 'node:path';
import { braceFunctions, type BraceLanguage } from './braceFunctions';
import { pythonFunctions } from './pythonFunctions';
import type { SourceFunction } from './sourceFunction';

const C: BraceLanguage = { entersAtHeader: true, namesFirst: false };
const GO: BraceLanguage = { entersAtHeader: true, namesFirst: true, keyword: 'func' };
const JAVA: BraceLanguage = { entersAtHeader: false, namesFirst: false };
const RUST: BraceLanguage = { entersAtHeader: true, namesFirst: true, keyword: 'fn' };
const KOTLIN: BraceLanguage = { entersAtHeader: false, namesFirst: true, keyword: 'fun' };
const PHP: BraceLanguage = { entersAtHeader: false, namesFirst: false, keyword: 'function' };

type Functions = readonly SourceFunction[];
type Reader = (text: string, file: string) => Functions | Promise<Functions>;

const braces =
  (language: BraceLanguage): Reader =>
  (text) =>
    braceFunctions(text, language);

/** Babel's parser is a chunk of its own, which is loaded with the first file. */
const javaScript: Reader = async (text, file) => {
  const { javaScriptFunctions } = await import(
    /* webpackChunkName: "javascript" */ './javascriptFunctions.js'
  );
  return javaScriptFunctions(text, file);
};

const READERS: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(
    ['.js', '.cjs', '.mjs', '.jsx', '.ts', '.cts', '.mts', '.tsx'].map((each) => [
      each,
      javaScript,
    ]),
  ),
  '.py': pythonFunctions,
  ...Object.fromEntries(
    ['.c', '.cc', '.cpp', '.cxx', '.h', '.hh', '.hpp', '.hxx', '.m', '.mm'].map((each) => [
      each,
      braces(C),
    ]),
  ),
  '.go': braces(GO),
  '.rs': braces(RUST),
  '.java': braces(JAVA),
  '.kt': braces(KOTLIN),
  '.cs': braces(JAVA),
  '.swift': braces(GO),
  '.php': braces(PHP),
};

/** The extensions of files whose functions can be read, without dots. */
export const READABLE: readonly string[] = Object.keys(READERS).map((each) => each.slice(1));

/** The functions of a source file; undefined for a language that is not read. */
export async function functionsIn(file: string, text: string): Promise<Functions | undefined> {
  return await READERS[path.extname(file).toLowerCase()]?.(text, file);
}
