import { defined } from '../util/defined';
import type { TraceFrame } from './events';

/** A line of a stack trace. */
export interface TraceLine {
  readonly func: string;
  readonly frame: TraceFrame;
}

/** One form of stack trace lines. The named groups are file, line, column, func. */
interface Form {
  readonly language: string;
  readonly pattern: RegExp;
}

/**
 * The forms of the common languages. Each form begins with a part that is rare in other lines, and no part of a pattern
 * can match the same text in two ways, so the time for a line is linear in its length.
 */
const FORMS: readonly Form[] = [
  {
    // at draw (file:///app/board.js:12:5); Rust's `at ./src/main.rs:12:5` has the same form
    language: 'javascript',
    pattern:
      /^\s*at (?:async )?(?:(?<func>[^()]{1,200}) \()?(?<file>[^()\s][^()]{0,500}?):(?<line>\d{1,7}):(?<column>\d{1,7})\)?$/,
  },
  {
    // draw@http://127.0.0.1/board.js:12:5
    language: 'firefox',
    pattern:
      /^(?<func>[\w$.<>/*]{0,200})@(?<file>(?:https?|file|webpack):\/\/[^\s]{1,500}?):(?<line>\d{1,7}):(?<column>\d{1,7})$/,
  },
  {
    language: 'python',
    pattern: /^\s*File "(?<file>[^"]{1,500})", line (?<line>\d{1,7})(?:, in (?<func>.{1,200}))?$/,
  },
  {
    // at com.example.Cart.total(Cart.java:12), also in Kotlin and Scala
    language: 'java',
    pattern:
      /^\s*at (?<func>[\w$.<>/@-]{1,300})\((?<file>[\w$-]{1,200}\.(?:java|kt|scala|groovy)):(?<line>\d{1,7})\)$/,
  },
  {
    // at Shop.Cart.Total() in /app/Cart.cs:line 12
    language: 'csharp',
    pattern:
      /^\s*at (?<func>[^(]{1,300})\([^)]{0,500}\) in (?<file>.{1,500}):line (?<line>\d{1,7})$/,
  },
  {
    // /app/cart.go:12 +0x1d, after a line with the function
    language: 'go',
    pattern: /^\t(?<file>\S.{0,500}\.go):(?<line>\d{1,7})(?: \+0x[0-9a-f]{1,16})?$/,
  },
  {
    language: 'rust panic',
    pattern:
      /^thread '[^']{0,200}' (?:\(\d+\) )?panicked at (?<file>[^:\s]{1,500}):(?<line>\d{1,7}):(?<column>\d{1,7}):?$/,
  },
  {
    // app/cart.rb:12:in 'total'
    language: 'ruby',
    pattern:
      /^\s*(?:from )?(?<file>[^\s:]{1,500}\.rb):(?<line>\d{1,7}):in [`'](?<func>[^`']{1,200})'/,
  },
  {
    // #0 /app/cart.php(12): Cart->total()
    language: 'php',
    pattern: /^\s*#\d{1,5} (?<file>[^()\s]{1,500})\((?<line>\d{1,7})\): (?<func>[^(]{1,200})/,
  },
  {
    // #1 0x00005555 in total (cart=0x0) at cart.c:12
    language: 'gdb',
    pattern:
      /^#\d{1,5}\s+(?:0x[0-9a-f]{1,16} in )?(?<func>[\w:~<>]{1,200}) \([^)]{0,500}\) at (?<file>[^:\s]{1,500}):(?<line>\d{1,7})$/,
  },
  {
    // #0 0x4f in total /app/cart.c:12:5, printed by AddressSanitizer
    language: 'sanitizer',
    pattern:
      /^\s*#\d{1,5} 0x[0-9a-f]{1,16} in (?<func>[^\s(]{1,200})(?:\([^)]{0,300}\))? (?<file>\/[^:\s]{1,500}):(?<line>\d{1,7})(?::(?<column>\d{1,7}))?$/,
  },
];

/** The signs of a stack trace line. A line without one of them is not a line of a stack trace. */
const SIGN = /\d\)?$|, in |panicked at|:in [`']|\): | \+0x/;

const MAX_CHARACTERS = 1000;

/** The frame that a line of a stack trace names; undefined for all other lines. */
export function traceLine(text: string): TraceLine | undefined {
  if (text.length > MAX_CHARACTERS || !SIGN.test(text)) return undefined;
  for (const { pattern } of FORMS) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    const { file = '', line = '', column, func = '' } = groups;
    return {
      func: func.trim(),
      frame: {
        file: withoutScheme(file),
        line: Number(line),
        ...defined({ column: column === undefined ? undefined : Number(column) }),
      },
    };
  }
  return undefined;
}

function withoutScheme(file: string): string {
  if (!file.startsWith('file://')) return file;
  try {
    return decodeURIComponent(file.slice('file://'.length));
  } catch {
    return file.slice('file://'.length);
  }
}

/** A message of a compiler, a linter or a test about a location in a file. */
const PLACED =
  /^(?<file>[\w./\\@-]{1,300}\.\w{1,6})(?::(?<line>\d{1,7})(?::(?<column>\d{1,7}))?|\((?<row>\d{1,7})(?:,(?<at>\d{1,7}))?\)):?\s+(?:-\s+)?(?<message>.{0,80})/;

/** The location and the text of such a message: `src/a.ts(5,3): error TS…`, `a.c:5:3: error: …`. */
export function placedMessage(
  text: string,
): { readonly frame: TraceFrame; readonly message: string } | undefined {
  const groups = PLACED.exec(text)?.groups;
  const line = groups?.['line'] ?? groups?.['row'];
  if (groups === undefined || line === undefined) return undefined;
  const column = groups['column'] ?? groups['at'];
  return {
    frame: {
      file: groups['file'] ?? '',
      line: Number(line),
      ...defined({ column: column === undefined ? undefined : Number(column) }),
    },
    message: groups['message'] ?? '',
  };
}
