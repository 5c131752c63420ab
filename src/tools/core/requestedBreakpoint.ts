import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import {
  ignoredParts,
  type PartName,
  isCombined,
  printingCondition,
} from '../../debugger/breakpoints/combinedParts';
import type { BreakpointParts } from '../../debugger/adapters/adapterParts';
import { adapterOf } from '../../debugger/adapters/registry';
import { Failure } from '../../results/failure';
import { hitConditionFor, readHitCount } from '../../debugger/breakpoints/hitCondition';
import type { RequestedHostBreakpoint } from '../../debugger/host';
import { linesWith } from '../../debugger/breakpoints/lineContent';
import { liveSessions } from '../../debugger/state/state';
import { absolute, locate } from '../files/files';
import { debugTypeFor } from '../launch/programConfiguration';
import { filePath, filePathText, lineNumber } from '../schemas';
import type { ToolServices } from '../services';

const conditionText = z.string().min(1).max(10_000);

/** The parameters of one breakpoint. They are described for the model only once, in `set_breakpoint`. */
const parts = {
  file_path: filePathText,
  line_number: lineNumber,
  line_content: z.string().min(1).max(2000),
  function_name: z.string().min(1).max(500),
  column_number: z.int().min(1).max(1_000_000),
  condition: conditionText,
  hit_condition: conditionText,
  log_message: conditionText,
};

export const setInput = z.strictObject({
  file_path: filePath.optional(),
  line_number: parts.line_number.optional().describe('1-based line.'),
  line_content: parts.line_content
    .optional()
    .describe(
      'Instead of line_number: the text of the line, which must occur once in the file. The breakpoint follows it when the file is edited.',
    ),
  function_name: parts.function_name
    .optional()
    .describe('Instead of file and line: break when this function is entered.'),
  column_number: parts.column_number
    .optional()
    .describe('1-based column; default: the whole line.'),
  condition: parts.condition
    .optional()
    .describe("Expression in the program's language; stop only when it is true."),
  hit_condition: parts.hit_condition
    .optional()
    .describe('Hit count, such as "> 5", "== 3", "% 2 == 0".'),
  log_message: parts.log_message
    .optional()
    .describe('Print this text instead of stopping; {expression} is evaluated.'),
});

/** The same parameters without descriptions, for lists of breakpoints in other tools. */
export const breakpointInput = z.strictObject(parts).partial();

export type SetInput = z.output<typeof setInput>;

/** The characters that are refused in function names, because some adapters put the name into a one-line command. */
const CONTROL_CHARACTER = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Resolves the request of a call to a breakpoint of VS Code. @throws Failure. Nothing has been changed. */
export async function requestedBreakpoint(
  services: ToolServices,
  input: SetInput,
): Promise<RequestedHostBreakpoint> {
  const ways = [input.line_number, input.line_content, input.function_name].filter(
    (value) => value !== undefined,
  ).length;
  if (ways !== 1)
    throw new Failure(
      'invalid_input',
      l10n.t('Exactly one of line_number, line_content and function_name is needed.'),
      'Nothing was changed.',
    );
  if (input.function_name !== undefined)
    return await requestedFunction(services, input, input.function_name);
  if (input.file_path === undefined)
    throw new Failure(
      'invalid_input',
      l10n.t('file_path is needed with line_number or line_content.'),
      'Pass file_path. Nothing was changed.',
    );
  return await requestedLine(services, input, input.file_path);
}

async function requestedFunction(
  services: ToolServices,
  input: SetInput,
  functionName: string,
): Promise<RequestedHostBreakpoint> {
  if (input.file_path !== undefined)
    throw new Failure(
      'invalid_input',
      l10n.t('function_name cannot be combined with file_path.'),
      'Leave out file_path. Nothing was changed.',
    );
  if (CONTROL_CHARACTER.test(functionName))
    throw new Failure(
      'invalid_input',
      l10n.t('function_name contains a control character or a line end.'),
      'Pass the name of one function. Nothing was changed.',
    );
  const conditions = await conditionsOf(services, input);
  return { kind: 'function', functionName, ...conditions };
}

async function requestedLine(
  services: ToolServices,
  input: SetInput,
  named: string,
): Promise<RequestedHostBreakpoint> {
  refuseNotebook(named);
  const file =
    input.line_number === undefined
      ? await absolute(services, named)
      : await locate(services, named, input.line_number);
  const line = input.line_number ?? (await findLine(services, file, input.line_content ?? ''));
  return {
    kind: 'source',
    path: file,
    line,
    column: input.column_number,
    ...(await conditionsOf(services, input, file, line)),
  };
}

/**
 * Refuses a notebook. Its cells are separate documents, which a path and a line cannot identify.
 * @throws Failure `not_supported`
 */
function refuseNotebook(file: string): void {
  if (path.extname(file).toLowerCase() !== '.ipynb') return;
  throw new Failure(
    'not_supported',
    l10n.t('{0} is a notebook. A path and a line do not identify a cell.', path.basename(file)),
    'Ask the person to set the breakpoint in the cell, or debug a script. Nothing was changed.',
  );
}

