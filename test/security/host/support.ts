import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import * as vscode from 'vscode';
import type { PersonsAnswer } from '../../../src/mcp/server/confirmation';
import type { Question } from '../../../src/tools/question';
import type { Answer } from '../../host/support/client';
import { connectTo, startMcp, type ForTests } from '../../host/mcp/support/mcp';

/** An MCP client in the hostile project, and a person who is asked and gives the answer that the test sets. */
export class AskedPerson {
  readonly questions: Question[] = [];
  answer: PersonsAnswer = 'declined';

  private constructor(
    private readonly inside: ForTests,
    private readonly client: Client,
    private readonly realAsk: ForTests['confirmation']['options']['ask'],
  ) {}

  static async meet(): Promise<AskedPerson> {
    const inside = await startMcp();
    await vscode.workspace
      .getConfiguration('agentDebugger.mcp')
      .update('confirm', true, vscode.ConfigurationTarget.Global);
    const person = new AskedPerson(
      inside,
      await connectTo(inside, 'probe'),
      inside.confirmation.options.ask,
    );
    inside.confirmation.options.ask = async (question) => {
      person.questions.push(question);
      return person.answer;
    };
    return person;
  }

  /** The result of a call, and the question that the person was asked for it. */
  async call(
    name: string,
    input: Record<string, unknown>,
    answer: PersonsAnswer,
  ): Promise<{ readonly result: Answer; readonly question: string | undefined }> {
    this.answer = answer;
    this.questions.length = 0;
    const result = (await this.client.callTool({ name, arguments: input }))
      .structuredContent as Answer;
    return { result, question: this.questions[0]?.message };
  }

  async leave(): Promise<void> {
    this.inside.confirmation.options.ask = this.realAsk;
    await this.client.close();
    await vscode.workspace
      .getConfiguration('agentDebugger.mcp')
      .update('confirm', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('agentDebugger.mcp.stop');
  }
}
