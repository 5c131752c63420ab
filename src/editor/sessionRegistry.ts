import type * as vscode from 'vscode';

/** VS Code's session objects by id. Requests are sent through them. */
export class SessionRegistry {
  private readonly sessions = new Map<string, vscode.DebugSession>();
  private readonly tracked = new Set<string>();

  get(key: string): vscode.DebugSession | undefined {
    return this.sessions.get(key);
  }

  add(session: vscode.DebugSession): void {
    this.sessions.set(session.id, session);
  }

  /** Adds a session whose messages a tracker observes. */
  track(session: vscode.DebugSession): void {
    this.add(session);
    this.tracked.add(session.id);
  }

  /** Whether a tracker observes the session's messages. False for sessions that were running before activation. */
  isTracked(key: string): boolean {
    return this.tracked.has(key);
  }

  remove(session: vscode.DebugSession): void {
    this.sessions.delete(session.id);
    this.tracked.delete(session.id);
  }
}
