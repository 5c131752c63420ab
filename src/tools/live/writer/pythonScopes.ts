import { maskText, PYTHON } from '../../../testing/scan/maskText';
import { pythonFunctions } from '../../trace/function/source/pythonFunctions';
import { functionAround, type SourceFunction } from '../../trace/function/source/sourceFunction';
import type { Scope } from './writes';

const MODULE = 'module';

/** Which scope of a Python file a name belongs to. */
export class Scopes {
  private readonly functions: readonly SourceFunction[];
  private readonly lines: readonly string[];
  private readonly assigned = new Map<SourceFunction, Set<string>>();
  private readonly elsewhere = new Map<string, 'global' | 'nonlocal'>();

  constructor(text: string) {
    this.functions = pythonFunctions(text);
    this.lines = maskText(text, PYTHON).split('\n');
    for (const each of this.functions)
      this.assigned.set(each, new Set(each.parameters.map(({ name }) => name)));
  }

  declare(kind: 'global' | 'nonlocal', name: string, line: number): void {
    const around = functionAround(this.functions, line);
    if (around !== undefined) this.elsewhere.set(`${around.start} ${name}`, kind);
  }

  assign(name: string, line: number): void {
    const around = functionAround(this.functions, line);
    if (around !== undefined && !this.elsewhere.has(`${around.start} ${name}`))
      this.assigned.get(around)?.add(name);
  }

  of(name: string, line: number): Scope & { readonly isInner: boolean } {
    const own = functionAround(this.functions, line);
    let around = own;
    while (around !== undefined) {
      if (this.elsewhere.get(`${around.start} ${name}`) === 'global') break;
      if (this.assigned.get(around)?.has(name) === true) {
        // The frame of a call that pauses is not always at the same depth.
        const isClear = around === own && around.suspends === undefined;
        const calls = isClear ? 'own' : 'unclear';
        return { id: `function ${around.start}`, calls, isInner: around !== own };
      }
      around = this.outer(around);
    }
    return { id: MODULE, calls: 'single', isInner: own !== undefined };
  }

  private outer({ start, end }: SourceFunction): SourceFunction | undefined {
    const others = this.functions.filter((each) => each.start < start && each.end >= end);
    return functionAround(others, start);
  }

  /** Whether a line belongs to the body of a class, whose names are members. */
  isInClass(line: number): boolean {
    let indent = indentOf(this.lines[line - 1] ?? '');
    for (let at = line - 2; at >= 0 && indent > 0; at -= 1) {
      const text = this.lines[at] ?? '';
      if (text.trim() === '' || indentOf(text) >= indent) continue;
      indent = indentOf(text);
      if (/^\s*(?:async\s+)?def\b/.test(text)) return false;
      if (/^\s*class\b/.test(text)) return true;
    }
    return false;
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
