import { get } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { fields, textOf } from '../protocol';
import { LISTENING } from '../adapters/registry';
import type { Processes } from './processes';

/** A debugger that listens on a port of this machine. */
export interface ListeningDebugger {
  /** The debug type that attaches to it. */
  readonly type: string;
  readonly host: string;
}

/** The addresses of this machine on which programs listen for debuggers, in the order in which they are tried. */
export const LOOPBACK_HOSTS = ['127.0.0.1', '::1'] as const;

/** The time that a program on this machine has for its answer, in milliseconds. */
const ANSWER_MS = 1500;
const MAX_OF_AN_ANSWER = 4000;

/**
 * Finds out which debugger listens on a port of this machine. The command lines of the listening processes come first,
 * because some debuggers end if a client connects that is none. A program that waits for its debugger may run on then,
 * too.
 */
export async function listeningDebugger(
  processes: Processes,
  hosts: readonly string[],
  port: number,
): Promise<ListeningDebugger | undefined> {
  const host = (await addressOfPort(processes, hosts, port)) ?? hosts[0] ?? LOOPBACK_HOSTS[0];
  const type = await typeByCommand(processes, port);
  if (type !== undefined) return { type, host };
  for (const each of hosts) {
    const inspector = await inspectorAt(each, port);
    if (inspector !== undefined) return { type: inspector, host: each };
  }
  for (const { type: kind, handshake } of LISTENING) {
    if (handshake === undefined) continue;
    for (const each of hosts)
      if (await answersHandshake(each, port, handshake)) return { type: kind, host: each };
  }
  return undefined;
}

/** Returns the first of these addresses on which a program listens. Undefined if the system does not tell. */
export async function addressOfPort(
  processes: Processes,
  hosts: readonly string[],
  port: number,
): Promise<string | undefined> {
  const listening = await processes.listeningHosts(port);
  return hosts.find((host) => listening.includes(host));
}

/** Returns the address at which Node's or a browser's inspector answers. */
export async function inspectorHost(
  hosts: readonly string[],
  port: number,
): Promise<string | undefined> {
  for (const host of hosts) if ((await inspectorAt(host, port)) !== undefined) return host;
  return undefined;
}

async function typeByCommand(processes: Processes, port: number): Promise<string | undefined> {
  const ids = await processes.listeners(port);
  if (ids.length === 0) return undefined;
  for (const { id, executable, command } of await processes.list()) {
    if (!ids.includes(id)) continue;
    const [name] = path.basename(executable).split('.exe');
    const shown = command.slice(0, MAX_OF_AN_ANSWER);
    const found = LISTENING.find(
      ({ executables, command: pattern }) =>
        executables?.includes(name ?? '') === true || pattern?.test(shown) === true,
    );
    if (found !== undefined) return found.type;
  }
  return undefined;
}

/** Asks for the version of an inspector. The Chrome DevTools Protocol has this page beside `/json/list`. */
async function inspectorAt(host: string, port: number): Promise<string | undefined> {
  const text = await new Promise<string>((resolve) => {
    const request = get(
      { host, port, path: '/json/version', timeout: ANSWER_MS, agent: false },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          body += part;
          if (body.length > MAX_OF_AN_ANSWER) response.destroy();
        });
        response.on('close', () => resolve(body));
      },
    );
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(''));
  });
  const browser = textOf(fields(parsed(text))['Browser']) ?? '';
  if (browser === '') return undefined;
  return LISTENING.find(({ inspector }) => inspector?.test(browser) === true)?.type;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a program answers a handshake with the same text. */
async function answersHandshake(host: string, port: number, handshake: string): Promise<boolean> {
  return await new Promise((resolve) => {
    let answer = '';
    const socket = connect({ host, port });
    const end = (): void => {
      socket.destroy();
      resolve(answer.startsWith(handshake));
    };
    socket.setTimeout(ANSWER_MS, end);
    socket.setEncoding('latin1');
    socket.on('connect', () => socket.write(handshake));
    socket.on('data', (part) => {
      answer += String(part);
      if (answer.length >= handshake.length) end();
    });
    socket.on('error', end);
    socket.on('close', end);
  });
}
