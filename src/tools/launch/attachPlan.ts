import * as l10n from '@vscode/l10n';
import { listed } from '../../results/listing';
import { Failure } from '../../results/failure';
import type { AttachTarget, PathMapping } from '../../debugger/adapters/adapterParts';
import { adapterOf, attachConfiguration } from '../../debugger/adapters/registry';
import {
  addressOfPort,
  inspectorHost,
  listeningDebugger,
  LOOPBACK_HOSTS,
} from '../../debugger/processes/listeningDebugger';
import { absolute } from '../files/files';
import type { StartPlan } from './launchPlan';
import type { AttachInput, StartInput } from './startInput';
import { refuseVariables } from './launchVariables';
import type { ToolServices } from '../services';

/** The parameters that apply only to a started program or to a configuration. */
const OF_A_START = ['type', 'args', 'cwd', 'env', 'inputs', 'stop_on_entry'] as const;

/** The maximum number of path mappings in one call. */
const MAX_MAPPINGS = 20;

/**
 * Plans the attach to a running program without a launch.json.
 * @throws Failure `invalid_input`, `process_not_found`, `process_not_permitted`, `not_supported`. Nothing has been
 * started then.
 */
export async function planForAttach(
  services: ToolServices,
  requested: StartInput,
  attach: AttachInput,
): Promise<StartPlan> {
  refuseOthers(requested);
  refuseVariables(attach);
  const { type, ...target } = await targetOf(services, attach);
  const made = attachConfiguration(type, target);
  if (made === undefined) throw cannotAttach(type, target);
  const where =
    target.port === undefined ? String(target.processId) : `${target.host}:${target.port}`;
  const name = l10n.t('Attach to {0}', where);
  const configuration = { request: 'attach', name, type, ...made };
  const folderPath = services.workspace.folders[0]?.path;
  return {
    name,
    folderPath,
    launches: [{ name, type, folderPath, configuration }],
    isCompound: false,
    task: undefined,
    stopAll: false,
    shown: configuration,
    isMadeUp: true,
    overridden: [],
  };
}

function refuseOthers(requested: StartInput): void {
  const unused: string[] = OF_A_START.filter((name) => requested[name] !== undefined);
  if (requested.no_debug) unused.push('no_debug');
  if (unused.length === 0) return;
  throw new Failure(
    'invalid_input',
    l10n.t(
      'The configuration attaches to a running program, so {0} cannot be set.',
      listed(unused),
    ),
    'Leave it out. The debug type belongs in attach. Nothing was started.',
  );
}

/** The target of an attach with its debug type. What is missing is found out on this machine. */
async function targetOf(
  services: ToolServices,
  attach: AttachInput,
): Promise<AttachTarget & { readonly type: string }> {
  const { process_id: processId, host = LOCALHOST, port, path_mappings: paths = {} } = attach;
  if ((processId === undefined) === (port === undefined))
    throw invalid(l10n.t('attach needs exactly one of process_id and port.'));
  if (processId !== undefined && attach.host !== undefined)
    throw invalid(
      l10n.t('host can be passed only with port: a process is always on this machine.'),
    );
  if (port !== undefined && (port < 1 || port > 65_535))
    throw invalid(l10n.t('{0} is not a port: ports are 1 to 65535.', port));
  if (!/^[\w.:[\]-]{1,255}$/.test(host)) throw invalid(l10n.t('“{0}” is not a host name.', host));
  if (attach.type === '') throw noType();
  if (processId !== undefined) checkProcess(processId);
  const entries = Object.entries(paths);
  if (entries.length > MAX_MAPPINGS)
    throw invalid(l10n.t('path_mappings can contain at most {0} folders.', MAX_MAPPINGS));
  const mapped = await Promise.all(entries.map(mapping(services)));
  return { processId, port, paths: mapped, ...(await placeOf(services, attach.type, host, port)) };
}

const LOCALHOST = 'localhost';

/**
 * The debug type and the address of a target. A name such as `localhost` stands for two addresses, and most debuggers
 * try only the first. Other machines are asked nothing before the person has agreed.
 * @throws Failure `invalid_input` if the type is missing and not found
 */
async function placeOf(
  { processes }: ToolServices,
  type: string | undefined,
  host: string,
  port: number | undefined,
): Promise<{ readonly type: string; readonly host: string }> {
  const isNamed = host === LOCALHOST;
  if (port === undefined) {
    if (type === undefined) throw noType();
    return { type, host };
  }
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const hosts = isNamed ? LOOPBACK_HOSTS : LOOPBACK_HOSTS.filter((each) => each === address);
  if (type === undefined) {
    const found = hosts.length === 0 ? undefined : await listeningDebugger(processes, hosts, port);
    if (found === undefined) throw noType(port);
    return { type: found.type, host: isNamed ? found.host : host };
  }
  if (!isNamed) return { type, host };
  const known = await addressOfPort(processes, hosts, port);
  const isNode = adapterOf(type).recorder === 'javascript';
  const reached = known ?? (isNode ? await inspectorHost(hosts, port) : undefined);
  return { type, host: reached ?? host };
}

function noType(port?: number): Failure {
  const message =
    port === undefined
      ? l10n.t('attach needs a debug type.')
      : l10n.t('No known debugger answers on port {0}, so attach needs a debug type.', port);
  return new Failure(
    'invalid_input',
    message,
    'Pass type: "node" (an inspector), "debugpy" (Python), "go" (Delve), "java" (JDWP), "lldb-dap" (gdbserver, lldb-server), for example attach: { type: "debugpy", host: "127.0.0.1", port: 5678 }. Nothing was started.',
  );
}

function mapping(services: ToolServices): (entry: [string, string]) => Promise<PathMapping> {
  return async ([remote, local]) => ({ remote, local: await absolute(services, local) });
}

function invalid(message: string): Failure {
  return new Failure(
    'invalid_input',
    message,
    'Pass attach with type and process_id, or with type, port and host. Nothing was started.',
  );
}

/**
 * Checks the process to attach to.
 * @throws Failure if the process does not exist, or if a debugger may not attach to it
 */
function checkProcess(processId: number): void {
  if (processId < 1) throw invalid(l10n.t('{0} is not a process id.', processId));
  try {
    process.kill(processId, 0);
  } catch (error) {
    throw noProcess(processId, error);
  }
}

function noProcess(processId: number, error: unknown): Failure {
  const isForeign = error instanceof Error && 'code' in error && error.code === 'EPERM';
  return isForeign
    ? new Failure(
        'process_not_permitted',
        l10n.t('The process {0} belongs to another user.', processId),
        'A debugger can attach only to processes of the user that runs VS Code. Nothing was started.',
      )
    : new Failure(
        'process_not_found',
        l10n.t('There is no process {0}.', processId),
        'Find the process id of the running program. Nothing was started.',
      );
}

function cannotAttach(type: string, { port, paths }: AttachTarget): Failure {
  if (paths.length > 0)
    return new Failure(
      'not_supported',
      l10n.t('The debugger “{0}” cannot map these paths.', type),
      'Pass one mapping, or none, or use a configuration of launch.json. Nothing was started.',
    );
  return new Failure(
    'not_supported',
    l10n.t('The debugger “{0}” cannot attach in this way.', type),
    port === undefined
      ? 'Pass host and port instead of process_id. Nothing was started.'
      : 'Pass process_id instead of port. Nothing was started.',
  );
}
