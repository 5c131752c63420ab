import { strict as assert } from 'node:assert';
import { linkedByMake, linkedByNinja } from '../../../src/testing/googletest/cmakePrograms';
import { testsIn } from '../../../src/testing/googletest/cmakeTests';
import { comparedIn } from '../../../src/testing/googletest/comparedValues';
import { meantTests, namedTest, readList } from '../../../src/testing/googletest/gtestNames';
import { scanGoogleTest } from '../../../src/testing/googletest/scanGoogleTest';

const FILE = '/app/test/cart_test.cpp';
const SOURCE = `TEST(Cart, Adds) {
}
TEST_P(Prices, AreOdd) {
}
TYPED_TEST(Stack, Pushes) {
}
TEST(Cart, DISABLED_Waits) {
}
`;

const LIST = JSON.stringify({
  testsuites: [
    {
      name: 'Cart',
      testsuite: [
        { name: 'Adds', file: '../test/cart_test.cpp', line: 1 },
        { name: 'DISABLED_Waits', file: FILE, line: 7 },
      ],
    },
    {
      name: 'Stack/0',
      testsuite: [{ name: 'Pushes', type_param: 'int', file: FILE, line: 5 }],
    },
    {
      name: 'Stack/Named',
      testsuite: [{ name: 'Pushes', type_param: 'char', file: FILE, line: 5 }],
    },
    {
      name: 'Some/Prices',
      testsuite: [
        { name: 'AreOdd/0', value_param: '1', file: FILE, line: 3 },
        { name: 'AreOdd/1.5', value_param: '1.5', file: FILE, line: 3 },
      ],
    },
    { name: 'Shop', testsuite: [{ name: 'Adds', file: '/app/test/shop.cpp', line: 1 }] },
    { name: 'Made', testsuite: [{ name: 'ByMacro', file: FILE, line: 12 }] },
  ],
});

const named = (name: string, file = FILE, source = SOURCE): readonly string[] =>
  meantTests(readList(LIST), namedTest(name, scanGoogleTest(source)), file).map(
    (test) => `${test.suite}.${test.name}`,
  );

describe('the name of a GoogleTest', () => {
  it('may be copied from the lines that the runner prints', () => {
    assert.deepEqual(named('Stack/0.Pushes, where TypeParam = int'), ['Stack/0.Pushes']);
    assert.deepEqual(named('[  FAILED  ] Some/Prices.AreOdd/1.5, where GetParam() = 1.5 (3 ms)'), [
      'Some/Prices.AreOdd/1.5',
    ]);
    assert.deepEqual(named('[ RUN      ] Cart.Adds'), ['Cart.Adds']);
  });

  it('may be the one in the source, or its last part', () => {
    const rows = ['Some/Prices.AreOdd/0', 'Some/Prices.AreOdd/1.5'];
    assert.deepEqual(named('Prices.AreOdd'), rows);
    assert.deepEqual(named('Prices > AreOdd'), rows);
    assert.deepEqual(named('AreOdd'), rows);
    assert.deepEqual(named('Prices.AreOdd/0'), ['Some/Prices.AreOdd/0']);
    assert.deepEqual(named('AreOdd/0'), ['Some/Prices.AreOdd/0']);
    assert.deepEqual(named('Stack.Pushes'), ['Stack/0.Pushes', 'Stack/Named.Pushes']);
    assert.deepEqual(named('Waits'), ['Cart.DISABLED_Waits']);
    assert.deepEqual(named('Cart.Waits'), ['Cart.DISABLED_Waits']);
  });

  it('is that of the file if another file has an equal one', () => {
    assert.deepEqual(named('Adds'), ['Cart.Adds']);
    assert.deepEqual(named('Adds', '/app/test/shop.cpp', 'TEST(Shop, Adds) {}'), ['Shop.Adds']);
    assert.deepEqual(named('Adds', '/app/main.cpp', ''), ['Cart.Adds', 'Shop.Adds']);
    assert.deepEqual(named('Nothing'), []);
  });

  it('is found by a line at which only a macro is', () => {
    const at = (line: number) =>
      meantTests(
        readList(LIST),
        { path: [`line ${line}`], line, endLine: line, isTemplate: false },
        FILE,
      ).map(({ name }) => name);
    assert.deepEqual(at(13), ['ByMacro']);
    assert.deepEqual(at(3), ['AreOdd/0', 'AreOdd/1.5']);
  });
});

