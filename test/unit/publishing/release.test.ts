import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  bundled,
  changelogProblems,
  contentProblems,
  linkProblems,
  undatedProblems,
  withoutReadmePictures,
  versionProblems,
} from '../../../scripts/publishing/checks';
import { publishingCommands } from '../../../scripts/publishing/commands';
import { readFacts } from '../../../scripts/publishing/facts';
import { noticesOf } from '../../../scripts/publishing/notices';
import {
  bundledFolders,
  productionPackages,
  type ThirdParty,
} from '../../../scripts/publishing/packages';
import { sbomOf } from '../../../scripts/publishing/sbom';
import { fields, listOf } from '../../../src/debugger/protocol';
import { ROOT } from '../support/trace';

const facts = { ...readFacts(ROOT), version: '1.2.3' };

const thirdParty = (name: string, more: Partial<ThirdParty> = {}): ThirdParty => ({
  name,
  version: '1.0.0',
  license: 'MIT',
  folder: `node_modules/${name}`,
  text: 'MIT License',
  integrity: '',
  ...more,
});

/** A source map as webpack writes it, for packages in a folder that is a link. */
const mapOf = (...files: readonly string[]): string =>
  JSON.stringify({
    sources: [
      'webpack://agent-debugger/./src/extension.ts',
      ...files.map((file) => `webpack://agent-debugger/../../main/node_modules/${file}?1a2b`),
    ],
  });

describe('third-party packages', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'packages-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  it('are the packages of the lock file that are not for development, with their licences', () => {
    const folder = path.join(root, 'node_modules', 'used');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'LICENCE.md'), 'Do as you like.\r\n');
    const packages = {
      '': { version: '1.0.0' },
      'node_modules/used': { version: '2.0.0', license: 'MIT', integrity: 'sha512-AAEC' },
      'node_modules/for-tests': { version: '3.0.0', dev: true },
    };
    writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ packages }));
    assert.deepEqual(productionPackages(root), [
      thirdParty('used', {
        version: '2.0.0',
        text: 'Do as you like.',
        integrity: 'sha512-AAEC',
      }),
    ]);
  });

  it('are found in source maps, including nested and scoped packages', () => {
    const map = mapOf('zod/v4/core.js', '@a/b/dist/x.js', 'c/node_modules/@d/e/f.js');
    assert.deepEqual(
      [...bundledFolders(map)],
      ['node_modules/zod', 'node_modules/@a/b', 'node_modules/c/node_modules/@d/e'],
    );
  });

  it('share a notice if their licence text is the same, and have one even without a text', () => {
    const notices = noticesOf([
      thirdParty('a'),
      thirdParty('b'),
      thirdParty('c', { text: '', license: 'ISC' }),
    ]);
    assert.equal(notices.split('MIT License').length, 2);
    for (const head of ['a 1.0.0 (MIT)', 'b 1.0.0 (MIT)', 'c 1.0.0 (ISC)', 'Licence: ISC'])
      assert.ok(notices.includes(head), head);
  });

  it('block the release if one is bundled without a notice', () => {
    const { used, problems } = bundled(
      [mapOf('a/x.js'), mapOf('a/y.js', 'new/z.js')],
      [thirdParty('a'), thirdParty('unused')],
    );
    assert.deepEqual(
      used.map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual(problems, ['node_modules/new is bundled but has no notice.']);
  });

  it('are in the bill of materials, with their checksums', () => {
    const bom = fields(
      JSON.parse(
        sbomOf(facts, [thirdParty('@a/b', { integrity: 'sha512-AAEC' }), thirdParty('c')]),
      ),
    );
    assert.deepEqual([bom['bomFormat'], bom['specVersion']], ['CycloneDX', '1.6']);
    const [first, second] = listOf(bom['components']).map(fields);
    assert.equal(first?.['purl'], 'pkg:npm/%40a/b@1.0.0');
    assert.deepEqual(first['hashes'], [{ alg: 'SHA-512', content: '000102' }]);
    assert.equal(second?.['hashes'], undefined);
  });
});

