import { strict as assert } from 'node:assert';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import * as ts from 'typescript';

const src = path.resolve(__dirname, '../../../src');

/** The files of `src` that each file imports at run time. Type-only imports are left out. */
function imports(): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  return new Map(
    files.map((file) => {
      const source = ts.createSourceFile(
        file,
        readFileSync(path.join(src, file), 'utf8'),
        ts.ScriptTarget.ES2022,
      );
      const named = source.statements.flatMap((each) => {
        if (
          !(ts.isImportDeclaration(each) || ts.isExportDeclaration(each)) ||
          each.moduleSpecifier === undefined ||
          !ts.isStringLiteral(each.moduleSpecifier)
        )
          return [];
        if (
          ts.isImportDeclaration(each) &&
          each.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
        )
          return [];
        return each.moduleSpecifier.text.startsWith('.') ? [each.moduleSpecifier.text] : [];
      });
      return [
        file,
        named.map(
          (each) =>
            files.find(
              (other) => other.replace(/\.tsx?$/, '') === path.join(path.dirname(file), each),
            ) ?? assert.fail(`${file}: ${each}`),
        ),
      ];
    }),
  );
}

describe('imports', () => {
  it('form no cycle', () => {
    const graph = imports();
    assert.ok(graph.size > 20);
    const done = new Set<string>();
    const visit = (file: string, way: readonly string[]): void => {
      assert.ok(
        !way.includes(file),
        `cycle: ${[...way.slice(way.indexOf(file)), file].join(' → ')}`,
      );
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
      done.add(file);
    };
    for (const file of graph.keys()) visit(file, []);
  });
});
