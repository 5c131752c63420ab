import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fields, listOf, textOf } from '../../../src/debugger/protocol';
import { launched } from '../support/events';
import { RECORDERS } from '../support/recorderRuns';
import { bench, running, type Bench } from '../support/services';
import { skip } from '../../support/skip';
import {
  lldbAnswer,
  lldbCallFile,
  lldbEarlyCallFile,
  lldbEarlyImport,
  lldbEarlyProbeFile,
  lldbImport,
  lldbProbeFile,
} from '../../../src/recording/lldb/recorder';

const LIMITS = { maxHits: 2, shown: { text: 100, items: 3, depth: 2 }, folders: ['/shop'] };
const signal = new AbortController().signal;
const IMPORT = /^`command script import "(.*\/(agent_debugger_\w+)\.py)"$/;

/** A fake LLDB that answers the commands of the recorder. */
class Lldb {
  file = '';
  name = '';
  readonly called: string[] = [];
  private answers: Readonly<Record<string, object>> = {};

  constructor(on: Bench) {
    on.host.on('evaluate', ({ expression }) => ({ result: this.answer(textOf(expression) ?? '') }));
  }

  answering(answers: Readonly<Record<string, object>>): this {
    this.answers = answers;
    return this;
  }

  get folder(): string {
    return path.dirname(this.file);
  }

  private answer(command: string): string {
    const [, file, name] = IMPORT.exec(command) ?? [];
    if (file !== undefined && name !== undefined) {
      assert.match(readFileSync(file, 'utf8'), /^C = json\.loads\(".*agent_debugger_/m);
      this.file = file;
      this.name = name;
      return '(lldb) command script import';
    }
    const call = /\.(\w+)\((.*)\)$/.exec(command);
    assert.ok(command.startsWith('`script ') && call?.[1], command);
    this.called.push(`${call[1]}(${call[2] ?? ''})`);
    const facts = this.answers[call[1]];
    return facts === undefined
      ? 'error: Embedded script interpreter unavailable.'
      : `(lldb) ${command}\n${this.name}${JSON.stringify(facts)}\n`;
  }
}

function native(configuration = {}): Bench {
  const on = bench();
  for (const event of launched('a', { sessionType: 'lldb-dap', configuration }))
    on.model.dispatch(event);
  return on;
}

describe('a call that is recorded by a script in LLDB', () => {
  it('is read from the script’s file, and leaves no files behind', async () => {
    const on = native();
    const lldb = new Lldb(on).answering({
      begin: { lines: 3 },
      returned: { returned: '12' },
      end: { ended: true },
    });
    const recorder = await on.services.recordings.beginScript(on.session(), 17, LIMITS, signal);
    assert.ok(recorder);
    assert.deepEqual(lldb.called, ['begin(lldb.debugger, 17)']);
    const rows = [
      ['b', 1],
      [1, 5, '', null, null, null, false, { sum: '0' }],
      [2, 6, '', null, null, null, true, { sum: '1' }],
      [3, 'r', true, false, 'std::bad_alloc', 6],
    ];
    appendFileSync(
      path.join(lldb.folder, 'lldb.jsonl'),
      rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    );
    await recorder.settle();
    assert.deepEqual(
      recorder.read().map(({ point, stopped, locals }) => [point, stopped, locals]),
      [
        [5, false, { sum: '0' }],
        [6, true, { sum: '1' }],
      ],
    );
    assert.equal(recorder.isFull, true);
    const [end] = recorder.readCalls();
    assert.ok(end?.kind === 'ended' && !end.hasReturned && end.isChosen);
    assert.deepEqual([end.value, end.thrownAt], ['std::bad_alloc', 6]);
    assert.equal(await recorder.returned?.(signal), '12');
    const { folder } = lldb;
    await recorder.dispose();
    await recorder.dispose();
    assert.equal(lldb.called.filter((call) => call.startsWith('end(')).length, 1);
    assert.equal(existsSync(folder), false);
  });

  it('is not started if LLDB has no Python, finds no function or accepts no commands', async () => {
    const all: Readonly<Record<string, object>>[] = [{}, { begin: { error: 'no function' } }];
    for (const answers of all) {
      const on = native();
      const lldb = new Lldb(on).answering(answers);
      assert.equal(
        await on.services.recordings.beginScript(on.session(), 1, LIMITS, signal),
        undefined,
      );
      assert.equal(existsSync(lldb.folder), false);
    }
    const off = native({ commandEscapePrefix: '' });
    new Lldb(off);
    assert.equal(
      await off.services.recordings.beginScript(off.session(), 1, LIMITS, signal),
      undefined,
    );
    assert.deepEqual(off.host.sent('evaluate'), []);
    const other = running(bench());
    assert.equal(
      await other.services.recordings.beginScript(other.session(), 1, LIMITS, signal),
      undefined,
    );
  });

  it('leaves no folder behind if the debugger refuses', async () => {
    const on = native();
    let folder = '';
    on.host.on('evaluate', ({ expression }) => {
      folder = path.dirname(IMPORT.exec(textOf(expression) ?? '')?.[1] ?? '');
      assert.deepEqual(readdirSync(folder).filter((name) => name.endsWith('.py')).length, 1);
      throw new Error('not now');
    });
    await assert.rejects(
      on.services.recordings.beginScript(on.session(), 1, LIMITS, signal),
      /adapterRefused|not now/,
    );
    assert.equal(existsSync(folder), false);
  });
});

