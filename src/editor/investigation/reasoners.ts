import { spawn } from 'node:child_process';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Reasoner } from '../../investigation/reasoning';
import { allowedEnvironment } from '../../investigation/environment';
import { settings } from '../settings';
import type { ReasonerChoice } from '../../tools/investigation/investigationServices';

/** The maximum number of characters of an answer that are read. */
const MAX_CHARACTERS = 200_000;
const MAX_OF_AN_ERROR = 500;

/** The reasoner that the person has chosen in the settings. There is none by default. */
export class ChosenReasoner implements ReasonerChoice {
  get kind(): ReasonerChoice['kind'] {
    return settings.investigation.reasoner;
  }

  get label(): string {
    const { reasonerCommand } = settings.investigation;
    switch (this.kind) {
      case 'command':
        return reasonerCommand.join(' ');
      case 'vscode':
        return l10n.t('a language model of VS Code');
      case 'mcp':
        return l10n.t('the model of the MCP client');
      case 'off':
        return '';
    }
  }

  async find(): Promise<Reasoner | undefined> {
    if (this.kind === 'command') return commandReasoner(settings.investigation.reasonerCommand);
    if (this.kind !== 'vscode' || !('selectChatModels' in vscode.lm)) return undefined;
    const [model] = await vscode.lm.selectChatModels();
    return model === undefined ? undefined : modelReasoner(model);
  }
}

/** A reasoner that asks a model of VS Code. VS Code itself asks the person whether the extension may use it. */
function modelReasoner(model: vscode.LanguageModelChat): Reasoner {
  return {
    name: `${model.vendor} ${model.name}`,
    ask: async (prompt, signal) => {
      const source = new vscode.CancellationTokenSource();
      const cancel = (): void => source.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      try {
        const messages = [vscode.LanguageModelChatMessage.User(prompt)];
        const response = await model.sendRequest(messages, {}, source.token);
        let answer = '';
        for await (const piece of response.text) {
          answer += piece;
          if (answer.length > MAX_CHARACTERS) break;
        }
        return answer;
      } finally {
        signal.removeEventListener('abort', cancel);
        source.dispose();
      }
    },
  };
}

/**
 * A reasoner that runs a program, which reads the prompt from standard input and prints the answer. No shell is
 * involved.
 */
export function commandReasoner(command: readonly string[]): Reasoner | undefined {
  const [program, ...args] = command;
  if (program === undefined) return undefined;
  return {
    name: command.join(' '),
    ask: async (prompt, signal) =>
      await new Promise((resolve, reject) => {
        const child = spawn(program, args, {
          env: allowedEnvironment(process.env, settings.investigation.environment),
          signal,
          windowsHide: true,
        });
        let [answer, errors] = ['', ''];
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          if (answer.length < MAX_CHARACTERS) answer += text;
        });
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          errors = (errors + text).slice(-MAX_OF_AN_ERROR);
        });
        child.once('error', reject);
        child.once('close', (code) => {
          if (code === 0) resolve(answer);
          else reject(new Error(`${program} ended with exit code ${code}: ${errors}`));
        });
        // If the program ends before it has read the whole prompt, its exit code and output report the reason.
        child.stdin.on('error', () => undefined);
        child.stdin.end(prompt);
      }),
  };
}
