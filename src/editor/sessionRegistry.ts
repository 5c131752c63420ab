import type * as vscode from 'vscode';

/** VS Code's session objects by id: what requests are sent through. */
export class SessionRegistry {
  private readonly sessions = new Map<string, vscode.DebugSession>();
  private readonly tracked = new Set<string>();

  get(key: string): vscode.DebugSession | undefined {
    return this.sessions.get(key);
  }

  add(session: vscode.DebugSession): void {
    this.sessions.set(session.id, session);
  }

  /** A tracker sees its messages. */
  track(session: vscode.DebugSession): void {
    this.add(session);
    this.tracked.add(session.id);
  }

  /** Whether its messages are seen; not those of a session that was there before the extension. */
  isTracked(key: string): boolean {
    return this.tracked.has(key);
  }

  remove(session: vscode.DebugSession): void {
    this.sessions.delete(session.id);
    this.tracked.delete(session.id);
  }
}
