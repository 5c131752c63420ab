import { strict as assert } from 'node:assert';
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { entryFor, type Client } from '../../../../src/mcp/clients/client';
import { undoWrite, writeSettings } from '../../../../src/mcp/clients/configurationFile';
import {
  accessFor,
  differencesOf,
  settingsStatusOf,
  planRemoval,
  planSetUp,
  entryStateOf,
  type SettingsLocation,
} from '../../../../src/mcp/clients/setUp';
import { UnusableSettings } from '../../../../src/mcp/clients/entryFormat';
import { jsonFormat } from '../../../../src/mcp/clients/jsonEntry';
import { tomlFormat } from '../../../../src/mcp/clients/tomlEntry';
import { isPosix, PROGRAM, SERVER, SetUpFolder } from '../support/setUps';

/** Clients whose files accept only programs, or must not contain a key. */
const STDIO_ONLY: ReadonlySet<string> = new Set(['claude-desktop', 'copilot-cli']);

/** A file with others' entries, comments and unusual layout, in the format of the client. */
function existing({ container, format }: Client): string {
  if (format === 'toml')
    return `# mine\nmodel = "o3" # the best\n\n[${container}.other]\ncommand = 'x'\nargs = [\n  "a", # one\n]\n\n[profiles.work]\nmodel = "o4"\n`;
  return `// mine\n{\n    "theme": "dark", // at night\n    "${container}": {\n        /* not ours */\n        "other": { "command": "x",   "args": ["a", "b",] }\n    },\n}\n`;
}

const broken = ({ format }: Client): string =>
  format === 'toml' ? 'a = \n[b' : '{ "mcpServers": { "other": ';

