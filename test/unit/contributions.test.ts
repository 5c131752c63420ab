import { strict as assert } from 'node:assert';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { fields, listOf, textOf, type Fields } from '../../src/debugger/protocol';
import { ALL_TOOLS, TOOLS } from '../../src/tools/catalog';
import { ROOT } from './support/trace';

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

const manifest: Fields = fields(JSON.parse(read('package.json')));
const contributes = fields(manifest['contributes']);

function contributed(point: string): readonly Fields[] {
  return listOf(contributes[point]).map(fields);
}

function text(value: unknown): string {
  return textOf(value) ?? assert.fail(`no text: ${JSON.stringify(value)}`);
}

/** The header of a skill or a prompt, and the body after it. */
function parts(file: string): {
  readonly header: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(read(file));
  assert.ok(match, `${file} has a header`);
  const lines = (match[1] ?? '')
    .split('\n')
    .map((line) => /^([a-z-]+): (.*)$/.exec(line) ?? assert.fail(`${file}: ${line}`));
  return {
    header: Object.fromEntries(
      lines.map((each): [string, string] => [
        each[1] ?? '',
        (each[2] ?? '').replace(/^"(.*)"$/, '$1'),
      ]),
    ),
    body: match[2] ?? '',
  };
}

/** The tool names that a text mentions. */
function toolNames(answerText: string): readonly string[] {
  return [
    ...answerText.matchAll(
      /\b(?:get|set|start|stop|step|continue|pause|wait|remove|restart|evaluate|collect|trace|debug|capture|analyze|verify|end)_[a-z_]+\b/g,
    ),
  ].map((match) => match[0]);
}

const NAMES: ReadonlySet<string> = new Set(TOOLS.map((tool) => tool.name));
/** Includes the tools of the sets that are off by default. */
const ALL_NAMES: ReadonlySet<string> = new Set(ALL_TOOLS.map((tool) => tool.name));
const skills = contributed('chatSkills').map((each) => text(each['path']));
const agents = contributed('chatAgents').map((each) => text(each['path']));
const prompts = contributed('chatPromptFiles').map((each) => text(each['path']));

describe('the manifest', () => {
  it('requests no proposed API; an extension from the Marketplace may not use one', () =>
    assert.deepEqual(manifest['enabledApiProposals'], undefined));
});

describe('skills and prompts', () => {
  it('are one skill and two prompts', () =>
    assert.deepEqual([skills.length, prompts.length], [1, 2]));

  for (const file of skills) {
    const { header, body } = parts(file);
    it(`${file}: has the name of its folder, and a description within VS Code’s limits that states when to use it`, () => {
      assert.equal(header['name'], path.basename(path.dirname(file)));
      assert.match(header['name'] ?? '', /^[a-z][a-z-]{0,63}$/);
      const description = header['description'] ?? '';
      assert.ok(
        description.length > 100 && description.length <= 1024 && !/[<>]/.test(description),
        description,
      );
      assert.match(description, /Use it for/);
    });

    it(`${file}: is short, names every tool of the default sets, and names no unknown tool`, () => {
      assert.ok(body.length < 5000, `${body.length}`);
      const named = new Set(toolNames(`${header['description'] ?? ''}\n${body}`));
      assert.deepEqual(
        [...named].filter((name) => !NAMES.has(name)),
        [],
      );
      assert.deepEqual(
        [...NAMES].filter((name) => !named.has(name)),
        [],
      );
    });
  }

  for (const file of prompts) {
    it(`${file}: is for agent mode, and names only existing tools`, () => {
      const { header, body } = parts(file);
      const contribution = contributed('chatPromptFiles').find((each) => each['path'] === file);
      const description = /^%(.+)%$/.exec(text(contribution?.['description']))?.[1] ?? '';
      assert.deepEqual(
        header,
        {
          agent: 'agent',
          name: contribution?.['name'],
          description: fields(JSON.parse(read('package.nls.json')))[description],
        },
        'the Agent Host reads them from the file alone',
      );
      const named = toolNames(body);
      assert.ok(named.length >= 5);
      assert.deepEqual(
        named.filter((name) => !ALL_NAMES.has(name)),
        [],
      );
    });
  }
});

