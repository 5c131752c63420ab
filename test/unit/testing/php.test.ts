import { strict as assert } from 'node:assert';
import { planTest, type TestPlan } from '../../../src/testing/planTest';
import { readJUnitXml } from '../../../src/testing/php/junitXml';
import { phpunit } from '../../../src/testing/php/phpunit';
import { scanPhp } from '../../../src/testing/php/scanPhp';
import { verdictOf } from '../../../src/testing/report/verdict';
import { ask } from '../support/asking';
import { bench, type Bench } from '../support/services';

const FOLDER = '/home/ada/app';
const FILE = `${FOLDER}/tests/CartTest.php`;
const TEXT = `<?php
namespace Shop;
use PHPUnit\\Framework\\TestCase;
final class CartTest extends TestCase
{
    public function testAdds(): void { $this->assertSame('}', "{$x}"); }

    /** @test */
    public function counts_each_item(): void
    {
        $run = function () { return 1; };
    }

    #[Test]
    public function finds(): void {}

    public static function prices(): array { return [[1], [-2]]; }

    /** @dataProvider prices */
    public function testPrices(int $price): void {}
}
`;
/** Written by PHPUnit 9.6 on PHP 8.2. */
const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="Shop\\CartTest" file="${FILE}" tests="5" assertions="6" errors="1" warnings="0" failures="3" skipped="1" time="0.034545">
    <testcase name="testAdds" class="Shop\\CartTest" classname="Shop.CartTest" file="${FILE}" line="6" assertions="1" time="0.030730"/>
    <testcase name="testCountsEachItem" class="Shop\\CartTest" classname="Shop.CartTest" file="${FILE}" line="7" assertions="1" time="0.000603">
      <failure type="PHPUnit\\Framework\\ExpectationFailedException">Shop\\CartTest::testCountsEachItem
the total
Failed asserting that 3 is identical to 6.

${FILE}:13</failure>
      <system-out>added
</system-out>
    </testcase>
    <testcase name="testFinds" class="Shop\\CartTest" classname="Shop.CartTest" file="${FILE}" line="15" assertions="0" time="0.000471">
      <error type="OutOfBoundsException">Shop\\CartTest::testFinds
OutOfBoundsException: no milk

${FOLDER}/src/Cart.php:10
${FILE}:15</error>
    </testcase>
    <testsuite name="Shop\\CartTest::testPrices" tests="2" assertions="2" errors="0" warnings="0" failures="1" skipped="0" time="0.000268">
      <testcase name="testPrices with data set #0" class="Shop\\CartTest" classname="Shop.CartTest" file="${FILE}" line="17" assertions="1" time="0.000101"/>
      <testcase name="testPrices with data set &quot;negative&quot;" class="Shop\\CartTest" classname="Shop.CartTest" file="${FILE}" line="17" assertions="1" time="0.000151">
        <failure type="PHPUnit\\Framework\\ExpectationFailedException">Shop\\CartTest::testPrices with data set "negative" (-2)
Failed asserting that -2 is greater than 0.

${FILE}:17</failure>
      </testcase>
    </testsuite>
    <testcase name="testSkips" class="Shop\\CartTest" classname="Shop.CartTest" file="${FILE}" line="19" assertions="0" time="0.000190">
      <skipped/>
    </testcase>
  </testsuite>
