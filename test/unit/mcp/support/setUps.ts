import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLIENTS } from '../../../../src/mcp/clients/catalog';
import type { Access, ClientMachine } from '../../../../src/mcp/clients/client';
import { writeSettings, type Undo } from '../../../../src/mcp/clients/configurationFile';
import { Installed } from '../../../../src/mcp/clients/installed';
import {
  accessFor,
  placesOf,
  planSetUp,
  type Reach,
  type SettingsLocation,
} from '../../../../src/mcp/clients/setUp';

export const SERVER = { url: 'http://127.0.0.1:26321/mcp', key: 'k3y' };
export const PROGRAM = { kind: 'stdio', command: 'node', args: ['/h/stdio.js'], env: {} } as const;
export const isPosix = process.platform !== 'win32';

/** A person's home and a project in a folder of their own, for the settings files of clients. */
export class SetUpFolder {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'set-ups-')));
  readonly machine: ClientMachine;
  /** The stored undo records. */
  kept: string | undefined;
  readonly installed = new Installed({
    read: async () => this.kept,
    write: async (text) => void (this.kept = text),
  });

  constructor() {
    const home = path.join(this.root, 'home');
    mkdirSync(path.join(this.root, 'project'));
    this.machine = {
      platform: 'linux',
      home,
      env: {},
      extensionsStorage: path.join(home, 'storage'),
      names: () => [],
    };
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }

  places(): readonly SettingsLocation[] {
    const folders = [path.join(this.root, 'project')];
    return CLIENTS.flatMap((client) => placesOf(client, this.machine, folders));
  }

  placeOf(id: string, level: SettingsLocation['level'] = 'user'): SettingsLocation {
    const found = this.places().find((place) => place.client.id === id && place.level === level);
    return found ?? assert.fail(id);
  }

  reach(server = SERVER): Reach {
    return {
      ...server,
      program: (folder) => ({
        ...PROGRAM,
        args: [...PROGRAM.args, ...(folder === undefined ? [] : ['--workspace', folder])],
      }),
    };
  }

  /** Access with the key if the file may contain it, which is the harder case. */
  access(place: SettingsLocation, server = SERVER): Access {
    return accessFor(place, this.reach(server), 'http');
  }

  async install(place: SettingsLocation, server = SERVER): Promise<Undo> {
    const change = await planSetUp(place, this.access(place, server));
    assert.ok(change !== undefined, place.client.id);
    const undo = await writeSettings(change.before, change.after, change);
    await this.installed.add(undo);
    return undo;
  }

  put(place: SettingsLocation, text: string): string {
    const file = place.files[0] ?? '';
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }
}
