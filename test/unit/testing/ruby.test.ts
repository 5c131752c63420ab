import { strict as assert } from 'node:assert';
import { planTest, type TestPlan } from '../../../src/testing/planTest';
import { readOwnReport } from '../../../src/testing/report/readReport';
import { verdictOf } from '../../../src/testing/report/verdict';
import { scanRuby } from '../../../src/testing/ruby/scanRuby';
import { ask } from '../support/asking';
import { bench, type Bench } from '../support/services';

const FOLDER = '/home/ada/app';
const TEST = `${FOLDER}/test/cart_test.rb`;
const SPEC = `${FOLDER}/spec/cart_spec.rb`;
const MINITEST = `require "minitest/autorun"

class CartTest < Minitest::Test
  def setup
    @cart = Cart.new
  end

  def test_adds
    assert_equal 3, @cart.total
  end

  test "counts each item" do
    assert true
  end
end

describe "a cart" do
  describe "with items" do
    it("adds prices") { _(1).must_equal 2 }
  end
end
`;
const RSPEC = `RSpec.describe Cart, "in a shop" do
  context "with items" do
    before { add }
    it "counts each item" do
      expect(1).to eq(2)
    end

    it("is short") { expect(1).to eq(1) }
  end

  [1, 2].each { |n|
    it "row #{n}" do
    end
  }
end
`;

function project(type = 'rdbg'): Bench {
  const services = bench();
  const { workspace } = services;
  workspace.files.set(TEST, MINITEST);
  workspace.files.set(SPEC, RSPEC);
  workspace.files.set(`${FOLDER}/Gemfile`, '');
  workspace.debuggers = () => [{ type, label: 'Ruby', languages: ['ruby'] }];
  return services;
}

const linesOf = ({ scratch }: TestPlan): readonly string[] =>
  (scratch.files['run.txt'] ?? '').split('\n').map(decodeURIComponent);

describe('a Ruby test', () => {
  it('is found with its groups, whose ends are told by the indentation', () => {
    const places = (text: string): unknown[] =>
      scanRuby(text)
        .filter(({ kind }) => kind === 'test')
        .map(({ path, line, endLine, isTemplate }) => [
          path.join(' > '),
          line,
          endLine,
          isTemplate,
        ]);
    assert.deepEqual(places(MINITEST), [
      ['CartTest > test_adds', 8, 10, false],
      ['CartTest > counts each item', 12, 14, false],
      ['a cart > with items > adds prices', 19, 19, false],
    ]);
    assert.deepEqual(places(RSPEC), [
      ['Cart in a shop > with items > counts each item', 4, 6, false],
      ['Cart in a shop > with items > is short', 8, 8, false],
      ['Cart in a shop > row #{n}', 12, 13, true],
    ]);
  });

  it('is scanned in a time that grows with the text', () => {
    const began = performance.now();
    for (const text of [
      '\n'.repeat(400_000),
      `describe${' '.repeat(400_000)}`,
      '  it "a'.repeat(60_000),
    ])
      scanRuby(text);
    assert.ok(performance.now() - began < 1500);
  });

  it('of minitest is run by the debugger of Ruby, with the pattern of its name', async () => {
    const on = project();
    const plan = await planTest(on.services, {
      file_path: TEST,
      test_name: 'test_adds',
      args: ['-v'],
    });
    assert.deepEqual([plan.framework.id, plan.folder], ['minitest', FOLDER]);
    const { configuration } = plan.start.launches[0] ?? {};
    assert.deepEqual(
      [configuration?.['type'], configuration?.['script'], configuration?.['useBundler']],
      ['rdbg', '/home/ada/.reporters/ruby/run.rb', true],
    );
    assert.deepEqual(linesOf(plan).slice(0, 3), ['minitest', TEST, '-n']);
    const patternFor = async (name: string): Promise<RegExp> => {
      const named = await planTest(on.services, { file_path: TEST, test_name: name });
      return new RegExp((linesOf(named)[3] ?? '').slice(1, -1));
    };
    for (const [name, method] of [
      ['test_adds', 'CartTest#test_adds'],
      ['CartTest#test_adds', 'CartTest#test_adds'],
      ['counts each item', 'CartTest#test_counts_each_item'],
      ['adds prices', 'a cart::with items#test_0001_adds prices'],
      ['a cart::with items#test_0001_adds prices', 'a cart::with items#test_0001_adds prices'],
    ] as const) {
      assert.match(method, await patternFor(name));
      assert.doesNotMatch(`${method}_too`, await patternFor(name));
    }
  });

  it('of RSpec is run by its line, or by the name as RSpec prints it', async () => {
    const on = project();
    const argumentsFor = async (name: string): Promise<readonly string[]> => {
      const plan = await planTest(on.services, { file_path: SPEC, test_name: name });
      assert.equal(plan.framework.id, 'rspec');
      return linesOf(plan).slice(2);
    };
    assert.deepEqual(await argumentsFor('counts each item'), [`${SPEC}:4`]);
    assert.deepEqual(await argumentsFor('Cart in a shop with items counts each item'), [
      `${SPEC}:4`,
    ]);
    assert.deepEqual(await argumentsFor('rspec ./spec/cart_spec.rb:8'), [`${SPEC}:8`]);
    assert.deepEqual(await argumentsFor('./spec/cart_spec.rb[1:2:1]'), [`${SPEC}[1:2:1]`]);
    assert.deepEqual(await argumentsFor('is shared (twice)'), [
      ...[SPEC, '--example-matches', '(?:^|\\s)is shared \\(twice\\)$'],
    ]);
  });

  it('is started by Ruby LSP with one command line', async () => {
    const on = project('ruby_lsp');
    const { start } = await planTest(on.services, { file_path: TEST, test_name: 'test_adds' });
    assert.equal(
      start.launches[0]?.configuration['program'],
      'ruby /home/ada/.reporters/ruby/run.rb',
    );
  });

  it('is refused without a debugger for Ruby, with the extension to install', async () => {
    const on = project();
    on.workspace.debuggers = () => [];
    const answer = await ask(on, 'debug_test', { file_path: TEST, test_name: 'test_adds' });
    assert.equal(answer['code'], 'debugger_not_installed');
    assert.match(JSON.stringify(answer), /vscode-rdbg/);
  });

  it('has the message, the place and the variables that our reporter wrote', () => {
    // Written by minitest 5.17 on Ruby 3.1.
    const report = `{"path":["CartTest","test_finds"],"status":"failed","requested":"test","file":"${TEST}","line":20,"durationMs":0.27,"error":{"type":"KeyError","message":"no milk","frames":[{"path":"${FOLDER}/lib/cart.rb","line":19,"name":"price_of","variables":[["name","\\"milk\\""],["@items","[]"]]},{"path":"${TEST}","line":25,"name":"test_finds","variables":[["@cart","#<Cart @items=[]>"]]}],"occurrence":2,"causes":[]}}
{"exited":1}`;
    const test = { path: ['CartTest', 'test_finds'], line: 20, isTemplate: false };
    const { outcome, error } = verdictOf(readOwnReport(report, [], test), { test, file: TEST });
    assert.deepEqual([outcome, error?.message, error?.occurrence], ['failed', 'no milk', 2]);
    assert.deepEqual(error?.frames[0]?.variables?.[0], { name: 'name', value: '"milk"' });
  });
});
