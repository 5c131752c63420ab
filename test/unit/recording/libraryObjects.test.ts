import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { skip } from '../../support/skip';
import { textOf } from '../../../src/debugger/protocol';
import { PYTHON, RECORDERS, run } from '../support/recorderRuns';

const SHORT = { text: 200, items: 12, telling: 100 };

/** A request of the standard library, and one of the person's own class. It has fields that are long, empty or private. */
const PYTHON_PROGRAM = `
import urllib.request
class Own(urllib.request.Request): pass
def made(kind): return kind('http://example.test/a?page=3', data=b'x' * 99, method='GET')
`;

/** Prints what the recorder tells of the parts of a value, from one line to the next. */
const PARTS = `
import json, os, sys
S = {'C': dict(text=200, items=12, depth=2, telling=100)}
for name in ('values.py', 'parts.py'):
    with open(os.path.join(${JSON.stringify(RECORDERS)}, 'python', name)) as part: exec(part.read(), S)
${PYTHON_PROGRAM}
def line(v):
    now = {'v': S['text'](v)}
    print(json.dumps(parts.line({'v': v}, now, last)[0]))
    last.update(now)
parts, last, v = S['Parts'](), {}, made(urllib.request.Request)
line(v)
before = last['v']
v.method = 'POST'
v._data = b'y'
line(v)
v.host, v.type, v._full_url, v._data, v.headers = 'example.org', 'https', 'b', b'z', {'a': 1}
line(v)
line(v)
print(json.dumps(before == last['v']))
`;

describe('an object of a library', function () {
  this.timeout(30_000);

  it('is shown by the Python recorder with the fields that say most, and own ones whole', function () {
    if (!existsSync(PYTHON)) skip(this, `there is no ${PYTHON}`);
    const shown = (kind: string, more: object): string => {
      const program = `${PYTHON_PROGRAM}\nv = made(${kind})\nhit(sys._getframe())\n`;
      const { hits } = run('python', program, { values: ['v'] }, more);
      return textOf(hits[0]?.values[0]) ?? '';
    };
    assert.match(
      shown('urllib.request.Request', SHORT),
      /^<Request type='http', host='example\.test', selector='\/a\?page=3', (?:method='GET', )?… \d+ more>$/,
    );
    const own = shown('Own', SHORT);
    assert.match(own, /^<Own _full_url='http:\/\/example\.test\/a\?page=3', fragment=None, /);
    const whole = shown('urllib.request.Request', { text: 200, items: 12 });
    assert.equal(whole.slice(0, 150), own.replace('Own', 'Request').slice(0, 150));
  });

  it('keeps its text in Python, and its changed parts are told: all of few, its own public ones of many', function () {
    if (!existsSync(PYTHON)) skip(this, `there is no ${PYTHON}`);
    const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', PARTS], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const [first, few, many, none, isKept] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    assert.deepEqual(first, []);
    assert.deepEqual(few, [
      ['v._data', "b'y'", `b'${'x'.repeat(78)}…`],
      ['v.method', "'POST'", "'GET'"],
    ]);
    assert.deepEqual(many, [
      ['v.type', "'https'", "'http'"],
      ['v.host', "'example.org'", "'example.test'"],
      // It was told before.
      ['v._data', "b'z'", "b'y'"],
      ['v[…]', '2 changed parts', null],
    ]);
    assert.deepEqual([none, isKept], [[], true]);
  });

  it('is shown by the JavaScript recorder with the members that say most, and own ones whole', () => {
    const shown = (make: string): string => {
      const program = `const http = require('node:http'), { EventEmitter } = require('node:events');
class Own extends EventEmitter { constructor() { super(); this.rows = [1, 2, 3, 4]; this.text = 'x'.repeat(90); } }
const request = new http.IncomingMessage(null);
Object.assign(request, { url: '/a?page=3', originalUrl: '/a?page=3', method: 'GET', httpVersion: '1.1' });
const v = ${make}; CONDITION;`;
      const { hits } = run('javascript', program, { values: ['v'] }, SHORT);
      return textOf(hits[0]?.values[0]) ?? '';
    };
    const short =
      /^IncomingMessage \{httpVersion: "1\.1", url: "\/a\?page=3", method: "GET", … \d+ more\}$/;
    assert.match(shown('request'), short);
    assert.match(
      shown('Object.create(request, { url: { value: "/", enumerable: true } })'),
      /^IncomingMessage \{url: "\/"\}$/,
    );
    assert.match(shown('new Own()'), /^Own \{_events: .*, rows: \[1, 2, 3, 4\], text: "x+/);
  });
});
