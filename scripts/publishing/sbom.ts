import type { Facts } from './facts';
import type { ThirdParty } from './packages';

/** A software bill of materials (CycloneDX 1.6) of the packages that are bundled. */
export function sbomOf(facts: Facts, packages: readonly ThirdParty[]): string {
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `${facts.name}@${facts.version}`,
        name: facts.name,
        version: facts.version,
        licenses: [{ license: { id: facts.license } }],
      },
    },
    components: packages.map((dependency) => ({
      type: 'library',
      'bom-ref': `${dependency.folder}@${dependency.version}`,
      name: dependency.name,
      version: dependency.version,
      purl: `pkg:npm/${dependency.name.replace('@', '%40')}@${dependency.version}`,
      licenses: [{ expression: dependency.license }],
      ...hashesOf(dependency.integrity),
    })),
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

function hashesOf(integrity: string): object {
  const [, bits, base64 = ''] = /^sha(256|384|512)-(\S+)$/.exec(integrity) ?? [];
  if (bits === undefined) return {};
  return {
    hashes: [{ alg: `SHA-${bits}`, content: Buffer.from(base64, 'base64').toString('hex') }],
  };
}
