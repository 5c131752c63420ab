/**
 * Names of a Python condition that a file does not hold anywhere: most likely misspelt. Nothing is evaluated.
 * @returns nothing where names may come from elsewhere (`from x import *`)
 */
export function unknownNames(condition: string, text: string): readonly string[] {
  if (condition.length > MOST_OF_A_CONDITION || /^[ \t]*from\s+\S+\s+import\s+\*/m.test(text))
    return [];
  const inFile = new Set(text.match(NAME) ?? []);
  return [...new Set(namesIn(condition))].filter(
    (name) => !inFile.has(name) && !PYTHON_NAMES.has(name),
  );
}

/** Longer ones are not checked, so that none takes long. */
const MOST_OF_A_CONDITION = 1000;

const NAME = /[\p{L}_][\p{L}\p{N}_]*/gu;

/** Texts of Python, with what may stand before their quotes. */
const TEXT =
  /(?:\b[rbuf]{1,2})?(?:"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/gi;

/** The names that a condition looks up: no members, no names of arguments, none that it binds itself. */
function namesIn(condition: string): readonly string[] {
  const code = condition.replace(TEXT, ' ');
  const bound = new Set(
    [
      ...code.matchAll(
        /\bfor\s+([^]*?)\s+in\b|\blambda\s+([^:]*):|([\p{L}_][\p{L}\p{N}_]*)\s*:=/gu,
      ),
    ].flatMap((match) => match.slice(1).join(' ').match(NAME) ?? []),
  );
  return [...code.matchAll(NAME)].flatMap((match) => {
    const [name] = match;
    const before = code.slice(0, match.index).trimEnd();
    const isMember = before.endsWith('.');
    const isPartOfNumber = /[\p{N}]$/u.test(code.slice(0, match.index));
    const isArgument = /^\s*=(?!=)/.test(code.slice(match.index + name.length));
    return isMember || isPartOfNumber || isArgument || bound.has(name) ? [] : [name];
  });
}

/** Keywords, and the built-in names of Python 3 that conditions use. */
const PYTHON_NAMES: ReadonlySet<string> = new Set(
  (
    'and as assert async await class def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield True False None ' +
    'abs all any anext aiter ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip ' +
    '__name__ __file__ __doc__ __dict__ __class__ __builtins__ __import__ Ellipsis NotImplemented ' +
    'ArithmeticError AssertionError AttributeError BaseException ConnectionError EOFError Exception FileNotFoundError ImportError IndexError IOError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotImplementedError OSError OverflowError PermissionError RecursionError ReferenceError RuntimeError StopAsyncIteration StopIteration SyntaxError SystemError SystemExit TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError Warning ZeroDivisionError'
  ).split(' '),
);
