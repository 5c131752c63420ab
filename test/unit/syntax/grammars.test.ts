import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { syntaxFunctions } from '../../../src/syntax/functions';
import { loadGrammar, foundIn, type Grammar } from '../../../src/syntax/grammars';
import { CPP } from '../../../src/syntax/languages/cpp';
import { CSHARP } from '../../../src/syntax/languages/csharp';
import { GO } from '../../../src/syntax/languages/go';
import { JAVA } from '../../../src/syntax/languages/java';
import { PHP } from '../../../src/syntax/languages/php';
import { RUBY } from '../../../src/syntax/languages/ruby';
import { RUST } from '../../../src/syntax/languages/rust';
import { MAX_SCANNED } from '../../../src/util/projectText';
import { ROOT } from '../support/trace';

const ALL = [CPP, CSHARP, GO, JAVA, PHP, RUBY, RUST];

describe('grammars', () => {
  for (const grammar of ALL)
    it(`${grammar.file}: loads once, finds what its query says, and is in the package`, async () => {
      const loading = loadGrammar(grammar);
      assert.equal(loadGrammar(grammar), loading);
      const loaded = await loading;
      assert.ok(loaded, 'it is loaded');
      assert.equal(
        foundIn(loaded, 'x', (matches) => matches.length),
        0,
      );
      const listed = /const GRAMMARS = \[[^;]*\];/.exec(
        readFileSync(path.join(ROOT, 'webpack.config.js'), 'utf8'),
      );
      assert.ok(listed?.[0].includes(`'${grammar.file}'`), 'webpack copies it');
    });

  it('a grammar that cannot be loaded gives no functions, and no error', async () => {
    const wrong: Grammar = { ...GO, query: '(no_such_node) @function' };
    assert.equal(await loadGrammar(wrong), undefined);
    assert.equal(await syntaxFunctions({ ...GO, query: wrong.query }, 'package a'), undefined);
  });

  it('a text that takes too long is given up, once, and later texts are parsed', async () => {
    // The time for such a text grows with its square.
    const text = '(('.repeat(MAX_SCANNED / 2);
    assert.equal(await syntaxFunctions(RUST, text), undefined);
    const begin = process.cpuUsage();
    for (let times = 0; times < 20; times += 1)
      assert.equal(await syntaxFunctions(RUST, text), undefined);
    const { user, system } = process.cpuUsage(begin);
    assert.ok((user + system) / 1000 < 20_000, 'it is not parsed again');
    const after = await syntaxFunctions(RUST, 'fn f() {}');
    assert.deepEqual(
      after?.functions.map(({ name }) => name),
      ['f'],
    );
  });
});
