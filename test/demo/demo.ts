import path from 'node:path';
import * as vscode from 'vscode';
import type { Diagnostics } from '../../src/editor/diagnostics/diagnostics';
import { control } from '../host/support/hostControl';
import { stopOf, variable, type StopData, type VariableData } from '../host/support/stopData';

type FrameData = StopData['call_stack'][number];
import { Transcript, truth, type Answer } from './transcript';

/** An agent's whole session on `examples/shop`: from a customer's complaint to the wrong line. */
export async function run(): Promise<void> {
  const agent = new Transcript();
  agent.heading(`Agent Debugger in VS Code ${vscode.version}, on examples/shop`);
  agent.say('The person asks: “Bo pays 4.50 for a cup that costs 5.00. Debug it and tell me why.”');

  agent.heading('What is there, and does it happen?');
  await agent.call('get_debugger_configurations', {}, (answer) => {
    const configurations = answer['configurations'] as {
      name: string;
      type: string;
      program: string;
    }[];
    truth(
      configurations.length === 1 && configurations[0]?.name === 'Checkout',
      'there is one configuration, Checkout',
      answer,
    );
    return configurations.map((each) => `${each.name} (${each.type}): ${each.program}`);
  });
  await agent.call(
    'start_debugging',
    { configuration_name: 'Checkout', no_debug: true },
    (answer) => {
      const output = (answer['output'] ?? []) as string[];
      truth(answer.status === 'completed', 'the program runs to its end', answer);
      truth(
        output.some((line) => line.startsWith('Bo pays 4.50 (WRONG')),
        'Bo pays too little',
        answer,
      );
      return output.filter((line) => line.includes('pays'));
    },
  );

  agent.heading('Where does the price come from?');
  const set = await agent.call(
    'set_breakpoint',
    { file_path: 'src/checkout.js', line_content: 'total += price;' },
    breakpointLines,
  );
  const breakpoint = set['breakpoint'] as { id: number; line: number };
  const first = stopOf(
    await agent.call('start_debugging', { configuration_name: 'Checkout' }, stopLines),
  );
  truth(
    first.line === breakpoint.line && first.hit_breakpoint_ids?.[0] === breakpoint.id,
    'it stops at the breakpoint',
    first,
  );
  truth(variable(first, 'price').value === '1080', 'Ada, a member, pays ten percent less', first);
  const stepped = stopOf(
    await agent.call(
      'step_execution',
      { thread_id: first.thread_id, step_type: 'over' },
      stopLines,
    ),
  );
  truth(
    stepped.reason === 'step' && variable(stepped, 'total').value === '1080',
    'the step added the price to the total',
    stepped,
  );

  agent.heading('Ada is fine. Stop only for those who are no members.');
  await agent.call(
    'set_breakpoint',
    { file_path: 'src/checkout.js', line_number: breakpoint.line, condition: '!order.member' },
    breakpointLines,
  );
  const wrong = stopOf(
    await agent.call('continue_debugging', { thread_id: stepped.thread_id }, stopLines),
  );
  const frame = wrong.call_stack[0]?.frame_id;
  truth(variable(wrong, 'price').value === '450', 'Bo is asked for 450 cents', wrong);
  await agent.call(
    'get_variables',
    { variables_reference: variable(wrong, 'product').variables_reference },
    (answer) => {
      const members = (answer['variables'] as VariableData[]).filter(
        (each) => !each.name.startsWith('[['),
      );
      truth(
        members.some((each) => each.name === 'price' && each.value === '450'),
        'the product itself says 450',
        answer,
      );
      return members.map((each) => `product.${each.name} = ${each.value}`);
    },
  );
  await agent.call(
    'evaluate_expression',
    {
      expression:
        "order.customer + ': ' + catalog.get('cup').price + ', ' + (catalog.get('cup') === product)",
      frame_id: frame,
    },
    (answer) => {
      truth(
        answer['result'] === "'Bo: 450, true'",
        'the catalogue itself holds the wrong price',
        answer,
      );
      return [
        `= ${answer['result']}`,
        'The catalogue has changed: it said 500 when the program was written.',
      ];
    },
  );
  await picture(wrong);
  await agent.call('stop_debugging', {}, endLines);

  agent.heading('Who writes to the catalogue?');
  await agent.call(
    'set_breakpoint',
    { file_path: 'src/checkout.js', line_content: 'product.price = product.price * 0.9;' },
    breakpointLines,
  );
  const writer = stopOf(
    await agent.call('start_debugging', { configuration_name: 'Checkout' }, stopLines),
  );
  const before = await agent.call(
    'evaluate_expression',
    { expression: 'product.price', frame_id: writer.call_stack[0]?.frame_id },
    (answer) => [`= ${String(answer['result'])}`],
  );
  truth(before['result'] === '1200', 'before the line the tea costs 1200', before);
  stopOf(
    await agent.call(
      'step_execution',
      { thread_id: writer.thread_id, step_type: 'over' },
      stopLines,
    ),
  );
  const stack = await agent.call('get_call_stack', { levels: 2 }, (answer) =>
    (answer['call_stack'] as FrameData[]).map(
      (each) => `${each.function_name} at ${path.basename(each.file_path)}:${each.line_number}`,
    ),
  );
  const [, caller] = stack['call_stack'] as FrameData[];
  truth(caller?.function_name === 'checkout', 'checkout called it', stack);
  const price = await agent.call(
    'evaluate_expression',
    { expression: "catalog.get('tea').price", frame_id: caller.frame_id },
    (answer) => [`= ${String(answer['result'])}`],
  );
  truth(price['result'] === '1080', 'after the line the catalogue says 1080', price);
  await timelinePicture();
  await agent.call('remove_breakpoint', { clear_all: true }, (answer) => [
    String(answer['message']),
  ]);
  await agent.call('stop_debugging', {}, endLines);
  await agent.call('get_debug_state', {}, (answer) => {
    const running = (answer['sessions'] as { state: string }[]).filter(
      (each) => each.state !== 'terminated',
    );
    truth(
      running.length === 0 && vscode.debug.breakpoints.length === 0,
      'nothing is left behind',
      answer,
    );
    return ['No session runs, and no breakpoint is left.'];
  });

  agent.cause([
    `src/checkout.js:${writer.line} writes the member's discount into the catalogue's own product,`,
    'so everyone who buys it later pays the discounted price, member or not.',
    'Compute the price instead: return order.member ? product.price * 0.9 : product.price;',
  ]);
  agent.end();
}

