/** What an exception at a line of Python may lead to, before it leaves the function. */
export interface AfterException {
  /** Whether code of the function runs: the end of a `with`, or a `finally`. */
  readonly runs: boolean;
  /** Whether the function may catch it. */
  readonly catches: boolean;
}

/** Reads the blocks around a line, up to its function. @param line 1-based */
export function afterException(source: readonly string[], line: number): AfterException {
  let [runs, catches] = [false, false];
  let own = indentation(source[line - 1] ?? '');
  for (let at = line - 1; at > 0 && own > 0; at -= 1) {
    const header = source[at - 1] ?? '';
    if (isBlank(header) || indentation(header) >= own) continue;
    own = indentation(header);
    const keyword = /^\s*(?:async\s+)?([a-z]+)\b/.exec(header)?.[1];
    if (keyword === 'def' || keyword === 'class') break;
    if (keyword === 'with') runs = true;
    if (keyword === 'finally' || !PARTS.includes(keyword ?? '')) continue;
    const later = partsAfter(source, at);
    runs ||= later.includes('finally');
    catches ||= keyword === 'try' && later.includes('except');
  }
  return { runs, catches };
}

/** The keywords of the parts of a `try` statement. An `else` may also belong to another statement. */
const PARTS: readonly string[] = ['try', 'except', 'else', 'finally'];

/** Returns the keywords of the later parts of the statement of which a line begins a part. */
function partsAfter(source: readonly string[], header: number): readonly string[] {
  const own = indentation(source[header - 1] ?? '');
  const parts: string[] = [];
  for (const text of source.slice(header)) {
    if (isBlank(text) || indentation(text) > own) continue;
    const keyword = /^\s*([a-z]+)\b/.exec(text)?.[1] ?? '';
    if (indentation(text) < own || !PARTS.includes(keyword) || keyword === 'try') break;
    parts.push(keyword);
  }
  return parts;
}

/** Returns the number of spaces or tabs at the beginning of a line. */
function indentation(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}

function isBlank(text: string): boolean {
  return /^\s*(?:#|$)/.test(text);
}
