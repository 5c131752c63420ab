import { strict as assert } from 'node:assert';
import { calleesOf, generatorsOf } from '../../../../../src/tools/trace/function/callees';
import { functionsIn } from '../../../../../src/tools/trace/function/source/functionsIn';
import { bench } from '../../../support/services';

const APP = '/home/ada/app';

/** The callees of a function, as `name file:line`. */
async function found(files: Readonly<Record<string, string>>, name: string): Promise<string[]> {
  const { services, workspace } = bench();
  workspace.files.clear();
  for (const [file, text] of Object.entries(files)) workspace.files.set(`${APP}/${file}`, text);
  const [file = '', text = ''] = Object.entries(files)[0] ?? [];
  const functions = (await functionsIn(file, text)) ?? [];
  const caller = functions.find((other) => other.name === name);
  assert.ok(caller);
  const callees = await calleesOf(services, { path: `${APP}/${file}`, found: caller });
  assert.equal(callees.isWhole, true);
  return callees.functions.map(
    (callee) => `${callee.name} ${callee.path.slice(APP.length + 1)}:${callee.found.start}`,
  );
}
describe('the functions that a function calls', () => {
  it('JavaScript: are in its file and in the files that it imports, also with the endings of the output', async () => {
    const cart = [
      "import { rate } from './rates.js';",
      "import { Receipt } from './lib';",
      "import { gone } from './gone.js';",
      "import fs from 'node:fs';",
      'const half = (value) => value / 2;',
      'export function total(items) {',
      '  const inner = () => half(1);',
      '  function* all() { yield 1; }',
      '  all();',
      '  return new Receipt(inner() + rate(items.size)).print(gone(fs.size));',
      '}',
      'function other() {}',
    ].join('\n');
    const files = {
      'cart.ts': cart,
      'rates.ts': 'export async function rate(country) {}',
      'lib/index.ts': 'export class Receipt { constructor(total) {} print() {} }',
    };
    assert.deepEqual(await found(files, 'total'), [
      'inner cart.ts:7',
      'rate rates.ts:1',
      'new Receipt lib/index.ts:1',
      'print lib/index.ts:1',
    ]);
    assert.deepEqual(await found(files, 'other'), []);
  });

  it('JavaScript: are generators that it names, and those that these delegate to', async () => {
    const { services, workspace } = bench();
    workspace.files.clear();
    const file = `${APP}/tree.js`;
    const text = [
      "import { leaves } from './leaves.js';",
      'class Tree { *walk() { yield* this.left.walk(); yield* leaves(this); } }',
      'function* unused() {}',
      'function total(tree) { return [...tree.walk()].concat(plain()); }',
      'function plain() { return unused(); }',
    ].join('\n');
    workspace.files.set(file, text);
    workspace.files.set(`${APP}/leaves.js`, 'export function* leaves(tree) {}');
    const functions = (await functionsIn(file, text)) ?? [];
    const consumer = functions.find((other) => other.name === 'total');
    assert.ok(consumer);
    const generators = await generatorsOf(services, { path: file, found: consumer });
    assert.deepEqual(
      generators.map((each) => `${each.found.name} ${each.path.slice(APP.length + 1)}`),
      ['walk tree.js', 'leaves leaves.js'],
    );
  });

  it('Go: are in its package and in the packages that it names', async () => {
    const cart =
      'package main\nfunc total(a int) int {\n\treturn tax(a) + rates.Of(a) + total(a)\n}';
    const files = {
      'main.go': cart,
      'tax.go': 'package main\nfunc tax(a int) int {\n}',
      'rates/rates.go': 'package rates\nfunc Of(a int) int {\n}',
      'other/other.go': 'package other\nfunc tax(a int) int {\n}',
    };
    assert.deepEqual(await found(files, 'total'), [
      'total main.go:2',
      'tax tax.go:2',
      'Of rates/rates.go:2',
    ]);
  });

  it('Go: are searched in the workspace only if they may be there', async () => {
    const { services, workspace } = bench();
    const file = `${APP}/main.go`;
    const text =
      'package main\nimport "fmt"\nfunc own() {\n}\nfunc f(a []int) {\n\tfmt.Println(len(a))\n\town()\n}';
    workspace.files.set(file, text);
    let searches = 0;
    const searching = {
      ...services,
      workspace: Object.assign(Object.create(services.workspace), {
        filesWith: () => {
          searches += 1;
          return Promise.resolve([]);
        },
      }) as typeof services.workspace,
    };
    const found = ((await functionsIn(file, text)) ?? []).find(({ name }) => name === 'f');
    assert.ok(found);
    const { functions } = await calleesOf(searching, { path: file, found });
    assert.deepEqual([functions.map(({ name }) => name), searches], [['own'], 0]);
    await calleesOf(searching, {
      path: file,
      found: { ...found, calls: found.calls?.map((call) => ({ ...call, name: 'Other' })) },
    });
    assert.equal(searches, 1);
  });
});
