import path from 'node:path';
import type { Facts } from './facts';
import { bundledFolders, type ThirdParty } from './packages';

/** Problems that block a release, one line each. */
export type Problems = readonly string[];

/** The changelog must have a section for this version. */
export function changelogProblems(changelog: string, { version }: Facts): Problems {
  const heading = changelog.split('\n').find((line) => line.startsWith(`## [${version}]`));
  if (heading === undefined) return [`CHANGELOG.md has no section for ${version}.`];
  return /^## \[\S+\] - (\d{4}-\d\d-\d\d|Unreleased)$/.test(heading)
    ? []
    : [`CHANGELOG.md: “${heading}” has no date.`];
}

/** A release needs a date, and no changes may be left under [Unreleased]. A dry run does not require it. */
export function undatedProblems(changelog: string, { version }: Facts): Problems {
  const isUndated = changelog.includes(`## [${version}] - Unreleased`);
  const [, waiting = ''] =
    /^## \[Unreleased\][^\n]*\n(.*?)(?=^## |(?![^]))/ims.exec(changelog) ?? [];
  return [
    ...(isUndated ? [`CHANGELOG.md: the section of ${version} has no date.`] : []),
    ...(/^[-*] /m.test(waiting)
      ? [`CHANGELOG.md: what is under [Unreleased] belongs to ${version}, or to no release yet.`]
      : []),
  ];
}

/** The package must contain all bundles and no sources. Its files have the names that vsce gives them. */
export function contentProblems(packaged: readonly string[], built: readonly string[]): Problems {
  const all = new Set(packaged);
  const absent = built.filter((file) => /\.(?:js|wasm)$/.test(file) && !all.has(file));
  const needed = [
    'package.json',
    'readme.md',
    'changelog.md',
    'LICENSE.txt',
    'THIRD-PARTY-NOTICES.txt',
  ];
  return [
    ...absent.map((file) => `${file} is not in the package: add it to .vscodeignore.`),
    ...needed.filter((file) => !all.has(file)).map((file) => `${file} is not in the package.`),
    ...packaged
      .filter((file) => /^(src|test|scripts|out|node_modules|\.vscode-test)\/|\.map$/.test(file))
      .map((file) => `${file} does not belong in the package.`),
  ];
}

/** Links between the packaged documents that lead nowhere. Keys are the names in the package, as vsce gives them. */
export function linkProblems(
  documents: ReadonlyMap<string, string>,
  packaged: readonly string[],
): Problems {
  const names = new Set(packaged.map((name) => name.toLowerCase()));
  return [...documents].flatMap(([file, text]) =>
    [...text.matchAll(/\]\((?!https?:|command:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap((link) => {
      const [, to = '', anchor] = link;
      const target = to === '' ? file : path.posix.join(path.posix.dirname(file), to);
      if (!names.has(target.toLowerCase()))
        return [`${file} links to ${to}, which is not packaged.`];
      const there = documents.get(target) ?? documents.get(target.toLowerCase());
      return anchor === undefined || there === undefined || anchorsOf(there).has(anchor)
        ? []
        : [`${file} links to #${anchor}, which ${target} does not have.`];
    }),
  );
}

/** The anchors of a document's headings, as GitHub and VS Code make them. */
function anchorsOf(document: string): ReadonlySet<string> {
  const headings = [...document.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  );
}

/** Leaves the READMEs' pictures out of the package, a fifth of it, if they are shown from an address. */
export function withoutReadmePictures(ignore: string): string {
  return ignore.replace(/^!docs\/images\/.*\n/m, '');
}

/** @returns the packages that are bundled, and a problem for each bundled folder without a notice */
export function bundled(
  maps: readonly string[],
  packages: readonly ThirdParty[],
): { readonly used: readonly ThirdParty[]; readonly problems: Problems } {
  const folders = new Set(maps.flatMap((map) => [...bundledFolders(map)]));
  const withNotice = new Set(packages.map(({ folder }) => folder));
  return {
    used: packages.filter(({ folder }) => folders.has(folder)),
    problems: [...folders]
      .filter((folder) => !withNotice.has(folder))
      .map((folder) => `${folder} is bundled but has no notice.`),
  };
}

/** All products of a release must have the same version. */
export function versionProblems(
  versions: Readonly<Record<string, unknown>>,
  { version }: Facts,
): Problems {
  return Object.entries(versions)
    .filter(([, found]) => found !== version)
    .map(([name, found]) => `${name} has version ${String(found)} instead of ${version}.`);
}
