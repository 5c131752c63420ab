import { Random } from './random';

/** A Python program that evaluates expressions in a frame. Each is on the line of its hit. */
export interface ExpressionProgram {
  readonly source: string;
  readonly cases: readonly ExpressionCase[];
}

interface ExpressionCase {
  readonly text: string;
  /** The line of the hit, 1-based. */
  readonly line: number;
  /** Whether no name of it may be unbound, which a debugger's own evaluation does not see. */
  readonly isBound: boolean;
}

/** Where the expressions are: in a method, in a function of a method, in a static method, or in no class. */
type Kind = 'method' | 'inner' | 'static' | 'free';

/** The names that a place in an expression can read. */
interface Scope {
  readonly kind: Kind;
  readonly owner: string;
  readonly numbers: readonly [string, ...string[]];
}

/** Makes expressions of Python with the names of a frame, private names, functions and texts. */
class Expressions {
  constructor(private readonly random: Random) {}

  number(scope: Scope, depth: number): string {
    const { random } = this;
    if (depth === 0) return random.once(3) ? this.own(scope) : random.of(scope.numbers);
    const inner = (name?: string): string =>
      this.number(
        name === undefined ? scope : { ...scope, numbers: [name, ...scope.numbers, name] },
        depth - 1,
      );
    const name = random.of(['x', 'limit', 'level', '__each']);
    const list = (): string => this.list(scope, depth - 1);
    switch (random.below(10)) {
      case 0:
        return `(${inner()} + ${inner()})`;
      case 1:
        return `sum(${inner(name)} for ${name} in ${list()})`;
      case 2:
        return `(lambda ${name}: ${inner(name)})(${inner()})`;
      case 3:
        return `(lambda ${name}=${inner()}: ${inner(name)})()`;
      case 4:
        return `(${inner()} if ${this.truth(scope, depth - 1)} else ${inner()})`;
      case 5:
        return `len(${this.text(scope, depth - 1)})`;
      case 6:
        return `max([${inner()}, *${list()}])`;
      case 7:
        return `list(dict(__x=${inner()}, y=1).values())[0]`;
      case 8:
        return scope.kind === 'method' || scope.kind === 'inner'
          ? `self.__twice(${inner()})`
          : `abs(${inner()})`;
      default:
        return this.own(scope);
    }
  }

  truth(scope: Scope, depth: number): string {
    const value = (): string => this.number(scope, depth);
    return this.random.of([
      (): string => `${value()} > ${value()}`,
      (): string => `any(x > limit for x in ${this.list(scope, Math.max(0, depth - 1))})`,
      (): string => `not ${value()}`,
      (): string => `${this.text(scope, 0)} == ${this.text(scope, 0)}`,
    ])();
  }

  private list(scope: Scope, depth: number): string {
    const { random } = this;
    if (depth === 0 || random.once(3)) return 'items';
    const value = this.number({ ...scope, numbers: ['y', ...scope.numbers, 'y'] }, depth - 1);
    const clause = random.once(2) ? ` if ${this.truth(scope, depth - 1)}` : '';
    return `[${value} for y in ${this.list(scope, depth - 1)}${clause}]`;
  }

  private text(scope: Scope, depth: number): string {
    const value = (): string => this.number(scope, depth).replaceAll('"', "'");
    return this.random.of([
      (): string => '"self.__level"',
      (): string => `'''it's "__level"'''`,
      (): string => String.raw`'a\'__level'`,
      (): string => String.raw`r"\__level"`,
      (): string => `b"__level"`,
      (): string => `str(${value()})`,
      (): string => `f"""{${value()}} __level {{__level}}"""`,
      (): string => `f"""{${value()}!r:>{3}}"""`,
    ])();
  }

