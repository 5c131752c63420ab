import type { ToolServices } from '../../tools/services';
import { createClientServer } from '../server/clientServer';
import { DebuggerEvents } from '../server/debuggerEvents';
import { makePrivateFolder } from '../shared/privateFiles';
import { installBridge } from './installBridge';
import type { WindowOptions } from './windowOptions';

/** Installs this version's stdio bridge, with the offline answers of a server object like the one that a client has. */
export async function prepareBridge(
  services: ToolServices,
  { bridge, home, mcp }: Pick<WindowOptions, 'bridge' | 'home' | 'mcp'>,
): Promise<void> {
  if (bridge === undefined) return;
  const events = new DebuggerEvents(services);
  try {
    await makePrivateFolder(home);
    await installBridge(home, bridge, mcp.version, (transport) =>
      createClientServer(services, mcp, events).connect(transport),
    );
  } finally {
    events.dispose();
  }
}