describe('the agent', () => {
  it('is the only one, and has the name of its file', () => {
    assert.deepEqual(agents, ['./agents/debugger.agent.md']);
    assert.match(read(agents[0] ?? ''), /^---\nname: debugger\ndescription: ".{100,1000}"\n/);
  });

  it('lists exactly our tools, and names only listed tools', () => {
    const [, header = '', body = ''] = read(agents[0] ?? '').split(/^---$/m);
    const listed = (/^tools:\n((?: {2}- .+\n)+)$/m.exec(header)?.[1] ?? '')
      .trim()
      .split('\n')
      .map((line) => line.replace(/^ *- /, ''));
    assert.deepEqual(
      listed,
      ALL_TOOLS.map(({ name }) => name),
    );
    const named = toolNames(body);
    assert.ok(named.length >= 8);
    assert.deepEqual(
      named.filter((name) => !listed.includes(name)),
      [],
    );
  });

  it('ends with a short report', () => {
    for (const part of ['Cause', 'Evidence', 'Smallest fix'])
      assert.ok(read(agents[0] ?? '').includes(`**${part}**`), part);
  });
});

describe('the walkthrough', () => {
  const [walkthrough] = contributed('walkthroughs');
  const steps = listOf(walkthrough?.['steps']).map(fields);
  const strings = ['package.nls.json', 'package.nls.zh-cn.json'].map((file) =>
    fields(JSON.parse(read(file))),
  );
  const linksOf = (answerText: string): string[] =>
    [...answerText.matchAll(/\]\((command:[^)]+)\)/g)].map((match) => match[1] ?? '').sort();
  const commands = new Set(contributed('commands').map((each) => text(each['command'])));

  it('has four steps', () => assert.equal(steps.length, 4));

  for (const step of steps) {
    const key = text(step['description']).slice(1, -1);
    it(`${key}: has the same buttons in both languages, each for an existing command`, () => {
      const [english, chinese] = strings.map((each) => linksOf(text(each[key])));
      assert.ok(english !== undefined && english.length > 0);
      assert.deepEqual(chinese, english);
      for (const link of english) {
        const command = /^command:([\w.]+)/.exec(link)?.[1] ?? '';
        assert.ok(commands.has(command) || command.startsWith('workbench.'), command);
      }
    });

    it(`${key}: has a page in both languages, with a picture that has a description`, () => {
      const english = text(fields(step['media'])['markdown']);
      const chinese = english.replace(/\.md$/, '.nls.zh-cn.md');
      const pictures = [english, chinese].map((file) => {
        const match = /^!\[([^\]]+)\]\(([^)]+)\)\n/.exec(read(file));
        assert.ok(match, file);
        assert.ok((match[1] ?? '').length > 10, 'a description');
        assert.ok(existsSync(path.join(ROOT, path.dirname(file), match[2] ?? '')), match[2]);
        return match;
      });
      // If a Chinese version of the picture exists, the Chinese page shows it.
      const [inEnglish, inChinese] = pictures.map((each) => each[2] ?? '');
      const hasWords = existsSync(
        path.join(ROOT, 'media/walkthrough', inEnglish?.replace(/\.png$/, '.zh-cn.png') ?? ''),
      );
      const expected = hasWords ? inEnglish?.replace(/\.png$/, '.zh-cn.png') : inEnglish;
      assert.equal(inChinese, expected);
      assert.match(pictures[1]?.[1] ?? '', /\p{Script=Han}/u);
      assert.match(read(chinese), /\p{Script=Han}/u);
    });
  }
});

