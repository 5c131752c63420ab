import { z } from 'zod';

/*
 * The formats of the packages' own files, as strict as their specifications: Agent Plugins 1.0.0
 * (spec/1.0.0.md of agentplugins/agent-plugins-spec) and the MCP registry's server.json of 2025-12-11.
 */

const AGENT_PLUGINS = 'https://agent-plugins.org/schemas/1.0.0';
export const PLUGIN_SCHEMA = `${AGENT_PLUGINS}/plugin.schema.json`;
export const MCP_SCHEMA = `${AGENT_PLUGINS}/mcp.schema.json`;
export const SERVER_SCHEMA =
  'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

const author = z.strictObject({
  name: z.string().optional(),
  email: z.string().optional(),
  url: z.string().optional(),
});

/** `plugin.json` of Agent Plugins. No other properties are allowed. */
export const pluginManifest = z.strictObject({
  $schema: z.literal(PLUGIN_SCHEMA),
  name: z
    .string()
    .max(64)
    .regex(/^(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/),
  version: z.string().optional(),
  description: z.string().optional(),
  author: author.optional(),
  homepage: z.string().optional(),
  repository: z.string().optional(),
  license: z.string().optional(),
  keywords: z.array(z.string()).optional(),
  extensions: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

/** `mcp.json` of Agent Plugins, with servers that are started as programs. */
export const pluginServers = z.strictObject({
  $schema: z.literal(MCP_SCHEMA),
  mcpServers: z.record(
    z.string(),
    z.strictObject({
      type: z.literal('stdio'),
      command: z.string().regex(/^(\.\/|[^\s/\\$]+$)/),
      args: z.array(z.string()).optional(),
      env: z.record(z.string(), z.string()).optional(),
      cwd: z
        .string()
        .regex(/^(\.\/|\$\{PLUGIN_(ROOT|DATA)\}(\/|$))/)
        .optional(),
    }),
  ),
});

const exactVersion = z
  .string()
  .max(255)
  .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);

/** `server.json` of the MCP registry: the properties that we use, and no others. */
export const registryServer = z.strictObject({
  $schema: z.literal(SERVER_SCHEMA),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100).optional(),
  description: z.string().min(1).max(100),
  version: exactVersion,
  websiteUrl: z.url().optional(),
  repository: z.strictObject({ url: z.url(), source: z.string().min(1) }).optional(),
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string().min(1),
      version: exactVersion,
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
    }),
  ),
});