describe('problems that block a release', () => {
  it('include a changelog without the version', () => {
    assert.deepEqual(changelogProblems('## [1.2.3] - 2026-11-23\n', facts), []);
    assert.deepEqual(changelogProblems('## [1.2.3] - Unreleased\n', facts), []);
    assert.equal(changelogProblems('## [1.2.3]\n', facts).length, 1);
    assert.equal(changelogProblems('## [1.2.30] - 2026-11-23\n', facts).length, 1);
    const ours = readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8');
    assert.deepEqual(changelogProblems(ours, readFacts(ROOT)), [], 'ours');
  });

  it('include a changelog section without a date, and changes without a version', () => {
    const entries = '### Added\n\n- A tool.\n\n';
    const dated = '## [1.2.3] - 2026-11-23\n\n- Another.\n';
    assert.deepEqual(undatedProblems(dated, facts), []);
    assert.deepEqual(undatedProblems(`# Changelog\n\n## [Unreleased]\n\n${dated}`, facts), []);
    assert.deepEqual(undatedProblems('## [1.2.3] - Unreleased\n', facts), [
      'CHANGELOG.md: the section of 1.2.3 has no date.',
    ]);
    for (const changelog of [
      `## [Unreleased]\n\n${entries}${dated}`,
      `${dated}\n## [Unreleased]\n\n${entries}`,
    ])
      assert.deepEqual(undatedProblems(changelog, facts), [
        'CHANGELOG.md: what is under [Unreleased] belongs to 1.2.3, or to no release yet.',
      ]);
  });

  it('include a bundle that is missing from the package, and a source file in it', () => {
    const all = [
      'package.json',
      'readme.md',
      'changelog.md',
      'LICENSE.txt',
      'THIRD-PARTY-NOTICES.txt',
    ];
    const built = ['dist/a.js', 'dist/a.js.map'];
    assert.deepEqual(contentProblems([...all, 'dist/a.js'], built), []);
    assert.deepEqual(contentProblems(all, built), [
      'dist/a.js is not in the package: add it to .vscodeignore.',
    ]);
    for (const file of ['src/x.ts', 'dist/a.js.map', 'node_modules/z/i.js'])
      assert.deepEqual(contentProblems([...all, 'dist/a.js', file], built), [
        `${file} does not belong in the package.`,
      ]);
    assert.deepEqual(contentProblems([...all.slice(0, 4), 'dist/a.js'], built), [
      'THIRD-PARTY-NOTICES.txt is not in the package.',
    ]);
  });

  it('include a link that leads out of the package, or to a heading that is not there', () => {
    const documents = new Map([
      ['readme.md', 'See [one](docs/one.md#a-b), [two](docs/two.md), [web](https://example.com).'],
      ['docs/one.md', '# One\n\n## A, b\n\n[back](../README.md) [here](#one) [nowhere](#c)'],
    ]);
    assert.deepEqual(linkProblems(documents, [...documents.keys()]), [
      'readme.md links to docs/two.md, which is not packaged.',
      'docs/one.md links to #c, which docs/one.md does not have.',
    ]);
  });

  it('do not include README pictures, which are left out of the package', () => {
    const ignore = readFileSync(path.join(ROOT, '.vscodeignore'), 'utf8').split('\n');
    const kept = withoutReadmePictures(ignore.join('\n')).split('\n');
    assert.deepEqual(
      ignore.filter((line) => !kept.includes(line)),
      ['!docs/images/*.png'],
    );
  });

  it('include different versions', () => {
    assert.deepEqual(versionProblems({ one: '1.2.3', two: '1.2.3' }, facts), []);
    assert.deepEqual(versionProblems({ one: '1.2.3', two: undefined }, facts), [
      'two has version undefined instead of 1.2.3.',
    ]);
  });
});

describe('the commands that publish', () => {
  it('publish a release', () => {
    assert.deepEqual(publishingCommands({ ...facts, version: '1.2.3' }), [
      'npx vsce publish --packagePath dist-release/agent-debugger-1.2.3.vsix',
      'npx ovsx publish dist-release/agent-debugger-1.2.3.vsix',
      'npm publish ./dist-bridge --access public',
      'mcp-publisher publish dist-bridge/server.json',
    ]);
  });

  it('publish a prerelease only for those who opt in', () => {
    const [toMarketplace, , toNpm] = publishingCommands({ ...facts, version: '1.3.0' });
    assert.match(toMarketplace ?? '', /vsce publish --pre-release /);
    assert.match(toNpm ?? '', / --tag next$/);
  });
});
