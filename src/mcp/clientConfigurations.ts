/** A client's configuration for this server, in the client's own format. */
export interface ClientConfiguration {
  readonly id: string;
  /** The client's own name, the same in every language. */
  readonly name: string;
  /** Where a person puts it, as the client's documentation names it. */
  readonly file: string;
  readonly text: string;
}

const NAME = 'agent-debugger';

/** Ready to paste, for each client that speaks Streamable HTTP. The key is in it: what is copied opens the debugger. */
export function clientConfigurations(url: string, key: string): readonly ClientConfiguration[] {
  const headers = { Authorization: `Bearer ${key}` };
  const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
  const servers = (entry: object): string => json({ mcpServers: { [NAME]: entry } });
  return [
    { id: 'cursor', name: 'Cursor', file: '.cursor/mcp.json', text: servers({ url, headers }) },
    { id: 'cline', name: 'Cline', file: 'cline_mcp_settings.json', text: servers({ type: 'streamableHttp', url, headers, timeout: 60 }) },
    { id: 'claude-code', name: 'Claude Code', file: '.mcp.json', text: servers({ type: 'http', url, headers }) },
    { id: 'windsurf', name: 'Windsurf', file: '~/.codeium/windsurf/mcp_config.json', text: servers({ serverUrl: url, headers }) },
    { id: 'codex', name: 'Codex', file: '~/.codex/config.toml', text: `[mcp_servers.${NAME}]\nurl = ${JSON.stringify(url)}\nhttp_headers = { Authorization = ${JSON.stringify(headers.Authorization)} }\n` },
    { id: 'gemini-cli', name: 'Gemini CLI', file: '.gemini/settings.json', text: servers({ httpUrl: url, headers }) },
    { id: 'opencode', name: 'opencode', file: 'opencode.json', text: json({ $schema: 'https://opencode.ai/config.json', mcp: { [NAME]: { type: 'remote', url, headers, enabled: true } } }) },
    { id: 'roo-code', name: 'Roo Code', file: '.roo/mcp.json', text: servers({ type: 'streamable-http', url, headers }) },
    { id: 'continue', name: 'Continue', file: '.continue/mcpServers/agent-debugger.yaml', text: `name: Agent Debugger\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: ${NAME}\n    type: streamable-http\n    url: ${url}\n    requestOptions:\n      headers:\n        Authorization: ${JSON.stringify(headers.Authorization)}\n` },
    { id: 'zed', name: 'Zed', file: '.zed/settings.json', text: json({ context_servers: { [NAME]: { url, headers } } }) },
    { id: 'other', name: 'HTTP', file: '', text: json({ url, headers }) },
  ];
}
