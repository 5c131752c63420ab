import { hostname } from 'node:os';
import * as l10n from '@vscode/l10n';
import { fields, textOf, type Fields } from '../../debugger/protocol';
import { Failure } from '../../results/failure';
import { editorProcesses } from '../../debugger/processes/editorProcesses';
import type { ProcessEntry, Processes } from '../../debugger/processes/processes';

/** A process to attach to. `unknown` if the system does not tell what it runs. */
export type AttachedProcess = ProcessEntry | 'unknown';

/** The properties in which configurations name the process to attach to. */
const PROCESS_IDS = ['processId', 'pid'];

/** Matches addresses that are this machine's. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1?\]?)$/i;

/**
 * Returns the process that a configuration attaches to, for its card. Every attach is checked here, whoever has written
 * its configuration.
 * @returns undefined if the configuration names no process of this machine
 * @throws Failure `not_supported` if it would attach to an editor. A paused editor could no longer answer calls, and
 * code in it could do what the person can do.
 */
export async function attachedProcess(
  processes: Processes,
  configuration: Fields,
): Promise<AttachedProcess | undefined> {
  if (configuration['request'] !== 'attach') return undefined;
  const id = processIdOf(configuration);
  const port = localPort(configuration);
  if (id === undefined && port === undefined) return undefined;
  if (id === process.pid || id === process.ppid) throw isEditor(id);
  const table = await processes.list();
  const editors = editorProcesses(table, process.pid);
  if (id !== undefined && editors.has(id)) throw isEditor(id);
  const listening = port === undefined ? [] : await processes.listeners(port);
  const editor = listening.find((each) => editors.has(each));
  if (editor !== undefined) throw isEditor(editor);
  if (id === undefined) return undefined;
  return table.find((entry) => entry.id === id) ?? 'unknown';
}

function isEditor(id: number): Failure {
  return new Failure(
    'not_supported',
    l10n.t('The process {0} belongs to VS Code or to another editor.', id),
    'Attach to the process of the program. Nothing was started.',
  );
}

/** Returns the id of the process that a configuration names. A configuration may name it as text. */
function processIdOf(configuration: Fields): number | undefined {
  const id = PROCESS_IDS.map((name) => numberIn(configuration[name])).find(
    (each) => each !== undefined,
  );
  return id === undefined || id < 1 ? undefined : id;
}

function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const text = textOf(value)?.trim() ?? '';
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** Returns the port of this machine that a configuration attaches to. */
function localPort(configuration: Fields): number | undefined {
  const place = { ...configuration, ...fields(configuration['connect']) };
  const port = numberIn(place['port'] ?? place['gdb-remote-port']) ?? portIn(place);
  const host = ['address', 'host', 'hostName', 'hostname', 'gdb-remote-hostname']
    .map((name) => textOf(place[name]))
    .find((name) => name !== undefined);
  return host === undefined || LOOPBACK.test(host) || host === hostname() ? port : undefined;
}

/** Returns the port in the address of a browser's debugger. */
function portIn(place: Fields): number | undefined {
  const address = textOf(place['websocketAddress']);
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { hostname: host, port } = new URL(address);
  return LOOPBACK.test(host) ? numberIn(port) : undefined;
}