describe('a recording that waits for its program', () => {
  const ENTRY = { path: '/a.cpp', line: 2, start: 1, end: 9, call: 1 };

  async function prepared(on: Bench) {
    const found = await on.services.recordings.prepareCall(
      'lldb-dap',
      () => on.session(),
      ENTRY,
      LIMITS,
    );
    assert.ok(found);
    const [command] = listOf(found.configure({ request: 'launch' })['preRunCommands']);
    const file = /isfile\("(.*?)"\)/.exec(textOf(command) ?? '')?.[1] ?? '';
    return { ...found, folder: path.dirname(file) };
  }

  const write = (folder: string, ...rows: unknown[][]): void =>
    appendFileSync(
      path.join(folder, 'lldb.jsonl'),
      rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    );

  it('begins when the debugger has loaded it, and knows where it has stopped the program', async () => {
    const on = native();
    const lldb = new Lldb(on);
    const { recording, folder } = await prepared(on);
    assert.deepEqual([existsSync(folder), recording.hasBegun], [true, false]);
    write(folder, ['b', 0]);
    assert.equal(recording.hasBegun, true);
    assert.deepEqual(recording.arrival, { place: undefined, threadId: undefined });
    write(folder, [1, 5, '', null, null, null, false, { n: '1' }], [2, 'r', true, true, '1']);
    write(folder, [3, 'd', 'caller', 17]);
    await recording.settle();
    assert.deepEqual(recording.arrival, { place: 'caller', threadId: 17 });
    await recording.dispose();
    // The recorder has removed its breakpoints.
    assert.deepEqual(lldb.called, []);
    assert.deepEqual([existsSync(folder), recording.hasBegun], [false, true]);
  });

  it('is removed from a debugger that waits for the call, and sends nothing to one that has not begun', async () => {
    const on = native();
    const lldb = new Lldb(on);
    const waiting = await prepared(on);
    await waiting.recording.loadNow(signal);
    write(waiting.folder, ['b', 1]);
    await waiting.recording.dispose();
    assert.deepEqual(lldb.called, ['end(lldb.debugger)']);
    const never = await prepared(on);
    await never.recording.dispose();
    assert.deepEqual(
      [lldb.called.length, never.recording.hasBegun, existsSync(never.folder)],
      [1, false, false],
    );
  });

  it('does not exist for a debugger without commands before a launch', async () => {
    const on = native();
    const { recordings } = on.services;
    const none = await recordings.prepareCall('debugpy', () => undefined, ENTRY, LIMITS);
    assert.equal(none, undefined);
  });
});

/** Runs a file as LLDB imports it, and prints its settings. */
const RUN = `
import sys, types, json
sys.modules['lldb'] = types.ModuleType('lldb')
space = {'__name__': 'recorder'}
exec(sys.stdin.read(), space)
print(json.dumps(space['C']))
`;