/** Takes a picture of VS Code at a stop, in the file and line of the transcript. */
async function picture(stop: StopData): Promise<void> {
  const file = process.env['AGENT_DEBUGGER_DEMO_PICTURE'];
  if (file === undefined) return;
  await vscode.commands.executeCommand('workbench.view.debug');
  await vscode.commands.executeCommand('notifications.clearAll');
  const editor = vscode.window.activeTextEditor;
  truth(
    editor?.document.uri.fsPath === stop.source?.path,
    'VS Code shows the file of the stop',
    editor?.document.uri.fsPath,
  );
  if (await control('screenshot', { path: file, selector: '.debug-call-stack .monaco-list-row' }))
    console.log(`\n    picture: ${path.relative(process.cwd(), file)}`);
  await part('AGENT_DEBUGGER_DEMO_EDITOR_PART', '.part.editor');
}

async function insideExtension(): Promise<{ readonly diagnostics: Diagnostics }> {
  const extension = vscode.extensions.getExtension<{ readonly diagnostics: Diagnostics }>(
    'agent-debugger.agent-debugger',
  );
  truth(extension !== undefined, 'the extension is there', extension);
  return await extension.activate();
}

/** Views that are hidden to make room for the timeline. */
const OTHER_VIEWS = ['watchExpressionsView', 'loadedScriptsView', 'breakPointsView'];

/** Takes a picture of the timeline of the session so far, with its newest step expanded. */
async function timelinePicture(): Promise<void> {
  const file = process.env['AGENT_DEBUGGER_DEMO_TIMELINE'];
  if (file === undefined) return;
  const toggle = async (): Promise<void> => {
    for (const view of OTHER_VIEWS)
      await vscode.commands.executeCommand(`workbench.debug.${view}.toggleVisibility`);
  };
  await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
  await vscode.commands.executeCommand('agentDebugger.timeline.focus');
  await toggle();
  // The sidebar gets the width that the editor loses.
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  for (let times = 0; times < 4; times += 1)
    await vscode.commands.executeCommand('workbench.action.decreaseViewWidth');
  await vscode.commands.executeCommand('agentDebugger.timeline.focus');
  const { timeline } = (await insideExtension()).diagnostics;
  const step = timeline.getChildren().find((each) => each.description.includes('→'));
  truth(step !== undefined, 'the timeline has the step that changed the price', step);
  await timeline.view.reveal(step, { expand: true, select: false });
  const shown = '[aria-label^="Changed: "]';
  if (await control('screenshot', { path: file, selector: shown }))
    console.log(`\n    picture: ${path.relative(process.cwd(), file)}`);
  await part('AGENT_DEBUGGER_DEMO_TIMELINE_PART', `.pane:has(${shown})`);
  await toggle();
}

/** Takes a picture of a part of the window, for the walkthrough. */
async function part(variable: string, element: string): Promise<void> {
  const file = process.env[variable];
  if (file !== undefined) await control('screenshot', { path: file, element });
}

function breakpointLines(answer: Answer): string[] {
  const set = answer['breakpoint'] as {
    id: number;
    verified: boolean;
    source: { path: string };
    line: number;
    condition?: string;
  };
  return [
    `breakpoint ${set.id} at ${path.basename(set.source.path)}:${set.line}${set.condition ? ` when ${set.condition}` : ''}, ${set.verified ? 'verified' : 'not checked yet: nothing runs'}`,
  ];
}

function stopLines(answer: Answer): string[] {
  const stop = stopOf(answer);
  const values = (stop.top_frame_variables?.variables ?? [])
    .filter((each) => each.name !== 'this')
    .map((each) => `${each.name} = ${each.value}`);
  return [
    `${stop.reason} at ${stop.source?.name ?? '?'}:${stop.line} in ${stop.call_stack[0]?.function_name ?? '?'}`,
    ...(stop.source_lines ?? []),
    values.join(', '),
    ...(stop.output ?? [])
      .filter((line) => line.includes('pays'))
      .map((line) => `printed: ${line}`),
  ];
}

function endLines(answer: Answer): string[] {
  truth(answer.status === 'success' && answer['ended'] === true, 'the session has ended', answer);
  return [String(answer['message'])];
}
