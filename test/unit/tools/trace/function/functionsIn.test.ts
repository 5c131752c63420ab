import { strict as assert } from 'node:assert';
import { functionsIn } from '../../../../../src/tools/trace/function/source/functionsIn';
import { javaScriptFunctions } from '../../../../../src/tools/trace/function/source/javascriptFunctions';
import {
  functionAround,
  isNamed,
  withName,
  type SourceFunction,
} from '../../../../../src/tools/trace/function/source/sourceFunction';

const read = async (file: string, lines: readonly string[]): Promise<readonly SourceFunction[]> =>
  (await functionsIn(file, lines.join('\n'))) ?? [];

/** `container.name(parameters) start-end entry`. */
const brief = (each: SourceFunction): string =>
  `${each.container === undefined ? '' : `${each.container}.`}${each.name}(${each.parameters.map(({ name }) => name).join(',')}) ${each.start}-${each.end} ${each.entry.line}${each.entryRepeats ? ' repeats' : ''}${each.suspends === undefined ? '' : ` ${each.suspends}`}`;

describe('functions in a source file', () => {
  it('Python: multi-line signatures, docstrings, methods, generators, text that looks like code', async () => {
    const found = await read('/a/cart.py', [
      'class Cart:',
      '    """def nothing(): pass"""',
      '    def total(self, items: list[int], *rest, tax=(1, 2), **more) -> int:',
      '        """Adds.',
      '',
      '        def other(): pass',
      '        """',
      '        # the sum',
      '        for each in items:',
      "            yield each  # 'def x():'",
      '        return 1',
      '',
      'async def load(',
      '    path,',
      '    *,',
      "    mode='r(',",
      '):',
      '    def inner(x):',
      '        return x',
      '    return inner(path)',
      'def short(n): return n',
      'x = 1',
    ]);
    assert.deepEqual(found.map(brief), [
      'Cart.total(self,items,rest,tax,more) 3-11 9 repeats generator',
      'load(path,mode) 13-20 18 async',
      'load.inner(x) 18-19 19',
      'short(n) 21-21 21',
    ]);
  });

  it('C++ and Java: a block comment of several lines has no code', async () => {
    const lines = [
      '/*',
      ' * int dbl(int value) { return 0; }',
      ' */',
      'int dbl(int value) {',
      '  /* first',
      '     call(value); } */',
      '  return value * 2;',
      '}',
      '/* {',
    ];
    assert.deepEqual((await read('/a/a.cpp', lines)).map(brief), ['dbl(value) 4-8 4']);
    const java = ['class A {', ...lines.slice(0, 8), '}'];
    assert.deepEqual((await read('/a/A.java', java)).map(brief), ['dbl(value) 5-9 8']);
  });

  it('C++: template heads with parentheses, and the operator for calls', async () => {
    const found = await read('/a/a.cpp', [
      'template <typename T, typename std::enable_if<(sizeof(T) > 1), int>::type = 0>',
      'T twice(T value) {',
      '  return value + value;',
      '}',
      'template <class T, REQUIRES(is_small<T>())>',
      'struct Add {',
      '  T by;',
      '  T operator()(T value) const {',
      '    return value + by;',
      '  }',
      '};',
      'int Sum::operator()(int a, int b) {',
      '  return a + b;',
      '}',
      'template <class T> T first(T one, T two) {',
      '  return one;',
      '}',
    ]);
    assert.deepEqual(found.map(brief), [
      'twice(value) 2-4 2',
      'operator()(value) 8-10 8',
      'Sum.operator()(a,b) 12-14 12',
      'first(one,two) 15-17 15',
    ]);
    assert.deepEqual(found[1]?.owners, ['Add']);
  });

  it('Python: a call begins at the first operand of a statement that begins with an open bracket', async () => {
    const entryOf = async (...body: readonly string[]): Promise<number | undefined> =>
      (await read('/a/a.py', ['def f(x):', ...body.map((line) => `    ${line}`)]))[0]?.entry.line;
    assert.equal(await entryOf('return {', '    "a": g(x),', '}'), 3);
    assert.equal(
      await entryOf('both = (', '    # first', '', '    x', '    + 1', ')', 'return both'),
      5,
    );
    assert.equal(await entryOf('self.a: list = [', '    [', '        x,', '    ],', ']'), 4);
    assert.equal(await entryOf('if (', '    x', '):', '    pass'), 3);
    // The name of the called function, and the code of a comprehension, are read on the statement's line.
    assert.equal(await entryOf('return g(', '    x,', ')'), 2);
    assert.equal(await entryOf('return [', '    y', '    for y in x', ']'), 2);
    assert.equal(await entryOf('y = {', '}', 'return y'), 2);
    assert.equal(await entryOf('return x[', '    0', ']'), 2);
  });

  it('JavaScript: declarations, methods, arrow functions, patterns; the entry of each', async () => {
    const found = await read('/a/cart.js', [
      'export function total(items, { tax = 1, ...rest } = {}) {',
      '  let sum;',
      '  for (const each of items) sum += each;',
      '  return sum;',
      '}',
      'class Cart {',
      '  add(item) {',
      '    while (item) item = item.next;',
      '  }',
      '  scale = async (n) => n * 2;',
      '}',
      'const pick = function* ([a, b], ...rest) {',
      '  const',
      '    x = a;',
      '  yield x;',
      '};',
      'exports.none = () => {};',
    ]);
    assert.deepEqual(found.map(brief), [
      'total(items,tax,rest) 1-5 3',
      'Cart.add(item) 7-9 8 repeats',
      'Cart.scale(n) 10-10 10 async',
      'pick(a,b,rest) 12-16 13 generator',
      'none() 17-17 17',
    ]);
    assert.equal(found[0]?.entry.column, 22);
    assert.equal(found[2]?.entry.column, 24);
  });

  it('JavaScript: whether one call may reach its entry again', async () => {
    const found = await read('/a/cart.js', [
      'function a(x) { try { while (x) x -= 1; } finally { end(); } }',
      'function b(x) { rounds: do { x -= 1; } while (x); }',
      'function c(x) { for (; x > 0; ) x -= 1; }',
      'function d(x) { { for (let i = 0; i < x; i += 1) go(i); } }',
      'function e(x) { let y; try { go(x); } catch { while (x) x -= 1; } }',
      'const f = (x) => x;',
    ]);
    assert.deepEqual(
      found.map(({ name, entryRepeats }) => [name, entryRepeats]),
      [
        ['a', true],
        ['b', true],
        ['c', true],
        ['d', false],
        ['e', false],
        ['f', false],
      ],
    );
  });

  it('TypeScript: types and enums are accepted, and a file that cannot be parsed has no functions', async () => {
    const found = await read('/a/cart.ts', [
      'enum Kind { A }',
      'abstract class Cart<T> {',
      '  constructor(private readonly items: T[], public tax = 1) { this.tax += 1; }',
      '  abstract none(): void;',
      '  total(this: Cart<T>, kind: Kind): number { return this.items.length; }',
      '}',
      'const f = <T,>(x: T): T => x;',
    ]);
    assert.deepEqual(found.map(brief), [
      'Cart.constructor(items,tax) 3-3 3',
      'Cart.total(kind) 5-5 5',
      'f(x) 7-7 7',
    ]);
    assert.deepEqual(await read('/a/broken.ts', ['function (', '<<<<']), []);
  });

  it('JavaScript: the declarations, exits, rounds and inner functions that a recorder needs', async () => {
    const [found] = javaScriptFunctions(
      'function f(a) {\n  for (let i = 0; i < a; i++) {\n    const b = () => { return this; };\n    if (b) return i;\n  }\n  try { g(); } catch (e) { return e; }\n  var late = 1;\n}',
      '/a.js',
    );
    assert.ok(found);
    assert.deepEqual(
      found.declared.map(({ name, start, end }) => `${name} ${start.line}-${end.line}`),
      ['a 1-8', 'i 2-5', 'b 2-5', 'e 6-6', 'late 1-8'],
    );
    const exits = found.exits.map(({ line, column, returns }) => ({ line, column, returns }));
    assert.deepEqual(exits, [
      { line: 4, column: 12, returns: 'i' },
      { line: 6, column: 28, returns: 'e' },
    ]);
    assert.deepEqual(found.rounds, [{ line: 2, column: 19 }]);
    assert.deepEqual(
      found.inner.map(({ start }) => start),
      [{ line: 3, column: 15 }],
    );
    assert.equal(found.usesThis, true);
  });

  it('JavaScript: a return has a value only if it returns a name and no code of the function runs after it', () => {
    const returns = (body: string): readonly (string | undefined)[] =>
      (javaScriptFunctions(`function f(a, b) { ${body} }`, '/a.js')[0]?.exits ?? []).map(
        (each) => each.returns,
      );
    assert.deepEqual(returns('if (a) return a; return b'), ['a', 'b']);
    assert.deepEqual(returns('return a\n  .b;'), [undefined]);
    assert.deepEqual(returns('if (a) return; if (b) return a + b; return this;'), [
      undefined,
      undefined,
      undefined,
    ]);
    assert.deepEqual(returns('throw a'), [undefined]);
    assert.deepEqual(returns('try { return a; } finally { b(); }'), [undefined]);
    assert.deepEqual(returns('try { return a; } catch { return b; }'), ['a', 'b']);
    const hasNoEnd = (body: string): readonly boolean[] =>
      javaScriptFunctions(`function f(a, b) { ${body} }`, '/a.js')[0]?.exits.map(
        (exit) => exit.hasNoEnd === true,
      ) ?? [];
    assert.deepEqual(hasNoEnd('for (const c of a) { if (c) return c; } return b;'), [true, false]);
    assert.deepEqual(hasNoEnd('for (const c in a) return c; while (b) return b;'), [false, false]);
    assert.deepEqual(hasNoEnd('try { return a; } finally { b(); }'), [true]);
    assert.deepEqual(hasNoEnd('try { return a; } catch { return b; }'), [false, false]);
  });

  it('C++: methods outside classes, references, initializers; control flow and lambdas are not functions', async () => {
    const found = await read('/a/cart.cpp', [
      '#define CALL(x) { x(); }',
      'namespace shop {',
      'class Cart {',
      'public:',
      '  explicit Cart(int n) : items(n), tax{1} {',
      '    if (n > 0) { reset(); }',
      '  }',
      '};',
      '}',
      'static std::vector<int> shop::Cart::total(const std::map<int, int> &prices, int &sum,',
      '                                          char *names[], double tax = 1.0) const {',
      '  int local;',
      '  for (auto &each : prices) { sum += each.second; } // }',
      '  auto f = [&](int x) { return x; };',
      '  return {};',
      '}',
      'int main() { return 0; }',
      'const std::string &shop::Cart::note() const { return text; }',
      'template <typename T = int> T &&moved(T &of) { return std::move(of); }',
    ]);
    assert.deepEqual(found.map(brief), [
      'Cart(n) 5-7 5',
      'Cart.total(prices,sum,names,tax) 10-16 10',
      'main() 17-17 17',
      'Cart.note() 18-18 18',
      'moved(of) 19-19 19',
    ]);
    assert.deepEqual(
      found[1]?.parameters.map(({ isReference = false }) => isReference),
      [true, true, false, false],
    );
  });

  it('Go: receivers, several names of one type; Java: annotations; Rust: generics', async () => {
    const go = await read('/a/cart.go', [
      'func (c *Cart) Total(prices []int, tax, more float64) (sum int, err error) {',
      '\tif sum > 0 {',
      '\t}',
      '\tgo func(x int) { use(x) }(1)',
      '\treturn',
      '}',
      'func main() {',
      '}',
    ]);
    assert.deepEqual(go.map(brief), ['Cart.Total(c,prices,tax,more) 1-6 1', 'main() 7-8 7']);
    const java = await read('/a/Cart.java', [
      'class Cart {',
      '  @Test(timeout = 5)',
      '  public <T> int total(final List<T> items, int[] rest) throws IOException {',
      '    for (T each : items) {}',
      '  }',
      '}',
    ]);
    assert.deepEqual(java.map(brief), ['total(items,rest) 3-5 4 repeats']);
    const rust = await read('/a/cart.rs', [
      '#[inline(always)]',
      'pub fn total<T: Add>(mut items: &[T], tax: f64) -> T {',
      '    match items { _ => {} }',
      '}',
    ]);
    assert.deepEqual(rust.map(brief), ['total(items,tax) 2-4 2']);
  });

  it('lists in brackets before a function are not its parameters', async () => {
    const go = await read('/a/cart.go', [
      'package cart',
      'import (',
      '\t"fmt"',
      ')',
      'func total(prices []int, tax func(int) int) (int, error) {',
      '}',
      'var (',
      '\tnone = 1',
      ')',
      'func (c *Cart) Add(name string) {',
      '}',
      'func assembly(x int) int',
      'type Cart struct {',
      '}',
    ]);
    assert.deepEqual(go.map(brief), ['total(prices,tax) 5-6 5', 'Cart.Add(c,name) 10-11 10']);
    const rust = await read('/a/cart.rs', [
      'pub(crate) fn total(items: &[i32]) -> i32 {',
      '    0',
      '}',
    ]);
    assert.deepEqual(rust.map(brief), ['total(items) 1-3 1']);
    const cpp = await read('/a/cart.cpp', [
      '__attribute__((noinline)) int total(int count) {',
      '  return count;',
      '}',
      'static __attribute__((format(printf, 1, 2))) void print(const char *text, ...) {',
      '}',
      '__declspec(dllexport) int add(int count) {',
      '  return count;',
      '}',
    ]);
    assert.deepEqual(cpp.map(brief), [
      'total(count) 1-3 1',
      'print(text) 4-5 4',
      'add(count) 6-8 6',
    ]);
  });

  it('may have names that are keywords in other languages, and return structs', async () => {
    const cpp = await read('/a/cart.cpp', [
      'int loop(int n) {',
      '}',
      'extern "C" int match(int n) {',
      '}',
      'struct node *select(struct node *from) {',
      '}',
      'enum Kind kindOf(int n) {',
      '}',
      'struct Point {',
      '  int x;',
      '};',
    ]);
    assert.deepEqual(cpp.map(brief), [
      ...['loop(n) 1-2 1', 'match(n) 3-4 3', 'select(from) 5-6 5', 'kindOf(n) 7-8 7'],
    ]);
    const go = await read('/a/cart.go', [
      'package cart',
      'func loop(in chan<- int, out <-chan int, done func() <-chan bool, last string) int {',
      '}',
    ]);
    assert.deepEqual(go.map(brief), ['loop(in,out,done,last) 2-3 2']);
    const rust = await read('/a/cart.rs', [
      'fn apply(f: impl Fn(i32) -> i32, n: i32) -> i32 {',
      '}',
    ]);
    assert.deepEqual(rust.map(brief), ['apply(f,n) 1-2 1']);
  });

  it('are found by the class around them', async () => {
    const candidates = await Promise.all(
      (
        [
          ['/a/shapes.cpp', 'namespace shapes {', 'struct Rect : Shape {'],
          ['/a/shape.cpp', 'namespace shapes {', 'class [[nodiscard]] Shape {'],
          ['/a/shape.rs', 'mod shapes {', 'impl<T> Area for Square<T> {'],
        ] as const
      ).map(async ([path, ...lines]) => {
        const area = path.endsWith('.rs') ? 'fn area(&self) -> i32 {' : 'int area() const {';
        const [found] = await read(path, [...lines, area, '}', '}', '}']);
        assert.ok(found, path);
        return { path, found };
      }),
    );
    const paths = (name: string): readonly string[] =>
      withName(candidates, name).map(({ path }) => path);
    assert.deepEqual(paths('Rect::area'), ['/a/shapes.cpp']);
    assert.deepEqual(paths('Square::area'), ['/a/shape.rs']);
    assert.deepEqual(paths('Shape::area'), ['/a/shape.cpp']);
    assert.deepEqual(paths('shapes::area'), ['/a/shapes.cpp', '/a/shape.cpp', '/a/shape.rs']);
  });

  it('prefers the requested owner, and takes no method of another class', async () => {
    const classes = ['class Order:', '    def total(self):', '        return 1'];
    const others = ['class Cart:', '    def total(self):', '        return 2'];
    const candidates = [
      ...(await read('/a/cart.py', classes)).map((found) => ({ path: '/a/cart.py', found })),
      ...(await read('/a/shop.py', others)).map((found) => ({ path: '/a/shop.py', found })),
    ];
    const paths = (name: string, among = candidates): readonly string[] =>
      withName(among, name).map(({ path }) => path);
    assert.deepEqual(paths('total'), ['/a/cart.py', '/a/shop.py']);
    assert.deepEqual(paths('Cart.total'), ['/a/shop.py']);
    assert.deepEqual(paths('Cart.total', candidates.slice(0, 1)), []);
    assert.deepEqual(paths('cart.total'), ['/a/cart.py']);
  });

  it('finds a function by its name with and without its owner, and by a line within it', async () => {
    const functions = await read('/a/cart.py', [
      'class Cart:',
      '    def total(self):',
      '        def inner():',
      '            return 1',
      '        return inner()',
    ]);
    const [total, inner] = functions;
    assert.ok(total && inner);
    for (const name of ['total', 'Cart.total', 'Cart#total', 'shop::Cart::total', 'cart.total'])
      assert.ok(isNamed(total, name), name);
    for (const name of ['tot', 'Cart', 'shop.Basket.total']) assert.ok(!isNamed(total, name), name);
    assert.equal(functionAround(functions, 4), inner);
    assert.equal(functionAround(functions, 5), total);
    assert.equal(functionAround(functions, 1), undefined);
    assert.equal(await functionsIn('/a/x.txt', ''), undefined);
  });
});
