import { strict as assert } from 'node:assert';
import { Failure } from '../../../src/results/failure';
import { chooseTest, editDistance } from '../../../src/testing/chooseTest';
import { scanJavaScript } from '../../../src/testing/javascript/scanJavaScript';
import { scanGo } from '../../../src/testing/go/scanGo';
import { scanGoogleTest } from '../../../src/testing/googletest/scanGoogleTest';
import type { ScannedTest } from '../../../src/testing/testFramework';
import { scanPython } from '../../../src/testing/python/scanPython';

const CART = `describe('cart', () => {
  it('adds', () => {
    call();
  });
  it('counts', () => {});
  describe('empty', () => {
    it('counts', () => {});
  });
  it.each([1, 2])('checks %i', () => {});
});
`;

let cart: readonly ScannedTest[] = [];
before(async () => {
  cart = await scanJavaScript(CART, 'cart.test.js');
});

function choose(name?: string, line?: number): readonly string[] {
  return chooseTest(cart, { name, line }, 'cart.test.js').path;
}

function refusal(name?: string, line?: number, tests = cart): Failure {
  try {
    chooseTest(tests, { name, line }, 'cart.test.js');
  } catch (error) {
    assert.ok(error instanceof Failure);
    return error;
  }
  assert.fail('it is refused');
}

describe('the test that a call selects', () => {
  it('is named by its full name, by its last name, or by a line in it', () => {
    assert.deepEqual(choose('cart > adds'), ['cart', 'adds']);
    assert.deepEqual(choose('cart adds'), ['cart', 'adds']);
    assert.deepEqual(choose('adds'), ['cart', 'adds']);
    assert.deepEqual(choose('empty > counts'), ['cart', 'empty', 'counts']);
    assert.deepEqual(choose(undefined, 3), ['cart', 'adds']);
    assert.deepEqual(choose('counts', 7), ['cart', 'empty', 'counts']);
    assert.deepEqual(choose('cart > counts'), ['cart', 'counts']);
  });

  it('stays a template if the call names the template itself', () => {
    const rows = scanGoogleTest('TEST_P(Prices, AreOdd) {\n  EXPECT_EQ(1, 2);\n}\n');
    for (const name of ['AreOdd', 'Prices.AreOdd']) {
      const { path: names, isTemplate } = chooseTest(rows, { name, line: undefined }, 'a.cpp');
      assert.deepEqual([names, isTemplate], [['Prices', 'AreOdd'], true], name);
    }
  });

  it('may be a row of a group that is a template', async () => {
    const source =
      "describe.each([{ name: 'a' }])('row $name', () => {\n  it('adds', () => {});\n});\n";
    const rows = await scanJavaScript(source, 'cart.test.js');
    const chosen = (name: string) => {
      const test = chooseTest(rows, { name, line: undefined }, 'cart.test.js');
      return [test.path, test.isTemplate];
    };
    for (const name of ["row 'a' > adds", "row 'a' › adds"])
      assert.deepEqual(chosen(name), [["row 'a'", 'adds'], false], name);
    assert.deepEqual(chosen("row 'a' adds"), [["row 'a' adds"], false]);
    for (const name of ['row $name > adds', 'row $name adds', 'adds'])
      assert.deepEqual(chosen(name), [['row $name', 'adds'], true], name);
  });

  it('may have a name that only the runner creates', () => {
    assert.deepEqual(choose('checks 2'), ['cart', 'checks 2']);
    assert.deepEqual(choose('something else'), ['something else']);
    const rows = scanPython('class TestCart:\n    def test_rows(self): ...\n');
    const chosen = chooseTest(
      rows,
      { name: 'TestCart::test_rows[1-a]', line: undefined },
      'test_cart.py',
    );
    assert.deepEqual(chosen.path, ['TestCart', 'test_rows[1-a]']);
  });

  it('may be named as its runner, or this tool, prints it', async () => {
    assert.deepEqual(choose('cart > checks 2'), ['cart', 'checks 2']);
    assert.deepEqual(choose('cart checks 2'), ['cart', 'checks 2']);
    const rows = scanPython('class TestCart:\n    def test_rows(self): ...\n');
    for (const name of [
      'tests/test_cart.py::TestCart::test_rows[1-a]',
      'TestCart > test_rows[1-a]',
      'TestCart.test_rows[1-a]',
    ])
      assert.deepEqual(
        chooseTest(rows, { name, line: undefined }, 'test_cart.py').path,
        ['TestCart', 'test_rows[1-a]'],
        name,
      );
    const go = scanGo(
      'func TestCart(t *testing.T) {\n\tt.Run("adds two items", f)\n\tt.Run(tc.name, f)\n}\n',
    );
    const inGo = (name: string): readonly string[] =>
      chooseTest(go, { name, line: undefined }, 'cart_test.go').path;
    assert.deepEqual(inGo('TestCart/adds_two_items'), ['TestCart', 'adds two items']);
    assert.deepEqual(inGo('TestCart/row_1'), ['TestCart', 'row_1']);
    const similar = await scanJavaScript("it('a b', f);\nit('a_b', f);", 'a.test.js');
    assert.deepEqual(chooseTest(similar, { name: 'a b', line: undefined }, 'a').path, ['a b']);
  });

  it('is refused with the candidates if there are several', () => {
    const { code, data } = refusal('counts');
    assert.equal(code, 'ambiguous_test');
    assert.deepEqual(data['candidates'], [
      { name: 'cart > counts', line: 5 },
      { name: 'cart > empty > counts', line: 7 },
    ]);
    assert.equal(refusal().data['test_count'], 4);
  });

  it('is not told as the name of tests that only may have it', () => {
    const go = scanGo('func TestA(t *testing.T) {\n\tt.Run(tc.name, f)\n\tt.Run(name(2), f)\n}\n');
    const choice = () => chooseTest(go, { name: 'a row', line: undefined }, 'a_test.go');
    assert.throws(choice, { code: 'ambiguous_test', message: /^2 .* may have the name a row\.$/ });
  });

  it('is left to the runner if the text of the file does not show its name', () => {
    const tests = cart.filter(({ isTemplate }) => !isTemplate);
    assert.deepEqual(chooseTest(tests, { name: 'cart > add', line: undefined }, 'a').path, [
      'cart > add',
    ]);
  });

  it('is refused with the tests and their number if there is none around the line', () => {
    const tests = cart.filter(({ isTemplate }) => !isTemplate);
    const { code, data } = refusal('cart > add', 1, tests);
    assert.equal(code, 'test_not_found');
    assert.deepEqual(data['outcome'], 'not_found');
    assert.equal((data['names'] as string[])[0], 'cart > adds');
    assert.equal(data['test_count'], 3);
    assert.equal(refusal(undefined, 1, tests).code, 'test_not_found');
  });

  it('is compared by the edit distance of its name', () => {
    assert.equal(editDistance('kitten', 'sitting'), 3);
    assert.equal(editDistance('', 'abc'), 3);
    assert.equal(editDistance('same', 'same'), 0);
  });
});
