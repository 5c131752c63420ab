import type { ThirdParty } from './packages';

/** The file with the licences of everything that may be bundled. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

const RULE = '-'.repeat(80);

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
  return `Agent Debugger contains code of these packages. Written by “npm run generate”: do not edit.\n\n${sections.join('\n')}`;
}
