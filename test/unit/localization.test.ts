import { strict as assert } from 'node:assert';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { isFields } from '../../src/debugger/protocol';
import { ROOT } from './support/trace';

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

function strings(file: string): ReadonlyMap<string, string> {
  const value: unknown = JSON.parse(read(file));
  assert.ok(isFields(value), file);
  return new Map(
    Object.entries(value).map(([key, each]) => {
      assert.ok(typeof each === 'string', `${file}: ${key}`);
      return [key, each];
    }),
  );
}

/** The keys of `wanted` that `from` lacks. */
function missing(
  from: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): string[] {
  return [...expected.keys()].filter((key) => !from.has(key));
}

function placeholders(text: string): string[] {
  return [...new Set(text.match(/\{\d+\}/g) ?? [])].sort();
}

const CHINESE = /\p{Script=Han}/u;

/** The name of the product is the same in every language. */
function isName(text: string): boolean {
  return text === 'Agent Debugger';
}

describe('the manifest’s strings', () => {
  const english = strings('package.nls.json');
  const chinese = strings('package.nls.zh-cn.json');
  const used = new Set(
    [...read('package.json').matchAll(/%([\w.]+)%/g)].map((match) => match[1] ?? ''),
  );

  it('all exist in English', () => {
    assert.ok(used.size > 0);
    assert.deepEqual(
      [...used].filter((key) => !english.has(key)),
      [],
    );
  });

  it('are all used', () => {
    assert.deepEqual(
      [...english.keys()].filter((key) => !used.has(key)),
      [],
    );
  });

  it('all exist in Chinese, with no others', () => {
    assert.deepEqual(missing(chinese, english), []);
    assert.deepEqual(missing(english, chinese), []);
  });

  it('are really in Chinese', () => {
    assert.deepEqual(
      [...chinese].filter(([, text]) => !CHINESE.test(text) && !isName(text)).map(([key]) => key),
      [],
    );
  });

  it('are not empty', () => {
    assert.deepEqual(
      [...english, ...chinese].filter(([, text]) => text.trim() === ''),
      [],
    );
  });
});

describe('the strings of the source files', () => {
  const english = strings('l10n/bundle.l10n.json');
  const chinese = strings('l10n/bundle.l10n.zh-cn.json');

  it('all exist in Chinese, with no others', () => {
    assert.deepEqual(missing(chinese, english), []);
    assert.deepEqual(missing(english, chinese), []);
  });

  it('have the same placeholders in Chinese', () => {
    for (const [key, text] of chinese)
      assert.deepEqual(placeholders(text), placeholders(english.get(key) ?? key), key);
  });

  it('are really in Chinese', () => {
    const hasWords = (text: string): boolean => /\p{L}/u.test(text.replace(/\{\d+\}/g, ''));
    assert.deepEqual(
      [...chinese]
        .filter(([key]) => hasWords(key))
        .filter(
          ([key, text]) => text === english.get(key) || (!CHINESE.test(text) && !isName(text)),
        )
        .map(([key]) => key),
      [],
    );
  });

  it('are passed to l10n.t as literals, so that they can be found', () => {
    const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file),
    );
    const calls: string[] = [];
    const wrong: string[] = [];
    for (const file of files) {
      const source = ts.createSourceFile(
        file,
        read(path.join('src', file)),
        ts.ScriptTarget.ES2022,
        true,
      );
      const readRequest = (node: ts.Node): void => {
        if (ts.isCallExpression(node) && /(^|\.)l10n\.t$/.test(node.expression.getText(source))) {
          const [first] = node.arguments;
          const where = `${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
          if (first !== undefined && ts.isStringLiteralLike(first)) calls.push(first.text);
          else wrong.push(where);
        }
        ts.forEachChild(node, readRequest);
      };
      readRequest(source);
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual(
      [...new Set(calls)].filter((text) => !english.has(text)),
      [],
      'all of them are in the bundle',
    );
    assert.deepEqual(
      [...english.keys()].filter((text) => !calls.includes(text)),
      [],
      'the bundle holds no others',
    );
  });

  it('number their placeholders from 0 without gaps', () => {
    for (const text of english.keys()) {
      const numbers = placeholders(text).map((each) => Number(each.slice(1, -1)));
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => index),
        `${text}: places are numbered from 0 without gaps`,
      );
    }
  });
});
