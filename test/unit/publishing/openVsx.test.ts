import { strict as assert } from 'node:assert';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { openVsxProblems } from '../../../scripts/publishing/openVsx';
import { skip } from '../../support/skip';
import { ROOT } from '../support/trace';

const tool = path.join(ROOT, 'node_modules', 'ovsx', 'bin', 'ovsx');

describe('the package, published with the Open VSX tool', function () {
  this.timeout(60_000);
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'open-vsx-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const manifest = {
    publisher: 'someone',
    name: 'agent-debugger',
    version: '1.2.3',
    license: 'MIT',
    engines: { vscode: '^1.103.0' },
  };

  async function problemsOf(content: object): Promise<string> {
    const vsix = path.join(folder, 'some.vsix');
    const entries = { 'extension/package.json': strToU8(JSON.stringify(content)) };
    writeFileSync(vsix, zipSync(entries));
    return (await openVsxProblems(tool, vsix)).join('\n');
  }

  it('is accepted', async function () {
    if (!existsSync(tool)) skip(this, 'ovsx is not installed: npm ci');
    assert.equal(await problemsOf(manifest), '');
  });

  it('is refused without a licence, and the reason is reported', async function () {
    if (!existsSync(tool)) skip(this, 'ovsx is not installed: npm ci');
    assert.match(await problemsOf({ ...manifest, license: '' }), /ended with 1: [^]*license/);
  });
});
