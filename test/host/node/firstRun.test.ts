import { strict as assert } from 'node:assert';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { DebuggerOffers, OfferPerson } from '../../../src/editor/debuggerOffers';
import { skip } from '../../support/skip';
import {
  call,
  cleanUp,
  errorOf,
  insideExtension,
  inWorkspace,
  startServer,
} from '../support/client';
import { control, shownTexts } from '../support/hostControl';

const DEBUGPY = 'ms-python.debugpy';

describe('a window without the debugger for a language', () => {
  const program = 'first.py';
  let offers: DebuggerOffers;
  let person: OfferPerson;
  /** The messages, offers and pages that the person saw, in order. */
  const events: string[] = [];
  const taken = (): readonly string[] => events.splice(0);
  let pressed: (buttons: readonly string[]) => string | undefined = () => undefined;

  before(async () => {
    ({ debuggerOffers: offers } = await insideExtension());
    person = offers.person;
    writeFileSync(inWorkspace(program), 'print(1)\n');
    offers.person = {
      inform: (message, ...buttons) => {
        events.push(message);
        return Promise.resolve(pressed(buttons));
      },
      choose: (items) => {
        events.push(...items.map(({ label, description }) => `${label}: ${String(description)}`));
        return Promise.resolve(items[0]);
      },
      show: (extension) => {
        events.push(`shows ${extension}`);
        return Promise.resolve();
      },
    };
  });
  after(() => {
    offers.person = person;
    rmSync(inWorkspace(program));
  });
  beforeEach(taken);
  afterEach(cleanUp);

  it('offers it once when a call lacks it, and shows it on request', async () => {
    await call('get_debug_state', {});
    assert.deepEqual(taken(), [], 'nothing is offered unasked');
    pressed = ([show]) => show;
    const error = errorOf(await call('start_debugging', { program }), 'debugger_not_installed');
    assert.equal(error['extension'], DEBUGPY);
    const [offer, ...others] = taken();
    assert.ok(offer?.includes(DEBUGPY));
    assert.deepEqual(others, [`shows ${DEBUGPY}`]);
    errorOf(await call('start_debugging', { program }), 'debugger_not_installed');
    assert.deepEqual(taken(), [], 'not twice');
  });

  it('lists the debuggers that the workspace’s files need when the person asks', async () => {
    await vscode.commands.executeCommand('agentDebugger.findDebugger');
    assert.deepEqual(taken(), [`Python: ${DEBUGPY}`, `shows ${DEBUGPY}`]);
  });
});

describe('the status bar', () => {
  const ITEMS = '.statusbar-item[id^="agent-debugger.agent-debugger."]:visible';
  const WHO_DRIVES = '[id="agent-debugger.agent-debugger.agentDebugger.handOver"]';
  afterEach(cleanUp);

  it('shows only the MCP item at rest, and the hand-over item only while an agent drives', async function () {
    const atRest = await shownTexts(ITEMS);
    if (atRest === undefined)
      skip(this, 'only the npm-delivered VS Code shows its window to tests');
    assert.deepEqual(
      atRest.map((each) => each.trim()),
      ['MCP'],
    );
    await startServer();
    await control('wait', { selector: WHO_DRIVES, state: 'visible' });
    await cleanUp();
    await control('wait', { selector: WHO_DRIVES, state: 'hidden' });
    assert.deepEqual(await shownTexts(ITEMS), atRest);
  });
});
