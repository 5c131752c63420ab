import type { RecordingPoint } from '../../../recording/recordingPlan';
import { JAVASCRIPT, maskText, PYTHON, type Lexis } from '../../../testing/scan/maskText';
import type { ToolServices } from '../../services';
import { functionsIn } from '../../trace/function/source/functionsIn';
import { functionAround, type SourceFunction } from '../../trace/function/source/sourceFunction';
import type { Language } from './writes';

const LEXES: Readonly<Record<Language, Lexis>> = { python: PYTHON, javascript: JAVASCRIPT };

/** The maximum number of lines at which a function is expected to return. */
const MAX_RETURNS = 40;

/** Finds the lines in files at which functions of a name return. A `return` behind other code of its line is left out. */
export async function returnPoints(
  { workspace }: Pick<ToolServices, 'workspace'>,
  files: readonly string[],
  name: string,
  language: Language,
): Promise<readonly RecordingPoint[]> {
  const points: RecordingPoint[] = [];
  for (const path of files) {
    const text = (await workspace.readSource(path))?.lines.join('\n');
    const functions = text === undefined ? undefined : await functionsIn(path, text);
    if (text === undefined || functions === undefined) continue;
    for (const line of returnLines(text, functions, name, language))
      points.push({ id: points.length + 1, path, line, values: [] });
  }
  return points.length > MAX_RETURNS ? [] : points;
}

/** The lines at which functions of a name return. Calls that may pause are left out: their caller goes on before. */
export function returnLines(
  text: string,
  functions: readonly SourceFunction[],
  name: string,
  language: Language,
): readonly number[] {
  if (!functions.some((each) => each.name === name)) return [];
  const lines = maskText(text, LEXES[language]).split('\n');
  return lines.flatMap((code, index) => {
    if (!/^\s{0,200}return\b/.test(code)) return [];
    const around = functionAround(functions, index + 1);
    return around?.name === name && around.suspends === undefined ? [index + 1] : [];
  });
}
