import { strict as assert } from 'node:assert';
import { scanRust } from '../../../src/testing/cargo/scanRust';
import { scanGo } from '../../../src/testing/go/scanGo';
import { scanGoogleTest } from '../../../src/testing/googletest/scanGoogleTest';
import { scanJava } from '../../../src/testing/junit/scanJava';
import { scanJavaScript } from '../../../src/testing/javascript/scanJavaScript';
import { testsInText } from '../../../src/testing/javascript/javascriptText';
import { scanPython } from '../../../src/testing/python/scanPython';
import type { ScannedTest } from '../../../src/testing/testFramework';

const reported = (tests: readonly ScannedTest[]): string[] =>
  tests
    .filter(({ kind }) => kind === 'test')
    .map(
      ({ path, line, endLine, isTemplate }) =>
        `${path.join(' > ')} ${line}-${endLine}${isTemplate ? ' *' : ''}`,
    );

describe('tests in the text of a file', () => {
  it('of JavaScript are found with the groups around them', async () => {
    const text = `
describe('cart', () => {
  it("adds \\"two\\"", () => {
    add(')'); // it('not this', () => {})
    const pattern = /[/)]it\\('nor this'/;
  });
  describe.skip('inner', function () {
    test.only(\`of \${x}\`, async () => {});
    it.each([[1, 2], [3, 4]])('row %i', (a, b) => {
      expect(a).toBe(b);
    });
    it.each\`
      a    | b
      \${1} | \${2}
    \`('table $a', () => {});
  });
});
test('outside', { timeout: 5 }, async (t) => {
  await t.test('sub', () => {});
});
it(name, () => {});
/* it('commented', () => {}); */
object.it('no', 1);
`;
    const found = await scanJavaScript(text, 'cart.test.js');
    assert.deepEqual(reported(testsInText(text)), reported(found));
    assert.deepEqual(reported(found), [
      'cart > adds "two" 3-6',
      'cart > inner > of ${x} 8-8 *',
      'cart > inner > row %i 9-11 *',
      'cart > inner > table $a 12-15 *',
      'outside 18-20',
      'outside > sub 19-19',
      '${name} 21-21 *',
    ]);
  });

  it('of JavaScript have only parts of their names if functions of the person’s own declare them', async () => {
    const loose = async (text: string): Promise<string[]> =>
      (await scanJavaScript(text, 'cart.test.js')).map(
        ({ kind, path, line, endLine, isLoose }) =>
          `${kind} ${path.join(' > ')} ${line}-${endLine}${isLoose === true ? ' ?' : ''}`,
      );
    const wrapped = `import { expect, it as plainIt, test } from 'vitest';
import { both } from './setup.js';
both('sum', (it) => {
  it('adds', (kind) => {
    check('nothing', () => {});
  });
});
test('other', () => {
  both('step', () => {});
  [1].map((test) => test);
});
`;
    assert.deepEqual(await loose(wrapped), [
      'suite sum 3-7 ?',
      'test sum > adds 4-6 ?',
      'test other 8-11',
    ]);
    const suffixed = `const { describe, it } = require('node:test');
const suffixed = (name, run) => it(\`\${name} (x)\`, run);
describe('sum', () => {
  suffixed('adds', () => {});
});
`;
    assert.deepEqual(await loose(suffixed), [
      'test ${name} (x) 2-2',
      'suite sum 3-5',
      'test sum > adds 4-4 ?',
    ]);
  });

  it('of JavaScript are skipped if they or a group around them say so', async () => {
    const text = `
describe.skip('off', () => {
  it('a', () => {});
  describe('deep', () => { it('b', () => {}); });
});
describe('slow', { skip: 'later' }, () => { it('c', () => {}); });
xit('d', () => {});
it('e', { skip: true }, () => {});
it('f', { skip: false }, () => {});
it('g', { timeout: 5 }, () => {});
it.skipIf(true)('h', () => {});
`;
    const found = await scanJavaScript(text, 'cart.test.js');
    assert.deepEqual(
      found.flatMap(({ kind, path, isSkipped }) =>
        kind === 'test' && isSkipped === true ? [path.at(-1)] : [],
      ),
      ['a', 'b', 'c', 'd', 'e'],
    );
  });

  it('of JavaScript are found beside JSX, types, conditions and joined names', async () => {
    const text = `
describe.skipIf(process.env.CI)('shop', () => {
  it('renders', () => {
    render(<Counter start={1} />);
    expect(<p>Don't</p>).toBeDefined();
  });
  it.each<[string, number]>([['a', 1]])('row %s', (a: string) => {});
  test.runIf(!x)('maybe' + suffix, () => {});
  test('after', () => {});
});
test.step('no test', () => {});
`;
    assert.deepEqual(reported(await scanJavaScript(text, 'shop.test.tsx')), [
      'shop > renders 3-6',
      'shop > row %s 7-7 *',
      'shop > maybe${suffix} 8-8 *',
      'shop > after 9-9',
    ]);
  });

  it('of JavaScript are found if their function has fixtures of its own', async () => {
    const text =
      "const itSells = it.extend({ price: 7 });\nitSells('tea', () => {});\nother('no', () => {});\nconst A = B.extend();\nA('no');";
    const found = await scanJavaScript(text, 'a.test.js');
    assert.deepEqual(
      found.map(({ path: names, line }) => [names, line]),
      [[['tea'], 2]],
    );
  });

  it('of JavaScript know the tests around a subtest', async () => {
    const text = `describe('all', () => { test('outer', (t) => { t.test('inner', () => {}); }); });`;
    const found = await scanJavaScript(text, 'a.test.js');
    assert.deepEqual(
      found.map(({ path, parents }) => [path.at(-1), parents]),
      [
        ['all', undefined],
        ['outer', undefined],
        ['inner', ['outer']],
      ],
    );
  });

  it('of JavaScript are found in a text that cannot be parsed', async () => {
    const found = await scanJavaScript("it('works', () => {});\nconst = {;", 'a.test.js');
    assert.deepEqual(reported(found), ['works 1-1']);
  });

  it('of Python continue behind a string that ends at the beginning of a line', () => {
    const text = `
class TestRender:
    def test_a(self):
        expected = """
hello
"""
        assert expected

    def test_b(self): ...
`;
    assert.deepEqual(reported(scanPython(text)), [
      'TestRender > test_a 3-7',
      'TestRender > test_b 9-9',
    ]);
  });

  it('of Python are functions and methods with their decorators', () => {
    const text = `
import pytest

def helper():
    def test_inner(): pass

@pytest.mark.parametrize(
    "a",
    [1, 2],
)
def test_rows(a):
    """
def test_in_text():
    """
    assert a

class TestCart:
    limit = 1

    async def test_adds(self):
        assert (
            1
        )

class Other:
    def test_no(self): ...

class Units(unittest.TestCase):
    def test_units(self): ...
`;
    assert.deepEqual(reported(scanPython(text)), [
      'test_rows 7-15',
      'TestCart > test_adds 20-23',
      // The runner decides whether another class inherits it.
      'Other > test_no 26-26',
      'Units > test_units 29-29',
    ]);
  });

  it('of Go include their subtests', () => {
    const text = `package cart

func TestCart(t *testing.T) {
	t.Run("adds", func(t *testing.T) {
	})
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {})
	}
}

func helper(t *testing.T) { other.Run("no") }

func TestMain(m *testing.M) {
	os.Exit(m.Run())
}
`;
    assert.deepEqual(reported(scanGo(text)), [
      'TestCart 3-9',
      'TestCart > adds 4-5',
      'TestCart > ${…} 7-7 *',
    ]);
  });

  it('of Java, C++ and Rust are the functions marked as tests', () => {
    const java = `class CartTest {
  @Test
  void adds() {
    call("}");
  }
  @Nested class Inner {
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void rows(int a) throws Exception { }
  }
  void helper() {}
}`;
    assert.deepEqual(reported(scanJava(java)), [
      'CartTest > adds 2-5',
      'CartTest > Inner > rows 7-9',
    ]);
    const cpp = `#include <gtest/gtest.h>
TEST(Cart, Adds) {
  EXPECT_EQ(1, 1);
}
TEST_F(Fixture, Finds)
{
}
TEST_P(Rows, Row) {}
`;
    assert.deepEqual(reported(scanGoogleTest(cpp)), [
      'Cart > Adds 2-4',
      'Fixture > Finds 5-7',
      'Rows > Row 8-8 *',
    ]);
    const rust = `fn lives<'a>(x: &'a str) -> char { '"' }
#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(1, 1);
    }
    #[tokio::test]
    async fn waits() {}
}`;
    assert.deepEqual(reported(scanRust(rust)), ['tests > adds 4-7', 'tests > waits 8-9']);
  });
});
