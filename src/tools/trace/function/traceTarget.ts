import { scannedText } from '../../files/scannedText';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import { samePath } from '../../../debugger/sourcePath';
import { javaScriptRead } from '../../../recording/javaScriptRecorder';
import { Failure } from '../../../results/failure';
import { listed } from '../../../results/listing';
import { absolute, locate, shortPath } from '../../files/files';
import type { ToolServices } from '../../services';
import type { SourceLines } from './branches';
import type { ReturnedAt, TracedFunction } from './callModel';
import { isJavaScript, mayMissEnd } from './source/isJavaScript';
import { functionsIn, READABLE } from './source/functionsIn';
import { functionAround, isNamed, withName, type SourceFunction } from './source/sourceFunction';

/** The parameters with which a call names a function. */
export interface NamedFunction {
  readonly function_name?: string | undefined;
  readonly file_path?: string | undefined;
  readonly line?: number | undefined;
  /** The program that is started. If it contains one of several functions with the name, that one is meant. */
  readonly program?: string | undefined;
}

/** The function to trace. Without a source, only its name is known, and the debugger finds the function. */
export interface TraceTarget {
  readonly name: string;
  readonly place?: { readonly path: string; readonly found: SourceFunction } | undefined;
  readonly source: SourceLines;
}

/** The maximum number of functions that are listed if the named one does not exist or is ambiguous. */
const MAX_LISTED = 8;
/** The number of files that are read at the same time. */
const AT_ONCE = 16;

/**
 * Finds the function that a call names.
 * @param type the debug type of the program, if known. Only files of its language are searched then.
 * @throws Failure `invalid_input`, `function_not_found`, `ambiguous_function`, `not_supported`, and the failures of
 * `locate`
 */
export async function findTarget(
  services: Pick<ToolServices, 'workspace'>,
  named: NamedFunction,
  type?: string,
): Promise<TraceTarget> {
  const { function_name: name, file_path: file, line } = named;
  if (file !== undefined && line !== undefined) return await functionAt(services, file, line, name);
  if (name === undefined)
    throw new Failure(
      'invalid_input',
      l10n.t('Pass function_name, or file_path and line.'),
      'line is any line within the function. Nothing was started.',
    );
  const files =
    file === undefined ? await sourceFiles(services, type) : [await readable(services, file)];
  const all = (await inGroups(files, (candidate) => functionsOf(services, candidate, name))).flat();
  const fitting = await inProgram(services, withName(all, name), named.program);
  const [only, second] = fitting;
  if (only !== undefined && second === undefined) return targetOf(only);
  if (only !== undefined) throw ambiguous(services, name, fitting);
  if (file !== undefined) throw notFound(services, name, all);
  return { name, source: [] };
}

/** Returns the functions of the program's own file. If it has none, it returns all of them. */
async function inProgram(
  services: Pick<ToolServices, 'workspace'>,
  all: readonly Candidate[],
  program: string | undefined,
): Promise<readonly Candidate[]> {
  if (program === undefined || all.length < 2) return all;
  const file = await absolute(services, program).catch(() => program);
  const own = all.filter((candidate) => samePath(candidate.path, file));
  return own.length > 0 ? own : all;
}

/** Returns the path of a file that the caller named. @throws Failure if the file does not exist or may not be read */
async function readable(services: Pick<ToolServices, 'workspace'>, file: string): Promise<string> {
  const found = await absolute(services, file);
  await services.workspace.readText(found);
  return found;
}

/** Whether a frame is in the function of a place. */
export function isIn({ path, found }: NonNullable<TraceTarget['place']>, frame: Frame): boolean {
  return samePath(frame.path ?? '', path) && frame.line >= found.start && frame.line <= found.end;
}

/** Converts the target to the function model of a trace. */
export function tracedOf({ name, place, source }: TraceTarget): TracedFunction {
  const found = place?.found;
  const isScript = found !== undefined && isJavaScript(found);
  return {
    name,
    path: place?.path,
    source,
    range: place?.found,
    parameters: place?.found.parameters,
    copiesArguments: place?.found.copiesArguments,
    captured: place?.found.captured,
    capturedLeftOut: place?.found.capturedLeftOut,
    returns: isScript ? withReader(found.readReturns) : found?.returns,
    hasUnreadReturns: place?.found.hasUnreadReturns,
    results: place?.found.results,
    yields: isScript ? withReader(found.yields ?? []) : found?.yields,
    // Python's frames contain only variables that have values.
    beginsEmpty: place?.path.endsWith('.py'),
    suspends: place?.found.suspends,
    isAsyncGenerator: place?.found.isAsyncGenerator,
    entryRepeats: place?.found.entryRepeats,
    usesThis: isScript ? found.usesThis : undefined,
    mayMissEnd: isScript && mayMissEnd(found),
  };
}