describe('the LLDB recorder', () => {
  it('is valid Python, whatever its settings contain', function () {
    if (!existsSync('/usr/bin/python3')) skip(this, 'Python is not installed');
    const limits = { hits: 1, text: 2, items: 3, depth: 4 };
    const settings = { name: 'a', folder: '/tmp/\u2028"\\', folders: ['/shop'], ...limits };
    const probe = { id: 1, path: '/a.cpp', line: 2, values: ['"x"'], when: null, claim: 'y > 0' };
    const probes = { ...settings, probes: [probe], stopAtLimit: true, stopAtRefuted: false };
    const entry = { path: '/a.cpp', line: 2, start: 1, end: 9, call: 3 };
    for (const file of [
      lldbCallFile(RECORDERS, settings),
      lldbProbeFile(RECORDERS, probes),
      lldbEarlyCallFile(RECORDERS, settings, entry),
      lldbEarlyProbeFile(RECORDERS, probes),
    ]) {
      const checked = spawnSync('/usr/bin/python3', ['-c', RUN], { input: file, encoding: 'utf8' });
      assert.equal(checked.status, 0, checked.stderr);
      const { folder } = settings;
      const read = fields(JSON.parse(checked.stdout));
      assert.deepEqual([read['folder'], read['hits']], [folder, 1]);
      if (file.includes('probes.py')) assert.deepEqual(read['probes'], [probe]);
    }
  });

  it('shows the names of functions without parameters and templates, and reads the operands of calls', function () {
    if (!existsSync('/usr/bin/python3')) skip(this, 'Python is not installed');
    const limits = { hits: 1, text: 2, items: 3, depth: 4 };
    const file = lldbCallFile(RECORDERS, { name: 'a', folder: '/tmp', folders: [], ...limits });
    const names = [
      'total(Cart const&, int)',
      'shop::Cart::add(int)',
      'int biggest<int>(int, int)',
      'std::vector<int, std::allocator<int> >::push_back(int const&)',
      'operator<(Cart const&, Cart const&)',
      'main',
    ];
    const operands = [
      '%rax',
      '*%rax',
      '*0x10(%rdi)',
      '*-8(%rbx)',
      'x8',
      '*(%rdx,%rax,8)',
      '*0x3(%rip)',
    ];
    const script = `${RUN}
class Register:
    def IsValid(self): return True
    def GetValueAsUnsigned(self): return 100
class Frame:
    def FindRegister(self, name): return Register()
    def GetThread(self): return self
    def GetProcess(self): return self
    def ReadPointerFromMemory(self, address, error): return address * 1000
class Error:
    def Success(self): return True
sys.modules['lldb'].SBError = Error
print(json.dumps([space['plain_name'](name) for name in ${JSON.stringify(names)}]))
print(json.dumps([space['target_of'](Frame(), text, 7) for text in ${JSON.stringify(operands)}]))
`;
    const ran = spawnSync('/usr/bin/python3', ['-c', script], { input: file, encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    const [, plain = '', targets = ''] = ran.stdout.split('\n');
    assert.deepEqual(JSON.parse(plain), [
      ...['total', 'shop::Cart::add', 'biggest', 'std::vector::push_back'],
      ...['operator<(Cart const&, Cart const&)', 'main'],
    ]);
    assert.deepEqual(JSON.parse(targets), [100, 100, 116_000, 92_000, 100, null, 10_000]);
  });

  it('reads the frames again that LLDB has kept from an earlier stop', function () {
    if (!existsSync('/usr/bin/python3')) skip(this, 'Python is not installed');
    const limits = { hits: 1, text: 2, items: 3, depth: 4 };
    const file = lldbCallFile(RECORDERS, { name: 'a', folder: '/tmp', folders: [], ...limits });
    const script = `${RUN}
class Frame:
    def __init__(self, name, pc): self.name, self.pc = name, pc
    def GetThread(self): return thread
    def SetPC(self, pc): thread.frames = [Frame('fresh', pc)]
class Thread:
    frames = [Frame('kept', 6)]
    def GetFrameAtIndex(self, index): return self.frames[index]
class Location:
    def GetLoadAddress(self): return 7
class Caller(Frame):
    def SetPC(self, pc): raise Exception('this would write the return address')
thread = Thread()
@space['at_breakpoint']
def seen(frame, location, internals): return [frame.name, frame.pc]
print(json.dumps(seen(Caller('caller', 5), Location(), {})))
`;
    const ran = spawnSync('/usr/bin/python3', ['-c', script], { input: file, encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    assert.deepEqual(JSON.parse(ran.stdout.split('\n')[1] ?? ''), ['fresh', 7]);
    const folder = path.join(RECORDERS, 'lldb');
    const all = readdirSync(folder)
      .map((each) => readFileSync(path.join(folder, each), 'utf8'))
      .flatMap((text) => text.match(/^.*\ndef \w+\(frame, location, internals\)/gm) ?? []);
    assert.ok(all.length > 8);
    assert.deepEqual(
      all.filter((callback) => !callback.startsWith('@at_breakpoint\n')),
      [],
    );
  });

  it('is loaded before a launch only as long as its file exists', function () {
    if (!existsSync('/usr/bin/python3')) skip(this, 'Python is not installed');
    const run = (file: string) => {
      const [, statement = ''] = /^script (.*)$/.exec(lldbEarlyImport(file)) ?? [];
      const debug = `import types; lldb = types.SimpleNamespace(debugger=types.SimpleNamespace(HandleCommand=print))`;
      return spawnSync('/usr/bin/python3', ['-c', `${debug}\n${statement}`], { encoding: 'utf8' });
    };
    assert.equal(run(__filename).stdout, `${lldbImport(__filename)}\n`);
    const gone = run('/no/such "file".py');
    assert.deepEqual([gone.status, gone.stdout], [0, ''], gone.stderr);
  });

  it('is loaded by its quoted path, and prints its answers after its name', () => {
    assert.equal(lldbImport('/a "b"\\c.py'), 'command script import "/a \\"b\\"\\\\c.py"');
    assert.equal(
      lldbAnswer('x1', '(lldb) script x1.end()\r\nx1{"ended":true}\r\n'),
      '{"ended":true}',
    );
    assert.equal(lldbAnswer('x1', 'error: no'), undefined);
  });
});
