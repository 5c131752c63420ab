import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import {
  enclosingClass,
  hasPrivateNames,
  pythonCondition,
  requestedCondition,
} from '../../../../src/debugger/adapters/pythonCondition';

const SOURCE = `
limit = 100
class Tank:
    def __init__(self):
        self.__level = 3
    def fill(
        self,
        goal,
    ):
        # here
        def inner():
            return goal
        return inner()
class _Other(Tank):
    x = 1
def free():
    return 1
`.split('\n');

/** What debugpy does with a condition at a line of \`Tank.fill\`. */
const EVALUATED = `
import json, sys
class Tank:
    def __init__(self): self.__level = 3
    def scope(self, items, limit): return locals()
scope = Tank().scope([3, 7], 5)
module = {'limit': 100, 'Tank': Tank}
for condition in json.load(sys.stdin): print(eval(condition, module, scope))
`;

describe('conditions of Python breakpoints', () => {
  it('see the names of the frame in functions, and private names, as the line does', () => {
    const conditions = [
      'any(x > limit for x in items)',
      '[x for x in items if x > limit] == [7]',
      '(lambda: limit)() == 5',
      'self.__level == 3',
      'all(self.__level <= x for x in items) and "it\\"s __level" != \'\\n\'',
      '\n  limit == 5',
    ];
    const ran = spawnSync('python3', ['-c', EVALUATED], {
      input: JSON.stringify(conditions.map((each) => pythonCondition(each, 'Tank').trim())),
      encoding: 'utf8',
    });
    assert.equal(ran.status, 0, ran.stderr);
    assert.deepEqual(
      ran.stdout.trim().split('\n'),
      conditions.map(() => 'True'),
    );
  });

  it('stay as they are where nothing in them would mean something else', () => {
    for (const condition of ['x > 1', 'self.__init__ is not None', '"__x" in names', 'x.__y'])
      assert.equal(pythonCondition(condition), condition);
    assert.equal(pythonCondition('self.__level', '__'), 'self.__level');
    assert.equal(pythonCondition('x.__y == "__y"', '_Tank'), 'x._Tank__y == "__y"');
    assert.ok(hasPrivateNames('self.__level'));
    assert.equal(hasPrivateNames('"__level" in names and x.__class__'), false);
  });

  it('are shown as they were requested', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const condition = `${text.trim()} for`.trim();
        assert.equal(requestedCondition(pythonCondition(condition)), condition);
      }),
    );
    for (const condition of ['', 'x', 'eval("x")', 'eval("x"y", {**globals(), **locals()})'])
      assert.equal(requestedCondition(condition), condition);
  });

  it('belong to the innermost class around their line', () => {
    const owners = SOURCE.map((_, index) => enclosingClass(SOURCE, index + 1) ?? '');
    const lineOf = (text: string): number => SOURCE.findIndex((line) => line.includes(text));
    for (const text of ['self.__level', 'return goal', 'return inner', '# here'])
      assert.equal(owners[lineOf(text)], 'Tank', text);
    assert.equal(owners[lineOf('x = 1')], '_Other');
    for (const text of ['limit', 'class Tank', 'def free', 'return 1'])
      assert.equal(owners[lineOf(text)], '', text);
  });

  it('is found in hostile files without much work', () => {
    const hostile = [
      `f"${'\\N{'.repeat(160_000)}`,
      `f"${'{a:'.repeat(160_000)}`,
      `f"${"{f'".repeat(160_000)}`,
    ];
    for (const text of hostile) {
      const began = process.cpuUsage();
      enclosingClass(['class A:', `    x = ${text}`, '    y = 1'], 3);
      const { user } = process.cpuUsage(began);
      assert.ok(user < 1_500_000, `${user / 1000} ms: ${text.slice(0, 12)}`);
    }
  });
});
