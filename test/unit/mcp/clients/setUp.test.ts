import { strict as assert } from 'node:assert';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { CLIENTS } from '../../../../src/mcp/clients/catalog';
import {
  entryFor,
  type Access,
  type Client,
  type ClientMachine,
} from '../../../../src/mcp/clients/client';
import {
  ChangedMeanwhile,
  undoWrite,
  writeSettings,
  type Undo,
} from '../../../../src/mcp/clients/configurationFile';
import { Installed } from '../../../../src/mcp/clients/installed';
import {
  accessFor,
  differencesOf,
  knownOf,
  placesOf,
  planRemoval,
  planSetUp,
  entryStateOf,
  type SettingsLocation,
  type Reach,
} from '../../../../src/mcp/clients/setUp';
import { UnusableSettings } from '../../../../src/mcp/clients/entryFormat';
import { jsonFormat } from '../../../../src/mcp/clients/jsonEntry';
import { tomlFormat } from '../../../../src/mcp/clients/tomlEntry';

const SERVER = { url: 'http://127.0.0.1:26321/mcp', key: 'k3y' };
const PROGRAM = { kind: 'stdio', command: 'node', args: ['/h/stdio.js'], env: {} } as const;
const isPosix = process.platform !== 'win32';

/** Others' entries, remarks and odd layout, in each client's own words. */
function existing({ container, format }: Client): string {
  if (format === 'toml')
    return `# mine\nmodel = "o3" # the best\n\n[${container}.other]\ncommand = 'x'\nargs = [\n  "a", # one\n]\n\n[profiles.work]\nmodel = "o4"\n`;
  return `// mine\n{\n    "theme": "dark", // at night\n    "${container}": {\n        /* not ours */\n        "other": { "command": "x",   "args": ["a", "b",] }\n    },\n}\n`;
}

const broken = ({ format }: Client): string =>
  format === 'toml' ? 'a = \n[b' : '{ "mcpServers": { "other": ';