/** Returns the expressions with the code that reads values in JavaScript. */
function withReader(returns: readonly ReturnedAt[]): readonly ReturnedAt[] {
  return returns.map(({ line, expressions }) => ({
    line,
    expressions: expressions.map(javaScriptRead),
  }));
}

interface Candidate {
  readonly path: string;
  readonly found: SourceFunction;
  readonly source: SourceLines;
}

function targetOf({ path: file, found, source }: Candidate): TraceTarget {
  return { name: titleOf(found), place: { path: file, found }, source };
}

/** Returns the name of a function, with the name of its owner. */
export function titleOf({ name, container }: SourceFunction): string {
  const own = name === '' ? '(anonymous)' : name;
  return container === undefined ? own : `${container}.${own}`;
}

async function functionAt(
  services: Pick<ToolServices, 'workspace'>,
  file: string,
  line: number,
  name: string | undefined,
): Promise<TraceTarget> {
  const found = await locate(services, file, line);
  const text = await scannedText(services.workspace, found);
  const functions = await functionsIn(found, text);
  if (functions === undefined)
    throw new Failure(
      'not_supported',
      l10n.t('The functions of {0} cannot be read.', path.basename(found)),
      `Pass function_name instead of line. Files that can be read: ${READABLE.map((extension) => `.${extension}`).join(' ')}.`,
    );
  const around = functionAround(functions, line);
  if (around === undefined || (name !== undefined && !isNamed(around, name)))
    throw notFound(
      services,
      name ?? `${path.basename(found)}:${line}`,
      functions.map((other) => ({ path: found, found: other, source: [] })),
      line,
    );
  return targetOf({ path: found, found: around, source: text.split(/\r\n|\r|\n/) });
}

async function sourceFiles(
  { workspace }: Pick<ToolServices, 'workspace'>,
  type: string | undefined,
): Promise<readonly string[]> {
  const files = await workspace.filesWith(READABLE);
  if (type === undefined) return files;
  const fits = await inGroups(files, (file) => workspace.isForLanguage(file, type));
  return files.filter((_, index) => fits[index]);
}

/** Returns the functions of a file, if its text contains the name. */
async function functionsOf(
  { workspace }: Pick<ToolServices, 'workspace'>,
  file: string,
  name: string,
): Promise<readonly Candidate[]> {
  const source = (await workspace.readSource(file))?.lines ?? [];
  const last = name.split(/::|[.#]/).at(-1) ?? name;
  if (!source.some((line) => line.includes(last))) return [];
  return ((await functionsIn(file, source.join('\n'))) ?? []).map((found) => ({
    path: file,
    found,
    source,
  }));
}

async function inGroups<From, To>(
  all: readonly From[],
  read: (item: From) => Promise<To>,
): Promise<readonly To[]> {
  const done: To[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    done.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(read))));
  return done;
}

function ambiguous(
  services: Pick<ToolServices, 'workspace'>,
  name: string,
  fitting: readonly Candidate[],
): Failure {
  const places = fitting.map((candidate) => placeOf(services, candidate));
  return new Failure(
    'ambiguous_function',
    l10n.t('There are several functions {0}: {1}.', name, listed(places.slice(0, MAX_LISTED))),
    'Pass file_path and line of one of them. Nothing was started.',
    { candidates: places.slice(0, MAX_LISTED) },
  );
}

function notFound(
  services: Pick<ToolServices, 'workspace'>,
  name: string,
  all: readonly Candidate[],
  line?: number,
): Failure {
  const near = [...all]
    .sort((one, other) => distance(one, line) - distance(other, line))
    .slice(0, MAX_LISTED)
    .map((candidate) => `${titleOf(candidate.found)} (${placeOf(services, candidate)})`);
  return new Failure(
    'function_not_found',
    line === undefined
      ? l10n.t('There is no function {0} in that file.', name)
      : l10n.t('There is no function at {0}.', name),
    'Pass another name or line. Nothing was started.',
    near.length === 0 ? {} : { functions: near },
  );
}

function distance({ found }: Candidate, line: number | undefined): number {
  return line === undefined ? 0 : Math.abs(found.start - line);
}

function placeOf(
  services: Pick<ToolServices, 'workspace'>,
  { path: file, found }: Candidate,
): string {
  return `${shortPath(services, file)}:${found.start}`;
}
