import type * as vscode from 'vscode';

/** VS Code's session objects by id: what requests are sent through. */
export class SessionRegistry {
  private readonly sessions = new Map<string, vscode.DebugSession>();

  get(key: string): vscode.DebugSession | undefined {
    return this.sessions.get(key);
  }

  add(session: vscode.DebugSession): void {
    this.sessions.set(session.id, session);
  }

  remove(session: vscode.DebugSession): void {
    this.sessions.delete(session.id);
  }
}
