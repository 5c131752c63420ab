import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import * as ts from 'typescript';

/** A regular expression of our own code. */
export interface FoundPattern {
  /** File and line. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
  /** Whether it is the argument of `shortPattern` (src/util/shortPattern.ts), which bounds the text. */
  readonly short: boolean;
}

const ROOT = path.resolve(__dirname, '../../../..');
const FOLDERS = ['src', 'reporters/javascript'];

/** The regular expressions of all sources, found in their syntax trees. @throws Error for one that is no constant */
export function foundPatterns(): readonly FoundPattern[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:tsx?|[cm]?js)$/.test(file))
      .flatMap((file) =>
        patternsIn(path.join(folder, file), readFileSync(path.join(ROOT, folder, file), 'utf8')),
      ),
  );
}

/** The regular expressions of one file. */
export function patternsIn(file: string, text: string): readonly FoundPattern[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: FoundPattern[] = [];
  const visit = (node: ts.Node): void => {
    const pattern = patternAt(node, tree);
    if (pattern !== undefined) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ place: `${file}:${line}`, ...pattern, short: isShort(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function patternAt(
  node: ts.Node,
  tree: ts.SourceFile,
): Pick<FoundPattern, 'source' | 'flags'> | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  if (!ts.isIdentifier(node.expression) || node.expression.text !== 'RegExp') return undefined;
  const [source, flags] = node.arguments ?? [];
  return {
    source: source === undefined ? '' : constant(source, tree),
    flags: flags === undefined ? '' : constant(flags, tree),
  };
}

/** The value of a constant text. @throws Error for anything else */
function constant(node: ts.Expression, tree: ts.SourceFile): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') {
    const pattern = patternAt(declared(node.expression, tree), tree);
    if (pattern !== undefined) return pattern.source;
  }
  if (ts.isIdentifier(node)) return constant(declared(node, tree), tree);
  if (ts.isTemplateExpression(node)) return templateText(node, tree, false);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return constant(node.left, tree) + constant(node.right, tree);
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw') {
    if (ts.isTemplateExpression(node.template)) return templateText(node.template, tree, true);
    return node.template.rawText ?? node.template.text;
  }
  throw new Error(`${tree.fileName}: the text of a pattern is no constant: ${node.getText()}`);
}

function templateText(template: ts.TemplateExpression, tree: ts.SourceFile, raw: boolean): string {
  const textOf = (part: ts.TemplateLiteralLikeNode): string =>
    raw ? (part.rawText ?? part.text) : part.text;
  return template.templateSpans.reduce(
    (text, span) => text + constant(span.expression, tree) + textOf(span.literal),
    textOf(template.head),
  );
}

/** The value of a `const` of the file. */
function declared(name: ts.Expression, tree: ts.SourceFile): ts.Expression {
  for (const statement of tree.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const each of statement.declarationList.declarations)
      if (each.name.getText() === name.getText() && each.initializer !== undefined)
        return each.initializer;
  }
  throw new Error(`${tree.fileName}: no constant ${name.getText()}`);
}

function isShort(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node.parent) &&
    node.parent.expression.getText() === 'shortPattern' &&
    node.parent.arguments[0] === node
  );
}
