import type { ThirdParty } from './packages';

/** The file with the licences of everything that may be bundled. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

const RULE = '-'.repeat(80);

const GRAMMARS = '@vscode/tree-sitter-wasm';

/** What this package contains besides Microsoft's own code. Its package names only the first one. */
const TREE_SITTER = [
  ['tree-sitter', 'Copyright (c) 2018 Max Brunsfeld'],
  [
    'tree-sitter-c-sharp',
    'Copyright (c) 2014-2023 Max Brunsfeld, Damien Guard, Amaan Qureshi, and contributors',
  ],
  ['tree-sitter-cpp', 'Copyright (c) 2014 Max Brunsfeld'],
  ['tree-sitter-go', 'Copyright (c) 2014 Max Brunsfeld'],
  ['tree-sitter-java', 'Copyright (c) 2017 Ayman Nadeem'],
  [
    'tree-sitter-php',
    'Copyright (c) 2017 Josh Vera, GitHub; Copyright (c) 2019 Max Brunsfeld, Amaan Qureshi, Christian Frøystad, Caleb White',
  ],
  ['tree-sitter-ruby', 'Copyright (c) 2016 Rob Rix'],
  ['tree-sitter-rust', 'Copyright (c) 2017 Maxim Sokolov'],
] as const;

const MIT = `MIT License

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

/** The section for the runtime and the grammars in `dist`. */
function grammarSection(): string {
  const heads = TREE_SITTER.map(([name, copyright]) => `${name} (MIT), ${copyright}`);
  return [RULE, ...heads, '', MIT, ''].join('\n');
}

/** One section for each licence text, with all packages that have it. */
export function noticesOf(packages: readonly ThirdParty[]): string {
  const texts = new Map<string, ThirdParty[]>();
  for (const dependency of packages) {
    const text = dependency.text === '' ? `Licence: ${dependency.license}` : dependency.text;
    texts.set(text, [...(texts.get(text) ?? []), dependency]);
  }
  const sections = [...texts].map(([text, group]) => {
    const heads = group.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return [RULE, ...new Set(heads), '', text, ''].join('\n');
  });
  const hasGrammars = packages.some(({ name }) => name === GRAMMARS);
  const grammars = hasGrammars ? [grammarSection()] : [];
  return `Agent Debugger contains code of these packages. Written by “npm run generate”: do not edit.\n\n${[...sections, ...grammars].join('\n')}`;
}