async function conditionsOf(
  services: ToolServices,
  input: SetInput,
  file?: string,
  line?: number,
): Promise<Pick<RequestedHostBreakpoint, 'condition' | 'hitCondition' | 'logMessage'>> {
  const hitCondition =
    input.hit_condition === undefined
      ? undefined
      : await hitConditionOf(services, input.hit_condition, file);
  const parts = { condition: input.condition, hitCondition, logMessage: input.log_message };
  if (isCombined(parts)) refuseIgnored(await typeThatBreaks(services, file), parts);
  return { ...parts, condition: await conditionAt(services, input.condition, file, line) };
}

/** Returns a condition as its debugger has to evaluate it, see `Adapter.condition`. */
async function conditionAt(
  services: ToolServices,
  condition: string | undefined,
  file: string | undefined,
  line = 0,
): Promise<string | undefined> {
  if (condition === undefined) return undefined;
  const { condition: written } = adapterOf((await typeThatBreaks(services, file)) ?? '');
  if (written === undefined) return condition;
  const source =
    file !== undefined && written.needsSource(condition)
      ? await services.workspace.readSource(file)
      : undefined;
  return written.at(condition, source?.lines ?? [], line);
}

/** The parameter of each part of a breakpoint. */
const PARAMETERS: Readonly<Record<PartName, string>> = {
  condition: 'condition',
  logMessage: 'log_message',
  hitCondition: 'hit_condition',
};

/**
 * Refuses a combination of parts of which the adapter would ignore one silently. For example, it would stop instead of
 * printing.
 * @throws Failure `not_supported`
 */
function refuseIgnored(type: string | undefined, parts: Partial<BreakpointParts>): void {
  const found = ignoredParts(type, parts);
  if (found === undefined) return;
  const { condition, logMessage } = parts;
  const instead =
    condition !== undefined && logMessage !== undefined
      ? `Pass condition alone, without log_message: ${JSON.stringify(printingCondition(condition, logMessage))} prints and does not stop.`
      : `Leave out ${PARAMETERS[found.ignored]}, or count the hits in the expression.`;
  throw new Failure(
    'not_supported',
    l10n.t(
      'The debugger “{0}” uses only {1} and ignores {2}.',
      type ?? '',
      PARAMETERS[found.used],
      PARAMETERS[found.ignored],
    ),
    `${instead} Nothing was changed.`,
  );
}

/**
 * Returns a hint if the breakpoint has a combination of parts that not all debuggers support, and it is unknown which
 * debugger will get it.
 */
export async function unsureOfParts(
  services: ToolServices,
  requested: RequestedHostBreakpoint,
): Promise<string | undefined> {
  const file = requested.kind === 'function' ? undefined : requested.path;
  return isCombined(requested) && (await typeThatBreaks(services, file)) === undefined
    ? 'It is not known yet which debugger will use it. js-debug uses only the first of condition, log_message and hit_condition.'
    : undefined;
}

/** Returns the hit count in the syntax of the file's debugger. @throws Failure `invalid_input`, `not_supported` */
async function hitConditionOf(
  services: ToolServices,
  text: string,
  file: string | undefined,
): Promise<string> {
  const hits = readHitCount(text);
  if (hits === undefined)
    throw new Failure(
      'invalid_input',
      l10n.t('Not a hit count: {0}', text),
      'Write it as "> 5", ">= 5", "== 3", "< 4" or "% 2 == 0". Nothing was changed.',
    );
  const type = await typeThatBreaks(services, file);
  const written = hitConditionFor(type, hits);
  if ('text' in written) return written.text;
  throw new Failure(
    'not_supported',
    l10n.t('The debugger “{0}” cannot count hits by “{1}”.', type ?? '', text),
    `It supports ${written.understands}. Otherwise use condition. Nothing was changed.`,
  );
}

/**
 * Returns the debug type whose syntax applies: the type of a live session for the file, or else the type of the file's
 * language.
 */
async function typeThatBreaks(
  services: ToolServices,
  file: string | undefined,
): Promise<string | undefined> {
  for (const { type } of liveSessions(services.model.state))
    if (file === undefined || (await services.workspace.isForLanguage(file, type))) return type;
  return file === undefined ? undefined : await debugTypeFor(services, file);
}

/**
 * Returns the number of the only line with this text, ignoring surrounding whitespace.
 * @throws Failure `line_not_found` with the candidates
 */
async function findLine(
  { workspace }: ToolServices,
  file: string,
  content: string,
): Promise<number> {
  const fitting = linesWith((await workspace.readText(file)).split(/\r\n|\r|\n/), content);
  const [only, second] = fitting;
  if (only !== undefined && second === undefined) return only.line;
  const message =
    only === undefined
      ? l10n.t('No line of {0} contains that text.', file)
      : l10n.t('{0} lines of {1} contain that text.', fitting.length, file);
  throw new Failure(
    'line_not_found',
    message,
    'Pass line_number, or more of the line. Nothing was changed.',
    only === undefined ? {} : { candidates: fitting.slice(0, 20) },
  );
}