describe('the contributions and the package', () => {
  it('every command has a title, a category and an icon', () => {
    for (const each of contributed('commands')) {
      assert.match(text(each['title']), /^%.+%$/);
      assert.equal(each['category'], 'Agent Debugger');
      const { light, dark } = fields(each['icon']);
      if (light === undefined) assert.match(text(each['icon']), /^\$\([a-z-]+\)$/);
      else
        for (const file of [light, dark])
          assert.ok(existsSync(path.join(ROOT, text(file))), JSON.stringify(each));
    }
  });

  it('the oldest supported VS Code is the oldest tested one, and the code compiles against its API', () => {
    const setUp = read('scripts/vscodeHost/setup.mjs');
    const [, tested] = /oldest: \{ codeServer: '4\.(\d+)\.\d+'/.exec(setUp) ?? [];
    assert.ok(tested !== undefined);
    assert.equal(fields(manifest['engines'])['vscode'], `^1.${tested}.0`);
    assert.equal(fields(manifest['devDependencies'])['@types/vscode'], `1.${tested}.0`);
  });

  it('every menu entry refers to an existing command', () => {
    const commands = new Set(contributed('commands').map((each) => each['command']));
    const entries = Object.values(fields(contributes['menus'])).flatMap((list) =>
      listOf(list).map(fields),
    );
    assert.ok(entries.length > 5);
    for (const entry of entries) assert.ok(commands.has(entry['command']), JSON.stringify(entry));
  });

  it('the icon is a square of at least 128 pixels', () => {
    const png = readFileSync(path.join(ROOT, text(manifest['icon'])));
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    assert.ok(width >= 128 && width === height, `${width} × ${height}`);
    assert.ok(statSync(path.join(ROOT, 'media/icon.svg')).size > 0, 'its source is kept');
  });

  /** The files that vsce packages from a copy of these files. In the project's folder, vsce reads too many files. */
  async function packagedOf(names: readonly string[]): Promise<ReadonlySet<string>> {
    const cwd = mkdtempSync(path.join(tmpdir(), 'agent-debugger-package-'));
    try {
      for (const name of [...names, 'package.json', '.vscodeignore'])
        cpSync(path.join(ROOT, name), path.join(cwd, name), { recursive: true });
      return new Set(await listFiles({ cwd, packageManager: PackageManager.None }));
    } finally {
      rmSync(cwd, { recursive: true });
    }
  }

  it('the package includes every entry, and every chunk that is loaded on demand', () => {
    const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
    const chunks = sources
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => [
        ...read(path.join('src', file)).matchAll(/webpackChunkName: "([\w-]+)"/g),
      ])
      .map((match) => `!dist/${match[1] ?? ''}.js`);
    const entries = /entry: \{([^}]*)\}/.exec(read('webpack.config.js'))?.[1] ?? '';
    for (const [, name] of entries.matchAll(/(\w+): /g)) chunks.push(`!dist/${name}.js`);
    const packaged = read('.vscodeignore').split('\n');
    assert.ok(chunks.length > 8);
    assert.deepEqual(
      chunks.filter((line) => !packaged.includes(line)),
      [],
    );
  });

  it('the package includes the icon, skills, prompts, agents, walkthrough pages and pictures', async () => {
    const steps = contributed('walkthroughs').flatMap((each) =>
      listOf(each['steps']).map((step) => text(fields(fields(step)['media'])['markdown'])),
    );
    const pages = steps
      .flatMap((page) => [page, page.replace(/\.md$/, '.nls.zh-cn.md')])
      .flatMap((page) => {
        const [, picture = ''] = /^!\[[^\]]+\]\(([^)]+)\)/.exec(read(page)) ?? [];
        return [page, path.posix.join(path.posix.dirname(page), picture)];
      });
    const requested = [text(manifest['icon']), ...skills, ...prompts, ...agents, ...pages].map(
      (file) => file.replace(/^\.\//, ''),
    );
    const packaged = await packagedOf(requested);
    assert.deepEqual(
      requested.filter((file) => !packaged.has(file)),
      [],
    );
  });
});