describe('the values of a failed assertion of GoogleTest', () => {
  const equality = (...lines: string[]) =>
    comparedIn(['Expected equality of these values:', ...lines].join('\n'));

  it('have the literal as the expected one, on either side', () => {
    assert.deepEqual(equality('  "abc"', '  make(1)', '    Which is: "abd"'), {
      expected: '"abc"',
      actual: '"abd"',
    });
    assert.deepEqual(equality('  make(1)', '    Which is: 3', '  4'), {
      expected: '4',
      actual: '3',
    });
  });

  it('have the one that is named so as the expected one, and are two sides otherwise', () => {
    const sum = ['  sum', '    Which is: 3'];
    assert.deepEqual(equality(...sum, '  case.expected', '    Which is: 6'), {
      expected: '6',
      actual: '3',
    });
    assert.deepEqual(equality('  kSum', '    Which is: 6', ...sum), { expected: '6', actual: '3' });
    assert.deepEqual(equality(...sum, '  other', '    Which is: 6'), {
      sides: { lhs: '3', rhs: '6' },
    });
    assert.deepEqual(equality('  1', '  2'), { sides: { lhs: '1', rhs: '2' } });
  });

  it('are read without the difference of long texts, and from conditions', () => {
    const texts = ['  text', '    Which is: "a\\nb"', '  "a\\nc"', 'With diff:', '@@ -1,2 +1,2 @@'];
    assert.deepEqual(equality(...texts), { expected: '"a\\nc"', actual: '"a\\nb"' });
    assert.deepEqual(comparedIn('Value of: is_open\n  Actual: false\nExpected: true'), {
      expected: 'true',
      actual: 'false',
    });
    assert.deepEqual(comparedIn('Expected: (a) < (b), actual: 3 vs 2'), {});
  });
});

describe('the program of a GoogleTest', () => {
  it('is the one that Ninja links from the object of the file, wherever it is', () => {
    const lines = [
      'build test/CMakeFiles/a.dir/cart_test.cpp.o: CXX_COMPILER__a_Debug /app/test/cart_test.cpp || order',
      'build test/CMakeFiles/b.dir/main.cpp.o: CXX_COMPILER__b_Debug ../test/main$ 2.cpp',
      'build bin/a-test: CXX_EXECUTABLE_LINKER__a_Debug test/CMakeFiles/a.dir/cart_test.cpp.o | lib.a',
      'build bin/b-test: CXX_EXECUTABLE_LINKER__b_Debug test/CMakeFiles/b.dir/main.cpp.o',
    ];
    assert.deepEqual(linkedByNinja(lines, '/app/build', FILE), ['/app/build/bin/a-test']);
    const spaced = linkedByNinja(lines, '/app/build', '/app/test/main 2.cpp');
    assert.deepEqual(spaced, ['/app/build/bin/b-test']);
    assert.deepEqual(linkedByNinja(lines, '/app/build', '/app/test/other.cpp'), []);
  });

  it('is the one that Make links', () => {
    const link = '/usr/bin/c++ -g CMakeFiles/a.dir/test/cart_test.cpp.o -o ../bin/a-test  lib.a';
    assert.deepEqual(linkedByMake([link], '/app/build/t', '/app', FILE), ['/app/build/bin/a-test']);
    assert.deepEqual(linkedByMake([link], '/app/build/t', '/app', '/app/test/other.cpp'), []);
    assert.deepEqual(linkedByMake(['ar qc liba.a x.o'], '/app/build', '/app', FILE), []);
  });

  it('is read from CMake’s files in linear time', () => {
    const text = `${'\n'.repeat(200_000)}add_test([=[Cart.Adds]=] "/app/build/a" --x)\nset_tests_properties([=[Cart.Adds]=] PROPERTIES WORKING_DIRECTORY "/app/data" X y)\n`;
    const began = performance.now();
    assert.deepEqual(testsIn(text), [
      { name: 'Cart.Adds', program: '/app/build/a', cwd: '/app/data' },
    ]);
    assert.ok(performance.now() - began < 2000);
  });
});