describe('client set-ups on real files', () => {
  let root: string;
  let machine: ClientMachine;
  let installed: Installed;
  let kept: string | undefined;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'set-ups-')));
    const home = path.join(root, 'home');
    mkdirSync(path.join(root, 'project'));
    machine = {
      platform: 'linux',
      home,
      env: {},
      extensionsStorage: path.join(home, 'storage'),
      names: () => [],
    };
    kept = undefined;
    installed = new Installed({
      read: async () => kept,
      write: async (text) => void (kept = text),
    });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const places = (): readonly SettingsLocation[] =>
    CLIENTS.flatMap((client) => placesOf(client, machine, [path.join(root, 'project')]));
  const reach = (server = SERVER): Reach => ({
    ...server,
    program: (folder) => ({
      ...PROGRAM,
      args: [...PROGRAM.args, ...(folder === undefined ? [] : ['--workspace', folder])],
    }),
  });
  /** With the key where a file may hold it, which is the harder case. */
  const access = (place: SettingsLocation, server = SERVER): Access =>
    accessFor(place, reach(server), 'http');
  const placeOf = (id: string, level: SettingsLocation['level'] = 'user'): SettingsLocation =>
    places().find(({ client, level: each }) => client.id === id && each === level) ??
    assert.fail(id);

  async function install(place: SettingsLocation, server = SERVER): Promise<Undo> {
    const change = await planSetUp(place, access(place, server));
    assert.ok(change !== undefined, place.client.id);
    const undo = await writeSettings(change.before, change.after, change);
    await installed.add(undo);
    return undo;
  }

  function put(place: SettingsLocation, text: string): string {
    const file = place.files[0] ?? '';
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  async function read({ client }: SettingsLocation, file: string): Promise<unknown> {
    const format = client.format === 'toml' ? await tomlFormat() : jsonFormat;
    return JSON.parse(
      JSON.stringify(
        format.read(readFileSync(file, 'utf8'), {
          container: client.container,
          name: 'agent-debugger',
        }),
      ),
    );
  }

  for (const state of ['missing', 'empty', 'with others', 'with an old entry of ours'] as const) {
    it(`every client, both levels, ${state}: written, read back, and undone to the byte`, async () => {
      for (const place of places()) {
        const name = `${place.client.id} ${place.level}`;
        let before: string | undefined;
        if (state === 'empty') before = '';
        if (state === 'with others') before = existing(place.client);
        if (state === 'with an old entry of ours') {
          put(place, existing(place.client));
          await install(place, { url: 'http://127.0.0.1:1/mcp', key: 'old' }).catch(
            () => undefined,
          );
          if (access(place).kind === 'stdio')
            put(
              place,
              readFileSync(place.files[0] ?? '', 'utf8').replace('/h/stdio.js', '/old/stdio.js'),
            );
          before = readFileSync(place.files[0] ?? '', 'utf8');
          assert.equal(await entryStateOf(place, access(place)), 'other', name);
        }
        const file = before === undefined ? (place.files[0] ?? '') : put(place, before);
        const undo = await install(place);
        assert.deepEqual(await read(place, file), entryFor(place.client, access(place)), name);
        assert.equal(await entryStateOf(place, access(place)), 'current', name);
        assert.equal(
          await planSetUp(place, access(place)),
          undefined,
          'a second time there is nothing to do',
        );
        const text = readFileSync(file, 'utf8');
        assert.equal(text.includes('old'), false, name);
        assert.equal(
          text.includes('k3y'),
          place.level === 'user' && place.client.id !== 'claude-desktop',
          `${name}: the key is in files of the person alone`,
        );
        if (state === 'with others')
          for (const line of existing(place.client).split('\n'))
            assert.ok(text.includes(line.replace(/ ?}$/, '')), `${name}: ${line}`);
        if (isPosix && text.includes('k3y')) assert.equal(statSync(file).mode & 0o777, 0o600, name);
        assert.equal(await undoWrite(undo), true);
        if (before === undefined) assert.equal(existsSync(file), false, name);
        else assert.equal(readFileSync(file, 'utf8'), before, name);
        assert.deepEqual(
          readdirSync(
            path.dirname(file).startsWith(path.join(root, 'home')) && existsSync(path.dirname(file))
              ? path.dirname(file)
              : root,
          ).filter((each) => each.endsWith('.tmp')),
          [],
        );
      }
      if (state === 'missing')
        assert.deepEqual(readdirSync(root), ['project'], 'no folder is left');
    });
  }

  it('every client: a file that does not parse is reported with the place, and left as it is', async () => {
    for (const place of places()) {
      const file = put(place, broken(place.client));
      const isTold = (error: unknown): boolean =>
        error instanceof UnusableSettings &&
        error.file === realpathSync(file) &&
        error.offset !== undefined;
      await assert.rejects(planSetUp(place, access(place)), isTold, place.client.id);
      await assert.rejects(planRemoval(place, installed), isTold, place.client.id);
      assert.equal(await entryStateOf(place, access(place)), 'unusable');
      assert.equal(readFileSync(file, 'utf8'), broken(place.client));
    }
  });

  it('every client: a later removal restores the file to the byte if nobody wrote since, else removes only our entry', async () => {
    for (const place of places()) {
      const file = put(place, existing(place.client));
      await install(place);
      const exact = await planRemoval(place, installed);
      assert.ok(exact?.undo !== undefined, place.client.id);
      assert.equal(exact.after, existing(place.client));
      const added =
        place.client.format === 'toml'
          ? `${readFileSync(file, 'utf8')}\n[later]\na = 1\n`
          : readFileSync(file, 'utf8').replace('"theme"', '"later": 1, "theme"');
      writeFileSync(file, added);
      const alone = await planRemoval(place, installed);
      assert.ok(alone !== undefined && alone.undo === undefined);
      await writeSettings(alone.before, alone.after, alone);
      assert.equal(
        readFileSync(file, 'utf8'),
        place.client.format === 'toml'
          ? `${existing(place.client)}\n[later]\na = 1\n`
          : existing(place.client).replace('"theme"', '"later": 1, "theme"'),
      );
      assert.equal(await planRemoval(place, installed), undefined);
    }
  });

  it('every client: set up again and again, one removal goes back to before the first, to the byte; an undo goes back one', async () => {
    for (const state of ['missing', 'with others'] as const) {
      for (const place of places()) {
        if (access(place).kind === 'stdio') continue;
        const name = `${place.client.id} ${place.level} ${state}`;
        const file =
          state === 'missing' ? (place.files[0] ?? '') : put(place, existing(place.client));
        await install(place, { ...SERVER, key: 'a key that was longer' });
        const between = readFileSync(file, 'utf8');
        const earlier = await installed.find(realpathSync(file));
        const undo = await install(place);
        const last = await install(place, { url: 'http://127.0.0.1:1024/mcp', key: 'third' });
        assert.equal(await undoWrite(last), true);
        await installed.replace(undo.file, earlier);
        await installed.add(undo);
        const removal = await planRemoval(place, installed);
        assert.ok(removal?.undo !== undefined, name);
        assert.equal(removal.after, state === 'missing' ? '' : existing(place.client), name);
        assert.deepEqual(removal.secrets, ['k3y']);
        assert.equal(await undoWrite(undo), true);
        assert.equal(readFileSync(file, 'utf8'), between, name);
        await installed.replace(undo.file, earlier);
        const first = await planRemoval(place, installed);
        assert.ok(first?.undo !== undefined, name);
        assert.equal(await undoWrite(first.undo), true);
        assert.equal(existsSync(file), state !== 'missing', name);
        await installed.remove(undo.file);
      }
      if (state === 'missing')
        assert.deepEqual(readdirSync(root), ['project'], 'no folder is left');
    }
  });

  it('an older entry of ours that is not on record does not come back when the entry is removed', async () => {
    const place = placeOf('cursor');
    const { file } = await install(place, { ...SERVER, key: 'old' });
    await installed.remove(file);
    await install(place);
    const removal = await planRemoval(place, installed);
    assert.ok(removal !== undefined);
    assert.equal(removal.undo, undefined);
    assert.equal(removal.after.includes('agent-debugger'), false);
    assert.deepEqual(removal.secrets, ['k3y']);
  });

  it('every client: the object that was created for our entry is removed with it when it is empty', async () => {
    for (const place of places()) {
      if (place.client.format === 'toml') continue;
      const { container } = place.client;
      const name = `${place.client.id} ${place.level}`;
      const isThere = (text: string): boolean => text.includes(`"${container}"`);
      const removed = async (before: string, change: (text: string) => string): Promise<string> => {
        const file = put(place, before);
        const undo = await install(place);
        writeFileSync(file, change(readFileSync(file, 'utf8')));
        const removal = await planRemoval(place, installed);
        assert.ok(removal !== undefined && removal.undo === undefined, name);
        await installed.remove(undo.file);
        return removal.after;
      };
      const byClient = (text: string): string => text.replace('"theme"', '"later": 1,\n  "theme"');
      assert.equal(
        await removed('{\n  "theme": "dark"\n}\n', byClient),
        '{\n  "later": 1,\n  "theme": "dark"\n}\n',
        name,
      );
      assert.ok(
        isThere(await removed(`{\n  "${container}": {},\n  "theme": "dark"\n}\n`, byClient)),
        `${name}: it was there before`,
      );
      const another = await removed('{\n  "theme": "dark"\n}\n', (text) =>
        text.replace('"agent-debugger"', '"theirs": {},\n    "agent-debugger"'),
      );
      assert.ok(
        isThere(another) && another.includes('"theirs"'),
        `${name}: another server is in it`,
      );
      assert.ok(
        isThere(
          await removed('{\n  "theme": "dark"\n}\n', (text) =>
            byClient(text).replace('"agent-debugger"', '// mine\n    "agent-debugger"'),
          ),
        ),
        `${name}: a remark is in it`,
      );
      rmSync(place.files[0] ?? '');
    }
  });

  it('every client: differences are named, without the key', async () => {
    for (const place of places()) {
      const name = `${place.client.id} ${place.level}`;
      const differs = async (server: typeof SERVER): Promise<readonly string[]> =>
        await differencesOf(place, access(place, server));
      await install(place);
      if (access(place).kind === 'stdio') {
        const { file } = { file: place.files[0] ?? '' };
        writeFileSync(file, readFileSync(file, 'utf8').replace('/h/stdio.js', '/old/stdio.js'));
        assert.deepEqual(await differs(SERVER), ['program'], name);
        continue;
      }
      assert.deepEqual(await differs({ ...SERVER, key: 'new' }), ['key'], name);
      assert.deepEqual(
        await differs({ ...SERVER, url: 'http://127.0.0.1:1/mcp' }),
        ['address'],
        name,
      );
      assert.deepEqual(
        await differs({ url: 'http://127.0.0.1:1/mcp', key: 'new' }),
        ['key', 'address'],
        name,
      );
      assert.deepEqual(await differencesOf(place, PROGRAM), ['way'], name);
    }
  });

  it('every client: the bridge comes first, and no key is written', async () => {
    for (const place of places()) {
      const name = `${place.client.id} ${place.level}`;
      const bridge = accessFor(place, reach());
      assert.equal(bridge.kind, 'stdio', name);
      const change = await planSetUp(place, bridge);
      assert.ok(change !== undefined && !change.isSecret && !change.after.includes('k3y'), name);
      await installed.add(await writeSettings(change.before, change.after, change));
      assert.deepEqual(
        await knownOf(place, reach()),
        { place, state: 'current', way: 'stdio', differences: [] },
        name,
      );
      assert.equal(
        accessFor(place, reach(), 'http').kind,
        place.level === 'user' && place.client.id !== 'claude-desktop' ? 'http' : 'stdio',
        name,
      );
    }
  });

  it('every client: a set-up with the key is recognized, and its differences; another set-up removes the key', async () => {
    for (const place of places()) {
      if (access(place).kind !== 'http') continue;
      const { id } = place.client;
      await install(place);
      assert.deepEqual(
        await knownOf(place, reach()),
        { place, state: 'current', way: 'http', differences: [] },
        id,
      );
      const moved = reach({ url: 'http://127.0.0.1:20001/mcp', key: 'k3y' });
      assert.deepEqual(
        await knownOf(place, moved),
        { place, state: 'other', way: 'http', differences: ['address'] },
        `${id}: the port that everybody had`,
      );
      const change = await planSetUp(place, accessFor(place, moved));
      assert.ok(change !== undefined, id);
      assert.equal(change.after.includes('k3y') || change.after.includes('26321'), false, id);
      assert.deepEqual(change.secrets, ['k3y'], 'the key that was there is not shown');
    }
  });

  it('byte order mark, CRLF and the file’s own mode come through', async () => {
    const place = placeOf('cursor');
    const before = '\uFEFF{\r\n\t"mcpServers": {}\r\n}\r\n';
    const file = put(place, before);
    if (isPosix) chmodSync(file, 0o640);
    const undo = await install(place);
    const text = readFileSync(file, 'utf8');
    assert.equal(
      text.startsWith('\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"agent-debugger"'),
      true,
      text,
    );
    assert.equal(/[^\r]\n/.test(text), false);
    assert.equal(await undoWrite(undo), true);
    assert.equal(readFileSync(file, 'utf8'), before);
    if (isPosix) assert.equal(statSync(file).mode & 0o777, 0o640);
  });

  it('a file that is not UTF-8 is left as it is', async () => {
    const place = placeOf('cursor');
    writeFileSync(put(place, ''), Buffer.from([0xff, 0xfe, 0x7b, 0x00]));
    await assert.rejects(planSetUp(place, access(place)), UnusableSettings);
  });

  it('links are followed and stay, also to a file that is not there yet', async () => {
    const place = placeOf('claude-code');
    const real = path.join(root, 'dotfiles', 'claude.json');
    mkdirSync(path.dirname(real), { recursive: true });
    mkdirSync(machine.home, { recursive: true });
    symlinkSync(real, place.files[0] ?? '');
    const undo = await install(place);
    assert.equal(lstatSync(place.files[0] ?? '').isSymbolicLink(), true);
    assert.equal(readFileSync(real, 'utf8').includes('k3y'), true);
    assert.equal(await undoWrite(undo), true);
    assert.equal(existsSync(real), false);
    assert.equal(lstatSync(place.files[0] ?? '').isSymbolicLink(), true);
  });

  it('a workspace’s link out of the workspace is not followed', async () => {
    const place = placeOf('cursor', 'workspace');
    const outside = path.join(root, 'outside.json');
    writeFileSync(outside, '{}');
    mkdirSync(path.join(root, 'project', '.cursor'));
    symlinkSync(outside, place.files[0] ?? '');
    await assert.rejects(planSetUp(place, access(place)), UnusableSettings);
    assert.equal(readFileSync(outside, 'utf8'), '{}');
  });

  it('a change between preview and write is not overwritten', async () => {
    const place = placeOf('cursor');
    const file = put(place, '{}');
    const change = await planSetUp(place, access(place));
    assert.ok(change !== undefined);
    writeFileSync(file, '{ "mcpServers": { "new": {} } }');
    await assert.rejects(writeSettings(change.before, change.after, change), ChangedMeanwhile);
    assert.equal(readFileSync(file, 'utf8'), '{ "mcpServers": { "new": {} } }');
    assert.deepEqual(readdirSync(path.dirname(file)), ['mcp.json']);
    rmSync(file);
    await assert.rejects(writeSettings(change.before, change.after, change), ChangedMeanwhile);
    const undo = await install(place);
    writeFileSync(file, `${readFileSync(file, 'utf8')} `);
    assert.equal(await undoWrite(undo), false);
    assert.equal(await undoWrite({ ...undo, file: path.join(root, 'no.json') }), false);
  });

  it('of several files the one with our entry is meant, else the one that is there', async () => {
    const place = placeOf('opencode');
    const [json = '', jsonc = ''] = place.files;
    mkdirSync(path.dirname(json), { recursive: true });
    writeFileSync(jsonc, '{}');
    assert.equal((await install(place)).file, jsonc);
    writeFileSync(json, '{}');
    assert.equal((await install(place, { ...SERVER, key: 'new' })).file, jsonc);
    rmSync(jsonc);
    assert.equal((await install(place)).file, json);
  });

  it('what takes changes back is kept without others’ secrets, and rubbish there is nothing', async () => {
    const place = placeOf('cursor');
    put(place, '{ "mcpServers": { "other": { "env": { "TOKEN": "theirs" } } } }');
    await install(place);
    assert.equal(kept?.includes('theirs'), false);
    kept = '[{"file":1}, null]';
    assert.equal(await installed.find(place.files[0] ?? ''), undefined);
    kept = '{';
    assert.equal(await installed.find(place.files[0] ?? ''), undefined);
  });

  it('any text: installed and undone is the same text', async () => {
    const place = placeOf('zed');
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.constantFrom('', '\t', '  '),
        fc.boolean(),
        async (value, indent, hasMark) => {
          const before = (hasMark ? '\uFEFF' : '') + JSON.stringify(value, null, indent);
          const file = put(place, before);
          const change = await planSetUp(place, access(place)).catch((error: unknown) => {
            assert.ok(error instanceof UnusableSettings);
            return undefined;
          });
          if (change !== undefined) {
            const undo = await writeSettings(change.before, change.after, change);
            assert.equal(await undoWrite(undo), true);
          }
          assert.equal(readFileSync(file, 'utf8'), before);
        },
      ),
      { numRuns: 50 },
    );
  });
});
