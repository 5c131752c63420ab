import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { Failure } from '../../../results/failure';
import { clauses, listed } from '../../../results/listing';
import { requestedBreakpoint } from '../../core/requestedBreakpoint';
import { outsideOf, shortPath } from '../../files/files';
import { code, wholeCode } from '../../question';
import { filePathText, lineNumber } from '../../schemas';
import type { ToolServices } from '../../services';
import { defined } from '../../../util/defined';
import { findTarget } from '../function/traceTarget';

const expression = z.string().min(1).max(4000);

export const probeInput = z.strictObject({
  file_path: filePathText.optional(),
  line: lineNumber.optional(),
  line_content: z.string().min(1).max(2000).optional(),
  function_name: z.string().min(1).max(500).optional(),
  expressions: z.array(expression).max(20).optional(),
  condition: expression.optional(),
  /** A claim that must hold at every hit. */
  expect: expression.optional(),
});

export type ProbeInput = z.output<typeof probeInput>;

/** A place at which values are collected. */
export interface Probe {
  /** The number of the probe in the order of the call: 1, 2, 3 … */
  readonly id: number;
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
  /** The name of the function, if the call named one. */
  readonly functionName?: string | undefined;
  /** Whether the rounds of a loop also reach the line, although the probe is for the beginning of the function. */
  readonly repeats?: boolean | undefined;
  readonly expressions: readonly string[];
  readonly condition: string | undefined;
  readonly expect: string | undefined;
}

/**
 * Finds the places of all probes.
 * @param type the debug type of the program
 * @throws Failure if a place is not found. Nothing has been started.
 */
export async function resolveProbes(
  services: ToolServices,
  inputs: readonly ProbeInput[],
  type: string | undefined,
): Promise<readonly Probe[]> {
  const probes: Probe[] = [];
  for (const [index, input] of inputs.entries()) {
    if ((input.expressions ?? []).length === 0 && input.expect === undefined)
      throw new Failure(
        'invalid_input',
        l10n.t(
          'Probe {0} has neither expressions nor expect, so there is nothing to collect.',
          index + 1,
        ),
        'Pass expressions, expect, or both. Nothing was started.',
      );
    probes.push({
      id: index + 1,
      ...(await placeOf(services, input, type)),
      functionName: input.function_name,
      expressions: input.expressions ?? [],
      condition: input.condition,
      expect: input.expect,
    });
  }
  return probes;
}

async function placeOf(
  services: ToolServices,
  { file_path: file, line, line_content: content, function_name: name }: ProbeInput,
  type: string | undefined,
): Promise<Pick<Probe, 'path' | 'line' | 'column' | 'repeats'>> {
  if (name !== undefined && line === undefined && content === undefined) {
    const { place } = await findTarget(services, { function_name: name, file_path: file }, type);
    if (place !== undefined)
      return { path: place.path, ...place.found.entry, repeats: place.found.entryRepeats };
    throw new Failure(
      'function_not_found',
      l10n.t('No source file in the workspace has a function {0}.', name),
      'Pass file_path and line instead. Nothing was started.',
    );
  }
  const requested = await requestedBreakpoint(
    services,
    defined({
      file_path: file,
      line_number: line,
      line_content: content,
      function_name: name,
    }),
  );
  // Probes with only a function name were resolved above; the others have a line.
  if (requested.kind === 'function') throw new Error('a probe without a line');
  return { path: requested.path, line: requested.line };
}

/** Returns the label of a probe in results: `cart.py:12`. */
export function labelOf(services: Pick<ToolServices, 'workspace'>, probe: Probe): string {
  const at = `${shortPath(services, probe.path)}:${probe.line}`;
  return probe.functionName === undefined ? at : `${at} ${probe.functionName}`;
}

/**
 * Returns the line about one probe for the question to the person, in Markdown.
 * @throws Failure if the call would fail
 */
export async function probeLine(
  services: ToolServices,
  input: ProbeInput,
  type: string | undefined,
): Promise<string> {
  const { condition, expect, expressions = [] } = input;
  const parts = [
    ...(expressions.length === 0
      ? []
      : [l10n.t('read {0}', listed(expressions.map((text) => wholeCode(text))))]),
    ...(condition === undefined ? [] : [l10n.t('only where {0}', wholeCode(condition))]),
    ...(expect === undefined ? [] : [l10n.t('check that {0} holds', wholeCode(expect))]),
  ];
  return l10n.t('{0}: {1}', await placeText(services, input, type), clauses(parts));
}

/** Returns the text for a probe's place. A file outside the workspace is not read before the person has approved. */
async function placeText(
  services: ToolServices,
  input: ProbeInput,
  type: string | undefined,
): Promise<string> {
  const { file_path: file, line, line_content: content, function_name: name } = input;
  const isOutside = file !== undefined && (await outsideOf(services, [file])).length > 0;
  if (isOutside)
    return code([path.normalize(file), ...[line ?? content ?? name ?? '']].join(':'), 4096);
  const [probe] = await resolveProbes(services, [input], type);
  if (probe === undefined) return '';
  const text = (await services.workspace.readSource(probe.path))?.lines[probe.line - 1]?.trim();
  const at = wholeCode(`${shortPath(services, probe.path)}:${probe.line}`);
  return text === undefined || text === '' ? at : `${at} ${code(text)}`;
}

/** A name, or a path of members. Debuggers read it without a call, as far as they know. */
const PATH = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|->)[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

/** Whether an expression is a variable, or a path of members. */
export function isPlainPath(expression: string): boolean {
  return PATH.test(expression.trim());
}

/** Whether an expression, a condition or a claim may run code of the program. */
export function mayRunCode({ expressions = [], condition, expect }: ProbeInput): boolean {
  return condition !== undefined || expect !== undefined || !expressions.every(isPlainPath);
}
