/**
 * The names in a Python condition that do not occur in the file. They are most likely misspelt. Nothing is evaluated.
 * @returns an empty list if names may come from elsewhere (`from x import *`)
 */
export function unknownNames(condition: string, text: string): readonly string[] {
  if (condition.length > MAX_OF_A_CONDITION || /^[ \t]*from\s+\S+\s+import\s+\*/m.test(text))
    return [];
  const inFile = new Set(text.match(NAME) ?? []);
  return [...new Set(namesIn(condition))].filter(
    (name) => !inFile.has(name) && !PYTHON_NAMES.has(name),
  );
}

/** The maximum length of a condition. Longer conditions are not checked, so that the check stays fast. */
const MAX_OF_A_CONDITION = 1000;

const NAME = /[\p{L}_][\p{L}\p{N}_]*/gu;

/** Python string literals with their prefixes. */
const TEXT =
  /(?:\b[rbuf]{1,2})?(?:"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/gi;

/**
 * The names that a condition looks up. Members, argument names, and names that the condition binds itself are left out.
 */
function namesIn(condition: string): readonly string[] {
  const code = condition.replace(TEXT, ' ');
  const bound = new Set(
    [
      ...code.matchAll(
        /\bfor\s([^]{0,200}?)\sin\b|\blambda\s([^:]{0,200}):|(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]*)\s*:=/gu,
      ),
    ].flatMap((match) => match.slice(1).join(' ').match(NAME) ?? []),
  );
  return [...code.matchAll(NAME)].flatMap((match) => {
    const [name] = match;
    const before = code.slice(Math.max(0, match.index - NEAR), match.index);
    const isMember = before.trimEnd().endsWith('.');
    const isPartOfNumber = /[\p{N}]$/u.test(before);
    const after = match.index + name.length;
    const isArgument = /^\s*=(?!=)/.test(code.slice(after, after + NEAR));
    return isMember || isPartOfNumber || isArgument || bound.has(name) ? [] : [name];
  });
}

/** The number of characters around a name in which the signs are that tell what it is. */
const NEAR = 100;

/** The keywords of Python 3, and the built-in names that conditions use. */
const PYTHON_NAMES: ReadonlySet<string> = new Set(
  (
    'and as assert async await class def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield True False None ' +
    'abs all any anext aiter ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip ' +
    '__name__ __file__ __doc__ __dict__ __class__ __builtins__ __import__ Ellipsis NotImplemented ' +
    'ArithmeticError AssertionError AttributeError BaseException ConnectionError EOFError Exception FileNotFoundError ImportError IndexError IOError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotImplementedError OSError OverflowError PermissionError RecursionError ReferenceError RuntimeError StopAsyncIteration StopIteration SyntaxError SystemError SystemExit TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError Warning ZeroDivisionError'
  ).split(' '),
);
