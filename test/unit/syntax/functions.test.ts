import { strict as assert } from 'node:assert';
import { functionsIn } from '../../../src/tools/trace/function/source/functionsIn';
import {
  isNamed,
  type SourceFunction,
} from '../../../src/tools/trace/function/source/sourceFunction';

const read = async (file: string, lines: readonly string[]): Promise<readonly SourceFunction[]> =>
  (await functionsIn(file, lines.join('\n'))) ?? [];

/** `owners container.name(parameters) start-end entry`. */
function brief(found: SourceFunction): string {
  const { name, container, owners = [], start, end, entry, entryRepeats } = found;
  const parameters = found.parameters.map((each) =>
    each.isReference === true ? `&${each.name}` : each.name,
  );
  return [
    ...(owners.length === 0 ? [] : [owners.join('/')]),
    `${container === undefined ? '' : `${container}.`}${name}(${parameters.join(',')})`,
    `${start}-${end}`,
    `${entry.line}${entryRepeats ? ' repeats' : ''}`,
  ].join(' ');
}

describe('functions by a grammar', () => {
  it('Rust: lifetimes, characters, raw strings, generics, functions within functions and macros', async () => {
    const found = await read('/a/cart.rs', [
      "pub fn longest<'a>(one: &'a str, two: &'a str) -> &'a str {",
      "    if one.starts_with('{') { one } else { two }",
      '}',
      "impl<'a, T: Into<Option<u8>>> Cart<'a, T> where T: Clone {",
      "    pub(crate) async fn total(&mut self, mut sum: i32, (a, b): (i32, i32)) -> &'static str {",
      '        let text = r#"{ "a": "#;',
      '        fn inner(x: u8) -> u8 { x }',
      '        text',
      '    }',
      '    const fn none<const N: usize>() -> usize { N }',
      '}',
      'impl fmt::Display for shapes::Square {',
      '    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) }',
      '}',
      'macro_rules! with_total { ($t:ty) => { impl Total for $t { fn sum(&self) -> i32 { 1 } } }; }',
      'cfg_if! { if #[cfg(unix)] { fn unix_only(a: i32) { println!("fn no() {{}}"); } } }',
      'trait Area { fn area(&self) -> i32; fn twice(&self) -> i32 { self.area() * 2 } }',
    ]);
    assert.deepEqual(found.map(brief), [
      'longest(one,two) 1-3 1',
      'Cart total(self,sum) 5-9 5',
      'Cart inner(x) 7-7 7',
      'Cart none() 10-10 10',
      'shapes/Square fmt(self,f) 13-13 13',
      '$t sum(self) 15-15 15',
      'unix_only(a) 16-16 16',
      'Area twice(self) 17-17 17',
    ]);
    assert.equal(found[0]?.copiesArguments, true);
  });

  it('C++: raw strings, operators, conversions, initializers with braces', async () => {
    const found = await read('/a/a.cpp', [
      'std::string json() {',
      '  return R"({ "a": "{" )";',
      '}',
      'namespace shop::cart {',
      'struct [[nodiscard]] Money final : Base<int> {',
      '  Money operator+(const Money &other) const { return {sum + other.sum}; }',
      '  explicit operator bool() const { return sum > 0; }',
      '  Money &operator ++ () { return *this; }',
      '  Money() = default;',
      '  explicit Money(int n) : sum{n}, rest{{1, 2}} {',
      '  }',
      '  ~Money() {}',
      '};',
      '}',
      'template <typename T> template <class U>',
      'auto shop::Box<T>::put(U &&of, int (&list)[3], void (*done)(int), T... more) noexcept -> T * {',
      '  return nullptr;',
      '}',
      'std::ostream &operator<<(std::ostream &out, const Money &money) try {',
      '  return out;',
      '} catch (...) { throw; }',
      'TEST(Cart, Total) {',
      '  EXPECT_EQ(1, 1);',
      '}',
    ]);
    assert.deepEqual(found.map(brief), [
      'json() 1-3 1',
      'shop/cart/Money operator+(&other) 6-6 6',
      'shop/cart/Money operator bool() 7-7 7',
      'shop/cart/Money operator++() 8-8 8',
      'shop/cart/Money Money(n) 10-11 10',
      'shop/cart/Money ~Money() 12-12 12',
      'Box.put(&of,&list,done,more) 16-18 16',
      'operator<<(&out,&money) 19-21 19',
      'TEST() 22-24 22',
    ]);
  });

  it('C++: macros in front of declarations, in heads and behind parameters', async () => {
    const found = await read('/a/a.hpp', [
      'namespace shop VISIBILITY(default) {',
      'BEGIN_WARNINGS(4251 /* base */)',
      'class SHOP_API Cart : public Base {',
      ' public:',
      '  SHOP_INLINE SHOP_NODISCARD std::vector<int> items() const SHOP_NOEXCEPT {',
      '    return SHOP_MOVE(all);',
      '  }',
      '};',
      'END_WARNINGS()',
      'HANDLE open(HANDLE from, struct NODE *to) {',
      '}',
      'static struct NODE *made(void) {',
      '}',
      '}',
    ]);
    assert.deepEqual(found.map(brief), [
      'shop/Cart items() 5-7 5',
      'shop open(from,to) 10-11 10',
      'shop made() 12-13 12',
    ]);
  });

  it('C: pointers to functions, definitions of arrays, directives', async () => {
    const found = await read('/a/a.c', [
      '#include <stdio.h>',
      '#define BODY(x) { x; }',
      'static const int table[] = { 1, 2 };',
      'int (*chosen(int which))(int) {',
      '  return 0;',
      '}',
      'static int add(const char *names[], int (*by)(int), ...)',
      '{',
      '#ifdef DEBUG',
      '  puts("{");',
      '#endif',
      '  return 0;',
      '}',
    ]);
    assert.deepEqual(found.map(brief), ['chosen(which) 4-6 4', 'add(names,by) 7-13 7']);
  });

  it('C#: expression bodies, local functions, interpolated and raw strings', async () => {
    const found = await read('/a/Cart.cs', [
      'namespace Shop.Carts {',
      '  record struct Point(int X);',
      '  class Cart<T> : Base where T : new() {',
      '    public int Twice(int value, params int[] rest) => value * 2;',
      '    public Cart(int n) : base(n) => sum = n;',
      '    async Task<int> Total(ref int tax) {',
      '      // first',
      '      int Local(int a) =>',
      '        a + 1;',
      '      foreach (var each in items) { Add($"{each} {{"); }',
      '      var text = """',
      '        } "',
      '        """;',
      '      return @"\\" == text ? 1 : 0;',
      '    }',
      '    ~Cart() { }',
      '  }',
      '}',
    ]);
    assert.deepEqual(found.map(brief), [
      'Shop/Carts/Cart Twice(value,rest) 4-4 4',
      'Shop/Carts/Cart Cart(n) 5-5 5',
      'Shop/Carts/Cart Total(tax) 6-15 10 repeats',
      'Shop/Carts/Cart Local(a) 8-9 9',
      'Shop/Carts/Cart ~Cart() 16-16 16',
    ]);
  });

  it('Java: text blocks, records, lambdas, methods of anonymous classes, labels', async () => {
    const found = await read('/a/Cart.java', [
      'class Cart<T extends Comparable<T>> {',
      '  String text() {',
      '    return """',
      '      { "a": "}',
      '      """;',
      '  }',
      '  record Item(String name) {',
      '    Item { if (name == null) throw new Error(); }',
      '  }',
      '  Cart(@NonNull int n) {',
      '    super();',
      '  }',
      '  @Override public void each(int[] list, String... more) {',
      '    all: for (int x : list) {}',
      '    run(new Runnable() {',
      '      public void run() { /* } */ }',
      '    });',
      '    list.forEach(x -> { use(x); });',
      '  }',
      '  abstract void none();',
      '}',
    ]);
    assert.deepEqual(found.map(brief), [
      'Cart text() 2-6 3',
      'Cart/Item Item() 8-8 8',
      'Cart Cart(n) 10-12 11',
      'Cart each(list,more) 13-19 14 repeats',
      'Cart run() 16-16 16',
    ]);
  });

  it('Ruby: methods of classes and objects, without parentheses, endless, with blocks', async () => {
    const found = await read('/a/cart.rb', [
      'module Shop',
      '  class Cart < Base',
      '    def initialize items, tax = 1, *rest, by: 2, **more, &block',
      '      # def nothing',
      '      @items = items',
      '    end',
      '    def self.make; new; end',
      '    def total() = @items.sum { |x| x }',
      '    def each',
      '      while true do work end',
      '    end',
      '    def lines',
      '      @items.each do |x|',
      '        puts "#{x} end"',
      '      end',
      '    end',
      '    def <=>(other)',
      '      begin',
      '        1',
      '      rescue',
      '        2',
      '      end',
      '    end',
      '    def empty?; end',
      '  end',
      'end',
      'def Shop.now',
      '  <<~TEXT',
      '    end',
      '  TEXT',
      'end',
    ]);
    assert.deepEqual(found.map(brief), [
      'Shop/Cart initialize(items,tax,rest,by,more,block) 3-6 5',
      'Shop/Cart make() 7-7 7',
      'Shop/Cart total() 8-8 8 repeats',
      'Shop/Cart each() 9-11 10 repeats',
      'Shop/Cart lines() 12-16 13',
      'Shop/Cart <=>(other) 17-23 19',
      'Shop/Cart empty?() 24-24 24',
      'Shop.now() 27-31 28',
    ]);
  });

  it('PHP: comments with a hash, heredocs, methods', async () => {
    const found = await read('/a/cart.php', [
      '<?php',
      'namespace Shop;',
      '# function nothing() {',
      'function total(array $items, int &$sum, ...$rest): int {',
      '  $text = <<<TEXT',
      '    } {',
      '    TEXT;',
      '  return 1;',
      '}',
      'final class Cart extends Base {',
      '  public function __construct(private int $tax = 1) { }',
      '  abstract function none();',
      '  public static function each() {',
      '    foreach ($x as $y) { }',
      '  }',
      '}',
    ]);
    assert.deepEqual(found.map(brief), [
      'total($items,$sum,$rest) 4-9 5',
      'Cart __construct($tax) 11-11 11',
      'Cart each() 13-15 14 repeats',
    ]);
  });

  it('Go: generics, runes, raw strings, parameters without names', async () => {
    const found = await read('/a/cart.go', [
      'package cart',
      'func Map[T, U any](all []T, by func(T) U) (result []U) {',
      "\tif '{' == c { use(`{ \" `) }",
      '\treturn',
      '}',
      'func (Cart[T]) Len() int { return 0 }',
      'func (c *Cart[K, V]) Get(_ K, keys ...K) V {',
      '\tx := struct{ a int }{1}',
      '\treturn f(x)',
      '}',
      'func external(int) int',
      'func many(a, b, c, d, e, f, g, h, i, j, k int, by func(x int) int) {}',
    ]);
    assert.deepEqual(found.map(brief), [
      'Map(all,by) 2-5 2',
      'Cart.Len() 6-6 6',
      'Cart.Get(c,_,keys) 7-10 7',
      'many(a,b,c,d,e,f,g,h,i,j,k,by) 12-12 12',
    ]);
    const [map, , get] = found;
    assert.ok(map && get);
    assert.deepEqual(get.locals, ['x']);
    assert.deepEqual(
      get.returns?.map(({ expressions }) => expressions),
      [['f(x)']],
    );
    assert.deepEqual(map.results, ['result']);
  });

  it('broken files: functions before and after a mistake are found', async () => {
    const go = await read('/a/a.go', [
      'package a',
      'func one(x int) int { return x }',
      'func two(x int { return',
      'func three(x int) int { return x }',
    ]);
    assert.ok(go.some(({ name, start }) => name === 'one' && start === 2));
    const rust = await read('/a/a.rs', [
      'fn one(x: i32) -> i32 { x }',
      'let = ;; ]',
      'fn three(x: i32) -> i32 { x }',
    ]);
    assert.deepEqual(rust.map(brief), ['one(x) 1-1 1', 'three(x) 3-3 3']);
  });

  it('are named by their operators', async () => {
    const [found] = await read('/a/a.cpp', ['int Sum::operator()(int a) const { return a; }']);
    assert.ok(found);
    for (const name of ['operator()', 'Sum::operator()', 'Sum::operator()(int)'])
      assert.ok(isNamed(found, name), name);
    assert.ok(!isNamed(found, 'operator[]'));
    assert.ok(!isNamed(found, 'operator'));
  });
});
