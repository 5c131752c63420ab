import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Language } from './calling';

/** Generated programs that nobody would write: functions with thousands of locals. */
export class GeneratedPrograms {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-bench-'));

  /** Writes a program that stops in a function with this number of locals. @returns its file */
  locals(language: Language, count: number): string {
    const names = Array.from({ length: count }, (_, index) => `local${index}`);
    const file = path.join(this.folder, `locals${count}.${language.type === 'node' ? 'js' : 'py'}`);
    writeFileSync(file, language.type === 'node' ? javascript(names) : python(names));
    return file;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

function javascript(names: readonly string[]): string {
  return [
    'function hold() {',
    '  let tick = 0;',
    ...names.map((name, index) => `  let ${name} = ${index};`),
    '  debugger;',
    '  for (;;) {',
    '    tick += 1;',
    '    tick += 2;',
    '    tick -= 3;',
    `    if (tick < 0) return [${names.join(', ')}];`,
    '  }',
    '}',
    'hold();',
    '',
  ].join('\n');
}

function python(names: readonly string[]): string {
  return [
    'def hold():',
    '    tick = 0',
    ...names.map((name, index) => `    ${name} = ${index}`),
    '    breakpoint()',
    '    while True:',
    '        tick += 1',
    '        tick += 2',
    '        tick -= 3',
    '',
    '',
    'hold()',
    '',
  ].join('\n');
}