  /** A name that belongs to the frame's function or class, or to the module. */
  private own({ kind, owner }: Scope): string {
    const everywhere = ['shared', 'later', '__secret', '__own', 'len(__file)', '3'] as const;
    const ofClass = [`${owner}.__count`, `_${owner.replace(/^_+/, '')}__secret`] as const;
    const ofSelf = ['self.__level', 'self.plain', 'self._Base__level', 'self.__init__ is None'];
    if (kind === 'free') return this.random.of(everywhere);
    if (kind === 'static') return this.random.of([...everywhere, ...ofClass]);
    return this.random.of([...everywhere, ...ofClass, ...ofSelf, ...ofSelf]);
  }
}

/** Lines that mislead who finds the class of a line by its indentation. */
const MISLEADING: readonly [string, ...string[]] = [
  '# not in a class',
  '"""\nclass Text:\nnot in a class\n"""',
  'rows = [\n1,\n2]',
  "note = '''\n'''",
  'class Local:\n    here = 1',
  'def other(\n    self,\n):\n    return 1',
  'wide = 1 + \\\n1',
];

function indented(text: string, by: number): string {
  const [first = '', ...rest] = text.split('\n');
  const isCode = /^(?:class|def)/.test(first);
  return [first, ...rest]
    .map((line, index) => (index === 0 || isCode ? ' '.repeat(by) + line : line))
    .join('\n');
}

/** Makes a program with expressions in one function. */
export function expressionProgram(seed: number, count: number): ExpressionProgram {
  const random = new Random(seed);
  const kind = random.of<Kind>(['method', 'inner', 'inner', 'static', 'free']);
  const owner = random.of(['Tank', '_Tank', '__', 'Tank_']);
  const numbers = ['level', 'limit', 'outer', '2'] as const;
  const made = new Expressions(random);
  const texts = Array.from({ length: count }, () =>
    random.once(3)
      ? made.truth({ kind, owner, numbers }, random.below(3))
      : made.number({ kind, owner, numbers }, random.below(4)),
  );
  const self = kind === 'method' || kind === 'inner' ? 'self, ' : '';
  const by = { method: 8, inner: 12, static: 8, free: 4 }[kind];
  const lines = `
limit = shared = 100
later = level = outer = 90
__secret = 91
_Tank__secret = _Tank___secret = 92
___secret = 93
__own = 94
__file = 'abc'
_Tank__file = _Tank___file = 'abcd'
___file = 'abcde'
class Base:
    def __init__(self): self.__level = 1
class ${owner}(Base):
    __count = 4
    def __init__(self):
        Base.__init__(self)
        self.__level = 3
        self.plain = 5
    def __twice(self, x): return x * 2`.split('\n');
  if (kind === 'free') lines.push(`def probe(items, limit, level, outer=8, __own=7):`);
  else if (kind === 'static')
    lines.push('    @staticmethod', `    def probe(items, limit, level, outer=8, __own=7):`);
  else
    lines.push(
      kind === 'inner' || random.once(2)
        ? `    def probe(self, items, limit, level, outer=8, __own=7):`
        : `    def probe(\n        self, items, limit, level, outer=8,\n        __own=7,\n    ):`,
    );
  if (kind === 'inner') lines.push('        def inner(factor=1):');
  const cases = texts.map((text, index) => {
    if (random.once(4)) lines.push(indented(random.of(MISLEADING), by));
    lines.push(`${' '.repeat(by)}hit(sys._getframe(), ${index})`);
    const line = lines.join('\n').split('\n').length;
    lines.push(`${' '.repeat(by)}plain(${index}, lambda: (${text}\n))`);
    return { text, line, isBound: !/\blater\b/.test(text) };
  });
  lines.push(`${' '.repeat(by)}later = 1`);
  if (kind === 'inner') lines.push('        inner()');
  const call = '([3, 7, 1], 5, 6)';
  const object = { method: `${owner}()`, inner: `${owner}()`, static: owner, free: '' }[kind];
  lines.push(self === '' && kind === 'free' ? `probe${call}` : `${object}.probe${call}`);
  return { source: `${lines.join('\n')}\n`, cases };
}
