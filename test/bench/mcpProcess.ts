/** An MCP client like other clients: a separate process with the SDK, over HTTP. Its parent sends the calls. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { McpAnswer, McpOrder } from './mcpClient';

const client = new Client({ name: 'bench', version: '1' });

async function obey(order: McpOrder): Promise<McpAnswer> {
  if (order.kind === 'connect') {
    await client.connect(
      new StreamableHTTPClientTransport(new URL(order.url), {
        requestInit: { headers: { Authorization: `Bearer ${order.key}` } },
      }),
    );
    const { tools } = await client.listTools();
    return { milliseconds: 0, text: JSON.stringify(tools) };
  }
  const started = performance.now();
  const { content } = await client.callTool({ name: order.name, arguments: order.input });
  const milliseconds = performance.now() - started;
  const [part] = content as { text?: string }[];
  return { milliseconds, text: part?.text ?? '' };
}

process.on('message', (order: McpOrder) => {
  obey(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ milliseconds: 0, text: '', error: String(error) }),
  );
});
process.once('disconnect', () => process.exit());