describe('client set-ups on real files', () => {
  let on: SetUpFolder;
  beforeEach(() => {
    on = new SetUpFolder();
  });
  afterEach(() => on.remove());

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
    it(`every client, both levels, ${state}: the entry is written, read back, and undone to the byte`, async () => {
      for (const place of on.places()) {
        const name = `${place.client.id} ${place.level}`;
        let before: string | undefined;
        if (state === 'empty') before = '';
        if (state === 'with others') before = existing(place.client);
        if (state === 'with an old entry of ours') {
          on.put(place, existing(place.client));
          await on
            .install(place, { url: 'http://127.0.0.1:1/mcp', key: 'old' })
            .catch(() => undefined);
          if (on.access(place).kind === 'stdio')
            on.put(
              place,
              readFileSync(place.files[0] ?? '', 'utf8').replace('/h/stdio.js', '/old/stdio.js'),
            );
          before = readFileSync(place.files[0] ?? '', 'utf8');
          assert.equal(await entryStateOf(place, on.access(place)), 'other', name);
        }
        const file = before === undefined ? (place.files[0] ?? '') : on.put(place, before);
        const undo = await on.install(place);
        assert.deepEqual(await read(place, file), entryFor(place.client, on.access(place)), name);
        assert.equal(await entryStateOf(place, on.access(place)), 'current', name);
        assert.equal(
          await planSetUp(place, on.access(place)),
          undefined,
          'a second time there is nothing to do',
        );
        const text = readFileSync(file, 'utf8');
        assert.equal(text.includes('old'), false, name);
        assert.equal(
          text.includes('k3y'),
          place.level === 'user' && !STDIO_ONLY.has(place.client.id),
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
            path.dirname(file).startsWith(path.join(on.root, 'home')) &&
              existsSync(path.dirname(file))
              ? path.dirname(file)
              : on.root,
          ).filter((each) => each.endsWith('.tmp')),
          [],
        );
      }
      if (state === 'missing')
        assert.deepEqual(readdirSync(on.root), ['project'], 'no folder is left');
    });
  }

  it('every client: a file that does not parse is reported with the position of the error, and is not changed', async () => {
    for (const place of on.places()) {
      const file = on.put(place, broken(place.client));
      const isTold = (error: unknown): boolean =>
        error instanceof UnusableSettings &&
        error.file === realpathSync(file) &&
        error.offset !== undefined;
      await assert.rejects(planSetUp(place, on.access(place)), isTold, place.client.id);
      await assert.rejects(planRemoval(place, on.installed), isTold, place.client.id);
      assert.equal(await entryStateOf(place, on.access(place)), 'unusable');
      assert.equal(readFileSync(file, 'utf8'), broken(place.client));
    }
  });

  it('every client: a later removal restores the file to the byte if it was not changed since, otherwise removes only our entry', async () => {
    for (const place of on.places()) {
      const file = on.put(place, existing(place.client));
      await on.install(place);
      const exact = await planRemoval(place, on.installed);
      assert.ok(exact?.undo !== undefined, place.client.id);
      assert.equal(exact.after, existing(place.client));
      const added =
        place.client.format === 'toml'
          ? `${readFileSync(file, 'utf8')}\n[later]\na = 1\n`
          : readFileSync(file, 'utf8').replace('"theme"', '"later": 1, "theme"');
      writeFileSync(file, added);
      const alone = await planRemoval(place, on.installed);
      assert.ok(alone !== undefined && alone.undo === undefined);
      await writeSettings(alone.before, alone.after, alone);
      assert.equal(
        readFileSync(file, 'utf8'),
        place.client.format === 'toml'
          ? `${existing(place.client)}\n[later]\na = 1\n`
          : existing(place.client).replace('"theme"', '"later": 1, "theme"'),
      );
      assert.equal(await planRemoval(place, on.installed), undefined);
    }
  });

  it('every client: after several set-ups, one removal restores the file from before the first; an undo reverts one set-up', async () => {
    for (const state of ['missing', 'with others'] as const) {
      for (const place of on.places()) {
        if (on.access(place).kind === 'stdio') continue;
        const name = `${place.client.id} ${place.level} ${state}`;
        const file =
          state === 'missing' ? (place.files[0] ?? '') : on.put(place, existing(place.client));
        await on.install(place, { ...SERVER, key: 'a key that was longer' });
        const between = readFileSync(file, 'utf8');
        const earlier = await on.installed.find(realpathSync(file));
        const undo = await on.install(place);
        const last = await on.install(place, { url: 'http://127.0.0.1:1024/mcp', key: 'third' });
        assert.equal(await undoWrite(last), true);
        await on.installed.replace(undo.file, earlier);
        await on.installed.add(undo);
        const removal = await planRemoval(place, on.installed);
        assert.ok(removal?.undo !== undefined, name);
        assert.equal(removal.after, state === 'missing' ? '' : existing(place.client), name);
        assert.deepEqual(removal.secrets, ['k3y']);
        assert.equal(await undoWrite(undo), true);
        assert.equal(readFileSync(file, 'utf8'), between, name);
        await on.installed.replace(undo.file, earlier);
        const first = await planRemoval(place, on.installed);
        assert.ok(first?.undo !== undefined, name);
        assert.equal(await undoWrite(first.undo), true);
        assert.equal(existsSync(file), state !== 'missing', name);
        await on.installed.remove(undo.file);
      }
      if (state === 'missing')
        assert.deepEqual(readdirSync(on.root), ['project'], 'no folder is left');
    }
  });

  it('an older entry of ours without an undo record is not restored when the entry is removed', async () => {
    const place = on.placeOf('cursor');
    const { file } = await on.install(place, { ...SERVER, key: 'old' });
    await on.installed.remove(file);
    await on.install(place);
    const removal = await planRemoval(place, on.installed);
    assert.ok(removal !== undefined);
    assert.equal(removal.undo, undefined);
    assert.equal(removal.after.includes('agent-debugger'), false);
    assert.deepEqual(removal.secrets, ['k3y']);
  });

  it('every client: the object that was created for our entry is removed with it when it is empty', async () => {
    for (const place of on.places()) {
      if (place.client.format === 'toml') continue;
      const { container } = place.client;
      const name = `${place.client.id} ${place.level}`;
      const isThere = (text: string): boolean => text.includes(`"${container}"`);
      const removed = async (before: string, change: (text: string) => string): Promise<string> => {
        const file = on.put(place, before);
        const undo = await on.install(place);
        writeFileSync(file, change(readFileSync(file, 'utf8')));
        const removal = await planRemoval(place, on.installed);
        assert.ok(removal !== undefined && removal.undo === undefined, name);
        await on.installed.remove(undo.file);
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

  it('every client: differences are listed, without the key', async () => {
    for (const place of on.places()) {
      const name = `${place.client.id} ${place.level}`;
      const differs = async (server: typeof SERVER): Promise<readonly string[]> =>
        await differencesOf(place, on.access(place, server));
      await on.install(place);
      if (on.access(place).kind === 'stdio') {
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

  it('every client: the bridge is preferred, and no key is written', async () => {
    for (const place of on.places()) {
      const name = `${place.client.id} ${place.level}`;
      const bridge = accessFor(place, on.reach());
      assert.equal(bridge.kind, 'stdio', name);
      const change = await planSetUp(place, bridge);
      assert.ok(change !== undefined && !change.isSecret && !change.after.includes('k3y'), name);
      await on.installed.add(await writeSettings(change.before, change.after, change));
      assert.deepEqual(
        await settingsStatusOf(place, on.reach()),
        { place, state: 'current', way: 'stdio', differences: [] },
        name,
      );
      assert.equal(
        accessFor(place, on.reach(), 'http').kind,
        place.level === 'user' && !STDIO_ONLY.has(place.client.id) ? 'http' : 'stdio',
        name,
      );
    }
  });

  it('every client: a set-up with the key and its differences are recognized; another set-up removes the key', async () => {
    for (const place of on.places()) {
      if (on.access(place).kind !== 'http') continue;
      const { id } = place.client;
      await on.install(place);
      assert.deepEqual(
        await settingsStatusOf(place, on.reach()),
        { place, state: 'current', way: 'http', differences: [] },
        id,
      );
      const moved = on.reach({ url: 'http://127.0.0.1:20001/mcp', key: 'k3y' });
      assert.deepEqual(
        await settingsStatusOf(place, moved),
        { place, state: 'other', way: 'http', differences: ['address'] },
        `${id}: the port that everybody had`,
      );
      const change = await planSetUp(place, accessFor(place, moved));
      assert.ok(change !== undefined, id);
      assert.equal(change.after.includes('k3y') || change.after.includes('26321'), false, id);
      assert.deepEqual(change.secrets, ['k3y'], 'the key that was there is not shown');
    }
  });
});
