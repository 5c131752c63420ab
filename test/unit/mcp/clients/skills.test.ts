import { strict as assert } from 'node:assert';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ClientMachine } from '../../../../src/mcp/clients/client';
import { undoWrite, writeSettings, type Undo } from '../../../../src/mcp/clients/configurationFile';
import { UnusableSettings } from '../../../../src/mcp/clients/entryFormat';
import { Installed } from '../../../../src/mcp/clients/installed';
import {
  planSkill,
  planSkillRemoval,
  readersTwice,
  SKILL_NAME,
  skillPlacesOf,
  skillStateOf,
  skillText,
  type SkillPlace,
} from '../../../../src/mcp/clients/skills';
import { ROOT } from '../../support/trace';

const SOURCE = readFileSync(path.join(ROOT, 'skills', SKILL_NAME, 'SKILL.md'), 'utf8');
const TEXT = skillText(SOURCE, '1.2.3');
const FOREIGN = `---\nname: ${SKILL_NAME}\ndescription: mine\n---\n\nmine\n`;

describe('the skill in the folders of agents', () => {
  let root: string;
  let places: readonly SkillPlace[];
  let installed: Installed;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'skills-')));
    mkdirSync(path.join(root, 'project'));
    const machine: ClientMachine = {
      platform: 'linux',
      home: path.join(root, 'home'),
      env: {},
      extensionsStorage: '',
      names: () => [],
    };
    mkdirSync(machine.home);
    places = skillPlacesOf(machine, [path.join(root, 'project')]);
    let kept: string | undefined;
    installed = new Installed({
      read: async () => kept,
      write: async (text) => void (kept = text),
    });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const placeOf = (name: string): SkillPlace =>
    places.find((each) => each.name === name) ?? assert.fail(name);

  async function put(place: SkillPlace, text = TEXT): Promise<Undo> {
    const change = (await planSkill(place, text)) ?? assert.fail('nothing to write');
    const undo = await writeSettings(change.before, change.after, change);
    await installed.add(undo);
    return undo;
  }

  async function remove(place: SkillPlace): Promise<void> {
    const removal = (await planSkillRemoval(place, installed)) ?? assert.fail('nothing to remove');
    assert.equal(await undoWrite(removal.undo ?? assert.fail('no undo')), true);
  }

  it('has a place in each folder that agents read', () => {
    assert.deepEqual(
      places.map(({ level, file }) => [level, path.relative(root, path.resolve(file, '../..'))]),
      [
        ['user', 'home/.agents/skills'],
        ['user', 'home/.copilot/skills'],
        ['user', 'home/.claude/skills'],
        ['workspace', 'project/.agents/skills'],
        ['workspace', 'project/.github/skills'],
      ],
    );
    for (const { file } of places)
      assert.ok(file.endsWith(path.join('debug-instead-of-guessing', 'SKILL.md')));
  });

  it('has places that follow environment variables, with the agents that read them', () => {
    const machine: ClientMachine = {
      platform: 'linux',
      home: '/home/someone',
      env: { COPILOT_HOME: '/co-cli', CLAUDE_CONFIG_DIR: '/cc' },
      extensionsStorage: '',
      names: () => [],
    };
    assert.deepEqual(
      skillPlacesOf(machine, []).map(({ name, readers, file }) => [name, readers.length, file]),
      [
        ['~/.agents/skills', 6, `/home/someone/.agents/skills/${SKILL_NAME}/SKILL.md`],
        ['/co-cli/skills', 1, `/co-cli/skills/${SKILL_NAME}/SKILL.md`],
        ['/cc/skills', 1, `/cc/skills/${SKILL_NAME}/SKILL.md`],
      ],
    );
    const usual = {
      ...machine,
      env: { COPILOT_HOME: ' ', CLAUDE_CONFIG_DIR: '/home/someone/.claude' },
    };
    assert.deepEqual(
      skillPlacesOf(usual, []).map(({ name, readers }) => [name, readers.length]),
      [
        ['~/.agents/skills', 6],
        ['~/.copilot/skills', 2],
        ['~/.claude/skills', 2],
      ],
    );
  });

  it('is the skill itself, with its source and its version in the header', () => {
    assert.match(
      TEXT,
      /^---\nname: debug-instead-of-guessing\ndescription: ".+"\nmetadata:\n {2}source: agent-debugger\n {2}version: "1\.2\.3"\n---\n/,
    );
    assert.equal(TEXT.replace(/metadata:\n(?: {2}.*\n)+/, ''), SOURCE);
  });

  it('is written to each place, found there, and undone with all created folders', async () => {
    for (const place of places) {
      assert.equal(await skillStateOf(place, TEXT), 'none');
      const undo = await put(place);
      assert.equal(readFileSync(place.file, 'utf8'), TEXT);
      assert.equal(await skillStateOf(place, TEXT), 'current');
      assert.equal(await planSkill(place, TEXT), undefined, 'twice changes nothing');
      assert.equal(await undoWrite(undo), true);
    }
    assert.deepEqual(readdirSync(path.join(root, 'home')), []);
    assert.deepEqual(readdirSync(path.join(root, 'project')), []);
  });

  it('is recognized in an older version, updated, and removed with the folders that were created for it', async () => {
    const place = placeOf('~/.agents/skills');
    await put(place, skillText('---\nname: x\n---\nold\n', '0.1.0'));
    assert.equal(await skillStateOf(place, TEXT), 'other');
    await put(place);
    assert.equal(await skillStateOf(place, TEXT), 'current');
    await remove(place);
    assert.deepEqual(readdirSync(path.join(root, 'home')), []);
    assert.equal(await planSkillRemoval(place, installed), undefined);
  });

  it('is removed without other skills next to it or their folder', async () => {
    const place = placeOf('~/.claude/skills');
    const other = path.join(path.resolve(place.file, '../..'), 'other', 'SKILL.md');
    mkdirSync(path.dirname(other), { recursive: true });
    writeFileSync(other, FOREIGN);
    await put(place);
    await remove(place);
    assert.equal(readFileSync(other, 'utf8'), FOREIGN);
    assert.equal(existsSync(path.dirname(place.file)), false);
  });

  it('does not replace or remove another author’s skill with the same name', async () => {
    const place = placeOf('.github/skills');
    mkdirSync(path.dirname(place.file), { recursive: true });
    writeFileSync(place.file, FOREIGN);
    assert.equal(await skillStateOf(place, TEXT), 'foreign');
    await assert.rejects(planSkill(place, TEXT), UnusableSettings);
    await assert.rejects(planSkillRemoval(place, installed), UnusableSettings);
    assert.equal(readFileSync(place.file, 'utf8'), FOREIGN);
  });

  it('is not undone after the person has changed it', async () => {
    const place = placeOf('~/.agents/skills');
    const undo = await put(place);
    writeFileSync(place.file, `${TEXT}\nmine\n`);
    assert.equal(await undoWrite(undo), false);
    assert.equal(readFileSync(place.file, 'utf8'), `${TEXT}\nmine\n`);
  });

  it('is not written through a project folder that is a link to another place', async () => {
    const place = placeOf('.agents/skills');
    const outside = path.join(root, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, path.join(root, 'project', '.agents'));
    await assert.rejects(planSkill(place, TEXT), UnusableSettings);
    assert.equal(await skillStateOf(place, TEXT), 'unusable');
    assert.deepEqual(readdirSync(outside), []);
  });

  it('is written through a link in the home folder, and the link is kept', async () => {
    const place = placeOf('~/.claude/skills');
    const dotfiles = path.join(root, 'dotfiles');
    mkdirSync(path.join(dotfiles, 'skills'), { recursive: true });
    symlinkSync(dotfiles, path.join(root, 'home', '.claude'));
    await put(place);
    assert.equal(readFileSync(path.join(dotfiles, 'skills', SKILL_NAME, 'SKILL.md'), 'utf8'), TEXT);
    await remove(place);
    assert.deepEqual(readdirSync(path.join(dotfiles, 'skills')), []);
  });

  it('leaves nothing behind if it cannot be written', async () => {
    // If a file has the name of the folder, nobody can create the folder, not even root.
    const place = placeOf('~/.copilot/skills');
    writeFileSync(path.join(root, 'home', '.copilot'), 'a file');
    assert.equal(await skillStateOf(place, TEXT), 'unusable');
    await assert.rejects(put(place));
    assert.deepEqual(readdirSync(path.join(root, 'home')), ['.copilot']);
    if (process.getuid?.() === 0) return;
    chmodSync(path.join(root, 'home'), 0o500);
    await assert.rejects(put(placeOf('~/.agents/skills')));
    chmodSync(path.join(root, 'home'), 0o700);
    assert.deepEqual(readdirSync(path.join(root, 'home')), ['.copilot']);
  });

  it('lists the agents that would have it twice', () => {
    const [agents, copilot, claude] = ['.agents', '.copilot', '.claude'].map((name) =>
      placeOf(`~/${name}/skills`),
    );
    assert.ok(agents && copilot && claude);
    assert.deepEqual(readersTwice(copilot, [agents, copilot]), ['Copilot CLI', 'VS Code']);
    assert.deepEqual(readersTwice(claude, [copilot]), []);
    assert.deepEqual(readersTwice(agents, [agents]), []);
  });
});
