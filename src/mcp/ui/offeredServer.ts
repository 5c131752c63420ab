import * as vscode from 'vscode';
import { cursorMcpOf } from '../clients/cursorRegistration';
import { showsTools } from './editorTools';
import { localFolders } from './localFolders';
import { ofMachine } from './mcpSettings';
import { offeredUri } from './offeredUri';

/**
 * Whether the server is offered to the editor. VS Code's own agents have the tools already, so the server is offered to
 * them only if the person enables that. It is always offered in an editor that does not show such tools to its agents.
 * Cursor has its own list (`ClientSetUps.useEditor`).
 */
export function isOffered(editor: unknown = vscode): boolean {
  return (
    ofMachine('offerToVsCode') === true ||
    (!showsTools(editor) && cursorMcpOf(editor) === undefined)
  );
}

/** @param key the offered key, because VS Code writes the offered server to a file that others may read */
export function offeredDefinition(
  url: string,
  key: string,
  version: string,
): vscode.McpHttpServerDefinition {
  const [folder] = localFolders();
  return new vscode.McpHttpServerDefinition(
    'Agent Debugger',
    offeredUri(url, folder),
    { Authorization: `Bearer ${key}` },
    version,
  );
}

/**
 * Offers definitions to the editor. Editors based on an older VS Code lack this API. Their clients need a
 * configuration.
 */
export function offerDefinitions(
  onDidChange: vscode.Event<void>,
  definitions: () => Promise<vscode.McpHttpServerDefinition[]>,
): vscode.Disposable[] {
  if (!('registerMcpServerDefinitionProvider' in vscode.lm)) return [];
  return [
    vscode.lm.registerMcpServerDefinitionProvider('agentDebugger', {
      onDidChangeMcpServerDefinitions: onDidChange,
      provideMcpServerDefinitions: definitions,
    }),
  ];
}
