import { strict as assert } from 'node:assert';
import { functionsIn } from '../../../../../src/tools/trace/function/source/functionsIn';
import type { SourceFunction } from '../../../../../src/tools/trace/function/source/sourceFunction';

async function goFunction(...lines: string[]): Promise<SourceFunction> {
  const text = ['package main', 'func work(items []int, limit int) (n int, err error) {', ...lines];
  const [found] = (await functionsIn('/a/work.go', [...text, '}'].join('\n'))) ?? [];
  assert.ok(found);
  return found;
}

describe('the body of a Go function', () => {
  it('declares variables in any block, each named once', async () => {
    const { locals } = await goFunction(
      '  sum, _ := 0, 1',
      '  var count, rest int',
      '  var (',
      '    text string',
      '    size, width = 1, 2',
      '  )',
      '  for index, each := range items {',
      '    if sum := each; sum > limit { continue }',
      '  }',
      '  // hidden := 1',
      '  name := "other := 2"',
      '  switch kind := any(sum).(type) { case int: _ = kind }',
    );
    assert.deepEqual([...(locals ?? [])].sort(), [
      ...['count', 'each', 'index', 'kind', 'name', 'rest', 'size', 'sum', 'text', 'width'],
    ]);
  });

  it('has no returned expressions if a deferred function may change the named results', async () => {
    const { returns } = await goFunction('  defer func() { n += 1 }()', '  return limit, nil');
    assert.deepEqual(returns, []);
    for (const results of ['int', '(int, error)', '(map[string]int, error)']) {
      const text = `package main\nfunc f(a int) ${results} {\n  defer g()\n  return a, nil\n}`;
      const [found] = (await functionsIn('/a/f.go', text)) ?? [];
      assert.equal(found?.returns?.length, 1, results);
    }
  });

  it('has results with names, and returns that need a call', async () => {
    const facts = async (results: string, ...body: string[]) => {
      const text = `package main\nfunc f(a int) ${results} {\n${body.join('\n')}\n}`;
      const [found] = (await functionsIn('/a/f.go', text)) ?? [];
      return [found?.results, found?.hasUnreadReturns];
    };
    assert.deepEqual(await facts('int', 'return a + len(b) + int(c.d)'), [[], false]);
    assert.deepEqual(await facts('int', 'if a > 1 { return a }', 'return (a + b) * c'), [
      [],
      false,
    ]);
    assert.deepEqual(await facts('int', 'return a + g(b)'), [[], true]);
    assert.deepEqual(await facts('int', 'return a.g()'), [[], true]);
    assert.deepEqual(await facts('int', 'return a.len()'), [[], true]);
    const cb = '(cb func(a, b int) error, err error)';
    assert.deepEqual(await facts(cb, 'return g, nil'), [['cb', 'err'], false]);
    assert.deepEqual(await facts('int', 'return a +', '  1'), [[], true]);
    assert.deepEqual(await facts('', 'if a > 1 { return }'), [[], false]);
    assert.deepEqual(await facts('(n int, err error)', 'return'), [['n', 'err'], true]);
    assert.deepEqual(await facts('(n, m int)', 'return a, a'), [['n', 'm'], false]);
    assert.deepEqual(await facts('(int, error)', 'return a, nil'), [[], false]);
    assert.deepEqual(await facts('(n int)', 'defer g()', 'return a'), [['n'], true]);
  });

  it('is found for a generic function', async () => {
    const text =
      'package main\nfunc count[K comparable, V []int](xs map[K]V) int {\n  return len(xs)\n}';
    const [found] = (await functionsIn('/a/f.go', text)) ?? [];
    assert.deepEqual([found?.name, found?.parameters], ['count', [{ name: 'xs' }]]);
  });

  it('has the returned expressions of each line', async () => {
    const { returns } = await goFunction(
      '  if limit > 1 { return limit, nil }',
      '  if limit > 2 { return 1, nil }; return 2, nil',
      '  return fmt.Sprint(limit, "a, b"), items[max(1, 2)]',
      '  return',
      '  return item{1}, nil',
      '  return limit +',
      '    1, nil',
    );
    assert.deepEqual(returns, [
      { line: 3, expressions: ['limit', 'nil'] },
      { line: 5, expressions: ['fmt.Sprint(limit, "a, b")', 'items[max(1, 2)]'], hasCalls: true },
    ]);
  });

  it('has loops whose headers are reached once, with the variables that they assign', async () => {
    const { loops } = await goFunction(
      '  for index, each := range items {',
      '    for row := 0; row < limit; row++ {',
      '      use(each)',
      '    }',
      '  }',
      '  for limit > 0 {',
      '    limit--',
      '  }',
      '  for { break }',
      '  for n = range next(func() int { return 1 }) {',
      '  }',
    );
    assert.deepEqual(loops, [
      { line: 3, end: 7, assigned: ['index', 'each'] },
      { line: 4, end: 6, assigned: ['row'] },
      { line: 12, end: 13, assigned: ['n'] },
    ]);
  });

  it('defers closures', async () => {
    const { deferred } = await goFunction(
      ...['  defer limit.Close()', '  defer func() {', '    recover()', '  }()'],
      ...['  // defer func() {}()', '  run(func() { n += 1 })', '  defer func() { n += 1 }()'],
    );
    assert.deepEqual(deferred, [
      { start: 4, end: 6 },
      { start: 9, end: 9 },
    ]);
  });
});

describe('a loop of a Go function over a literal', () => {
  it('begins at the braces behind the literal', async () => {
    const { loops } = await goFunction(
      '  for _, one := range []int{5, 2} {',
      '  }',
      '  for name, two := range map[string]*shop.Item{"pen": {Price: 1}} {',
      '  }',
      '  for _, three := range []struct{ a int }{{1}, {2}} {',
      '  }',
      '  for _, four := range items[1:] {',
      '  }',
      '  for _, five := range items[0].parts {',
      '  }',
    );
    assert.deepEqual(loops, [
      { line: 3, end: 4, assigned: ['one'] },
      { line: 5, end: 6, assigned: ['name', 'two'] },
      { line: 7, end: 8, assigned: ['three'] },
      { line: 9, end: 10, assigned: ['four'] },
      { line: 11, end: 12, assigned: ['five'] },
    ]);
  });
});

describe('functions of languages with braces', () => {
  it('do not begin at braces in an argument', async () => {
    const text = [
      'int add(std::vector<int> numbers = {}) {',
      '  return 1;',
      '}',
      'int main() {',
      '  add({{1, 2}, {3}}, []{ return 1; });',
      '}',
    ].join('\n');
    const found = (await functionsIn('/a/add.cpp', text)) ?? [];
    assert.deepEqual(
      found.map(({ name, start, end }) => `${name} ${start}-${end}`),
      ['add 1-3', 'main 4-6'],
    );
    const java = [
      'class Work {',
      '  void start() {',
      '    new Thread(new Runnable() {',
      '      public void run() {',
      '        work();',
      '      }',
      '    }).start();',
      '  }',
      '}',
    ].join('\n');
    const methods = (await functionsIn('/a/Work.java', java)) ?? [];
    assert.deepEqual(
      methods.map(({ name, start, end }) => `${name} ${start}-${end}`),
      ['start 2-8', 'run 4-6'],
    );
  });
});
