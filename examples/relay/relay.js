// @ts-check
/** Follows one debug session over the relay of Agent Debugger: DAP messages in JSON, one per WebSocket message. */

const OUTPUT_CHARACTERS = 100_000;

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const field = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (element(id));

/** @type {WebSocket | undefined} */
let socket;
let seq = 0;
let thread = 0;
let mayMove = false;
/** @type {Map<number, (body: any) => void>} */
const waiting = new Map();

field('port').value = new URLSearchParams(location.search).get('port') ?? '';
field('session').value = new URLSearchParams(location.search).get('session') ?? '';
// The part after # is never sent to a server.
field('key').value = new URLSearchParams(location.hash.slice(1)).get('key') ?? '';

element('connect').addEventListener('submit', (event) => {
  event.preventDefault();
  connect();
});
for (const button of document.querySelectorAll('[data-command]'))
  button.addEventListener('click', () =>
    request(button.getAttribute('data-command') ?? '', { threadId: thread }),
  );

function connect() {
  socket?.close();
  const session = field('session').value;
  const query = session === '' ? '' : `?session=${encodeURIComponent(session)}`;
  // A page cannot set headers: the key is offered as a subprotocol.
  const opened = new WebSocket(`ws://127.0.0.1:${field('port').value}/dap${query}`, [
    'agent-debugger.dap',
    `agent-debugger.key.${field('key').value}`,
  ]);
  socket = opened;
  opened.addEventListener('message', ({ data }) => {
    if (opened === socket) receive(JSON.parse(data));
  });
  opened.addEventListener('close', ({ code, reason }) => {
    if (opened !== socket) return;
    for (const settle of waiting.values()) settle({ success: false, message: 'not connected' });
    waiting.clear();
    say(`Not connected: ${reason || `refused or closed (${code})`}.`);
  });
}

/** @param {any} message */
function receive(message) {
  if (message.type === 'response') {
    waiting.get(message.request_seq)?.(message);
    waiting.delete(message.request_seq);
    return;
  }
  const handlers = { agentDebugger: greeted, stopped, continued, output, terminated, thread: threads };
  const handler = /** @type {any} */ (handlers)[message.event];
  if (handler !== undefined) handler(message.body);
}

/** @param {string} command @param {object} args @returns {Promise<any>} the body; an empty one if it failed */
function request(command, args) {
  seq += 1;
  const own = seq;
  return new Promise((resolve) => {
    waiting.set(own, ({ success, body, message }) => {
      if (!success) say(message);
      resolve(success ? body : {});
    });
    socket?.send(JSON.stringify({ seq: own, type: 'request', command, arguments: args }));
  });
}

/** @param {any} body */
function greeted({ session_id: id, name, type, state, rights, threads: all }) {
  mayMove = rights === 'control';
  say(`${name} (${type}, ${id}): ${state}`);
  element('moves').hidden = !mayMove;
  void threads();
  const held = all.find((/** @type {any} */ each) => each.stopped);
  if (held !== undefined) void show(held.id);
}

/** @param {any} body */
function stopped({ reason, threadId }) {
  say(`Stopped: ${reason}`);
  void threads();
  if (threadId !== undefined) void show(threadId);
}

function continued() {
  say('Running');
  list('stack', []);
  element('variables').replaceChildren();
}

/** @param {any} body */
function output({ output: text, category }) {
  if (category === 'telemetry') return;
  const shown = element('output');
  shown.textContent = `${shown.textContent ?? ''}${text}`.slice(-OUTPUT_CHARACTERS);
  shown.scrollTop = shown.scrollHeight;
}

function terminated() {
  say('The program has ended.');
}

async function threads() {
  const { threads: all = [] } = await request('threads', {});
  list(
    'threads',
    all.map((/** @type {any} */ each) => ({
      text: each.name,
      isCurrent: each.id === thread,
      open: () => show(each.id),
    })),
  );
}

/** @param {number} threadId */
async function show(threadId) {
  thread = threadId;
  const { stackFrames = [] } = await request('stackTrace', { threadId, startFrame: 0, levels: 50 });
  list(
    'stack',
    stackFrames.map((/** @type {any} */ frame, /** @type {number} */ index) => ({
      text: `${frame.name} ${frame.source?.name ?? ''}:${frame.line}`,
      isCurrent: index === 0,
      open: () => variables(frame.id),
    })),
  );
  if (stackFrames.length > 0) await variables(stackFrames[0].id);
}

/** @param {number} frameId */
async function variables(frameId) {
  const { scopes = [] } = await request('scopes', { frameId });
  const near = scopes.filter((/** @type {any} */ scope) => !scope.expensive);
  const read = near.map((/** @type {any} */ { variablesReference }) =>
    request('variables', { variablesReference }),
  );
  const all = (await Promise.all(read)).flatMap(({ variables: some = [] }) => some);
  element('variables').replaceChildren(
    ...all.flatMap(({ name, value }) => [text('dt', name), text('dd', value)]),
  );
}

/** @param {string} id @param {{ text: string, isCurrent: boolean, open: () => unknown }[]} items */
function list(id, items) {
  element(id).replaceChildren(
    ...items.map(({ text: label, isCurrent, open }) => {
      const item = document.createElement('li');
      const button = /** @type {HTMLButtonElement} */ (text('button', label));
      button.addEventListener('click', () => open());
      if (isCurrent) item.setAttribute('aria-current', 'true');
      item.append(button);
      return item;
    }),
  );
}

/** @param {string} tag @param {string} content */
function text(tag, content) {
  const made = document.createElement(tag);
  made.textContent = content;
  return made;
}

/** @param {string} message */
function say(message) {
  element('state').textContent = message;
}
