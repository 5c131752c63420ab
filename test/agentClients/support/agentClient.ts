import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { writeSettings } from '../../../src/mcp/clients/configurationFile';
import { bridgeProgram } from '../../../src/mcp/clients/bridgeProgram';
import { CLIENTS } from '../../../src/mcp/clients/catalog';
import type { ClientMachine } from '../../../src/mcp/clients/client';
import { placesOf, planSetUp } from '../../../src/mcp/clients/setUp';
import { planSkill, skillPlacesOf } from '../../../src/mcp/clients/skills';
import { bodyOf } from '../../support/network';

const PROGRAMS = path.resolve(__dirname, '../../../../.vscode-test/mcp-clients/node_modules');

/** The text that a client printed, and its exit code. */
export interface Printed {
  readonly text: string;
  readonly code: number | string | null | undefined;
}

/** A client from npm, which runs without an account in a separate home folder. */
export class AgentClient {
  readonly project: string;
  private readonly machine: ClientMachine;

  /**
   * @param program the path of the program in the folder of the clients
   * @param home the person's home folder
   * @param shared the folder through which windows and bridges find each other
   * @param env further environment variables
   */
  constructor(
    private readonly program: string,
    readonly home: string,
    shared: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.project = path.join(home, 'project');
    mkdirSync(path.join(home, 'tmp'), { recursive: true });
    mkdirSync(this.project);
    this.machine = {
      platform: process.platform,
      home,
      env: { AGENT_DEBUGGER_HOME: shared },
      extensionsStorage: path.join(home, 'storage'),
      names: () => [],
    };
  }

  /** Sets the client up as the extension does. */
  async setUp(id: string): Promise<void> {
    const client = CLIENTS.find((each) => each.id === id);
    const [place] = client === undefined ? [] : placesOf(client, this.machine, []);
    assert.ok(place, id);
    const access = bridgeProgram(this.machine, { execPath: process.execPath, isElectron: false });
    const change = await planSetUp(place, access);
    assert.ok(change);
    await writeSettings(change.before, change.after, change);
  }

  /** Puts the skill into a folder as the extension does. */
  async putSkill(name: string, text: string): Promise<void> {
    const place = skillPlacesOf(this.machine, []).find((each) => each.name === name);
    assert.ok(place, name);
    const change = await planSkill(place, text);
    assert.ok(change);
    await writeSettings(change.before, change.after, change);
  }

  /** Writes one of the client's own files. */
  write(file: string, content: object): void {
    const whole = path.join(this.home, file);
    mkdirSync(path.dirname(whole), { recursive: true });
    writeFileSync(whole, JSON.stringify(content));
  }

  /** Runs a command of the client to its end. */
  async run(...args: readonly string[]): Promise<Printed> {
    const file = path.join(PROGRAMS, this.program);
    const isScript = file.endsWith('.js');
    if (!isScript) chmodSync(file, 0o755);
    const [command, all] = isScript ? [process.execPath, [file, ...args]] : [file, [...args]];
    // Only PATH is taken from this process's environment, so that nothing else affects the client.
    const env = {
      PATH: process.env['PATH'],
      HOME: this.home,
      TMPDIR: path.join(this.home, 'tmp'),
      TERM: 'dumb',
      NO_COLOR: '1',
      AGENT_DEBUGGER_HOME: this.machine.env['AGENT_DEBUGGER_HOME'],
      ...this.env,
    };
    return await new Promise((resolve) => {
      const child = execFile(
        command,
        all,
        { cwd: this.project, env, timeout: 60_000, maxBuffer: 16 * 1024 * 1024 },
        (error, stdout, stderr) =>
          resolve({ text: `${stdout}${stderr}`, code: error === null ? 0 : (error.code ?? null) }),
      );
      child.stdin?.end();
    });
  }

  /** Runs a command, which must succeed. @returns the text that it prints */
  async prints(...args: readonly string[]): Promise<string> {
    const { text, code } = await this.run(...args);
    assert.equal(code, 0, `${args.join(' ')}: ${text}`);
    return text;
  }
}

/** A proxy that refuses connections to all other machines, and records the requests of clients to their model. */
export interface Elsewhere {
  readonly url: string;
  /** The bodies of the requests. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

export async function startElsewhere(): Promise<Elsewhere> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      bodies.push(body);
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end('{"type":"error","error":{"type":"invalid_request_error","message":"no"}}');
    });
  });
  server.on('connect', (_request, socket) => {
    // A refused client may close the connection at once.
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
