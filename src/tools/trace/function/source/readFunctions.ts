import { CPP as CPP_SYNTAX } from '../../../../syntax/languages/cpp';
import { CSHARP as CSHARP_SYNTAX } from '../../../../syntax/languages/csharp';
import { GO as GO_SYNTAX } from '../../../../syntax/languages/go';
import { JAVA as JAVA_SYNTAX } from '../../../../syntax/languages/java';
import type { FunctionGrammar } from '../../../../syntax/languages/language';
import { PHP as PHP_SYNTAX } from '../../../../syntax/languages/php';
import { RUBY as RUBY_SYNTAX } from '../../../../syntax/languages/ruby';
import { RUST as RUST_SYNTAX } from '../../../../syntax/languages/rust';
import { braceFunctions, type BraceLanguage } from './braceFunctions';
import { goBody } from './goBody';
import type { Readable } from './functionsIn';
import { grammarFunctions } from './grammarFunctions';
import { javaScriptFunctions } from './javascriptFunctions';
import { withGoVariables } from './fileVariables';
import { pythonFunctions } from './pythonFunctions';
import type { SourceFunction } from './sourceFunction';

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

/** Reads functions by a grammar. The scanner is used if the grammar cannot be loaded, or takes too long. */
const syntax =
  (grammar: FunctionGrammar, scanner: BraceLanguage): Reader =>
  async (text) =>
    (await grammarFunctions(text, grammar, scanner.body)) ?? braceFunctions(text, scanner);

const ruby: Reader = async (text) => (await grammarFunctions(text, RUBY_SYNTAX)) ?? [];

const goFunctions = syntax(GO_SYNTAX, GO);
const cpp = syntax(CPP_SYNTAX, C);

const READERS: Readonly<Record<Readable, Reader>> = {
  js: javaScriptFunctions,
  cjs: javaScriptFunctions,
  mjs: javaScriptFunctions,
  jsx: javaScriptFunctions,
  ts: javaScriptFunctions,
  cts: javaScriptFunctions,
  mts: javaScriptFunctions,
  tsx: javaScriptFunctions,
  py: pythonFunctions,
  c: cpp,
  cc: cpp,
  cpp,
  cxx: cpp,
  h: cpp,
  hh: cpp,
  hpp: cpp,
  hxx: cpp,
  // No grammar: Objective-C, Kotlin and Swift.
  m: braces(C),
  mm: braces(C),
  kt: braces(KOTLIN),
  swift: braces(FUNC),
  go: async (text, file) => withGoVariables(await goFunctions(text, file), text),
  rs: syntax(RUST_SYNTAX, RUST),
  java: syntax(JAVA_SYNTAX, JAVA),
  cs: syntax(CSHARP_SYNTAX, JAVA),
  php: syntax(PHP_SYNTAX, PHP),
  rb: ruby,
};

/** Returns the functions of a source file. It runs in the thread for texts of projects. */
export async function readFunctions(
  text: string,
  file: string,
  extension: Readable,
): Promise<Functions> {
  return await READERS[extension](text, file);
}