</testsuites>
`;

function project(): Bench {
  const services = bench();
  const { workspace } = services;
  workspace.files.set(FILE, TEXT);
  workspace.files.set(`${FOLDER}/composer.json`, '{}');
  workspace.files.set(`${FOLDER}/vendor/bin/phpunit`, '#!/usr/bin/env php\n<?php');
  workspace.debuggers = () => [{ type: 'php', label: 'PHP', languages: ['php'] }];
  return services;
}

const argsOf = ({ start }: TestPlan): readonly string[] =>
  start.launches[0]?.configuration['args'] as string[];

describe('a PHPUnit test', () => {
  it('is found by its name, by @test and by #[Test]', () => {
    const tests = scanPhp(TEXT).filter(({ kind }) => kind === 'test');
    assert.deepEqual(
      tests.map(({ path, line, endLine }) => [path.join('::'), line, endLine]),
      [
        ['CartTest::testAdds', 6, 6],
        ['CartTest::counts_each_item', 9, 12],
        ['CartTest::finds', 15, 15],
        ['CartTest::testPrices', 20, 20],
      ],
    );
  });

  it('is run by the debugger of PHP, with the pattern of its name', async () => {
    const on = project();
    const plan = await planTest(on.services, { file_path: FILE, test_name: 'testAdds' });
    assert.equal(plan.framework.id, 'phpunit');
    const { configuration } = plan.start.launches[0] ?? {};
    assert.deepEqual(
      [configuration?.['type'], configuration?.['program'], configuration?.['port']],
      ['php', `${FOLDER}/vendor/bin/phpunit`, 0],
    );
    assert.deepEqual(argsOf(plan).slice(2), [
      ...['--filter', '/(?:^|\\\\)CartTest::testAdds(?: with data set .*)?$/', FILE],
    ]);
    for (const [name, full] of [
      ['testPrices', 'Shop\\CartTest::testPrices with data set #1'],
      ['CartTest::testPrices', 'Shop\\CartTest::testPrices with data set "negative"'],
      [
        'Shop\\CartTest::testPrices with data set "negative" (-2)',
        'Shop\\CartTest::testPrices with data set "negative"',
      ],
      ['inheritedTest', 'Shop\\CartTest::inheritedTest'],
    ] as const) {
      const named = await planTest(on.services, { file_path: FILE, test_name: name });
      const pattern = (argsOf(named)[3] ?? '').slice(1, -1);
      assert.match(full, new RegExp(pattern));
      assert.doesNotMatch(full.replace('::', '::x'), new RegExp(pattern));
    }
  });

  it('is refused without PHPUnit, and without a debugger for PHP', async () => {
    const on = project();
    on.workspace.files.delete(`${FOLDER}/vendor/bin/phpunit`);
    const input = { file_path: FILE, test_name: 'testAdds' };
    assert.equal((await ask(on, 'debug_test', input))['code'], 'runner_not_installed');
    on.workspace.debuggers = () => [];
    const answer = await ask(on, 'debug_test', input);
    assert.equal(answer['code'], 'debugger_not_installed');
    assert.match(JSON.stringify(answer), /xdebug\.php-debug/);
  });

  it('has the outcomes, messages and places of PHPUnit’s report', () => {
    const tests = readJUnitXml(REPORT);
    assert.deepEqual(
      tests.map(({ path, outcome }) => [path.join('::'), outcome]),
      [
        ['CartTest::testAdds', 'passed'],
        ['CartTest::testCountsEachItem', 'failed'],
        ['CartTest::testFinds', 'failed'],
        ['CartTest::testPrices with data set #0', 'passed'],
        ['CartTest::testPrices with data set "negative"', 'failed'],
        ['CartTest::testSkips', 'skipped'],
      ],
    );
    const [, counted, found] = tests;
    assert.deepEqual(
      [counted?.error?.message, counted?.error?.expected, counted?.error?.actual, counted?.output],
      ['the total\nFailed asserting that 3 is identical to 6.', '6', '3', ['added', '']],
    );
    assert.deepEqual(
      [found?.error?.type, found?.error?.message, found?.error?.frames.map(({ line }) => line)],
      ['OutOfBoundsException', 'no milk', [10, 15]],
    );
  });

  it('is errored if PHP cannot load its file', () => {
    const test = { path: ['CartTest', 'testAdds'], line: 6, isTemplate: false };
    const said = `PHP Parse error:  syntax error, unexpected token "}" in ${FILE}:9`;
    const { outcome, error } = verdictOf(phpunit.readOutcome(undefined, [said], test), {
      test,
      file: FILE,
    });
    assert.deepEqual([outcome, error?.frames[0]?.line], ['errored', 9]);
  });

  it('is read in a time that grows with the text', () => {
    const began = performance.now();
    const long = 400_000;
    readJUnitXml('<testcase name="a">'.repeat(long / 20));
    readJUnitXml(`<testcase ${'a'.repeat(long)}`);
    readJUnitXml('<failure>'.repeat(long / 9));
    scanPhp('function '.repeat(long / 9));
    scanPhp('class A { function testA() '.repeat(long / 27));
    void phpunit.detect({
      ...{ services: project().services, file: FILE, folder: FOLDER, manifest: {} },
      text: `extends ${' '.repeat(long)}`,
    });
    assert.ok(performance.now() - began < 2000, `${performance.now() - began} ms`);
  });
});
