import type { Fields } from '../protocol';

/**
 * debugpy lists an object's members by calling `getattr` for every name, which runs the program's properties. Instead,
 * one expression reads the fields of objects directly from `__dict__` and slots, bypassing the program's own
 * definitions. It formats only values of Python's built-in types. No code of the program runs, not even `__repr__`.
 * It reads the objects among `variables`, and adds one text to `answer`, see `readFieldsAnswer`.
 *
 * At each stop, it also sets TCP_NODELAY on debugpy's connection, as `recorders/python/connection.py` does.
 */
export const READING_FIELDS = String.raw`
T = type
O = object
GETSET = T(T.__dict__['__dict__'])
MEMBER = T(T.__dict__['__basicsize__'])
SLOT = T(O.__dict__['__repr__'])
PLAIN = (str, bytes, int, float, complex, list, tuple, set, frozenset, dict)
UNITTEST = ('_testMethodName', '_testMethodDoc', '_outcome', '_cleanups', '_subtest', '_type_equality_funcs', '_asyncioRunner', '_asyncioTestContext', '_asyncioTestLoop', '_asyncioCallsQueue')
SIGNS = {list: ('[', ']'), tuple: ('(', ')'), set: ('{', '}'), frozenset: ('{', '}'), dict: ('{', '}')}

def classes(t):
    return T.__dict__['__mro__'].__get__(t)

def members(t):
    return T.__dict__['__dict__'].__get__(t)

def name_of(t):
    return T.__dict__['__name__'].__get__(t)

def static(t, key):
    for c in classes(t):
        if key in members(c):
            return members(c)[key]

def own_dict(v):
    d = static(T(v), '__dict__')
    found = d.__get__(v) if T(d) is GETSET else None
    return found if T(found) is dict else None

def several(v, base, deep):
    if deep == 0:
        return '…'
    count = base.__len__(v)
    parts = []
    for item in dict.items(v) if base is dict else base.__iter__(v):
        if len(parts) == 5:
            parts.append('… %d more' % (count - 5))
            break
        parts.append('%s: %s' % (show(item[0], 0), show(item[1], deep - 1)) if base is dict else show(item, deep - 1))
    return ', '.join(parts)

def show(v, deep):
    t = T(v)
    if v is None or t is bool:
        return repr(v)
    if T in classes(t):
        return '<class %s>' % name_of(v)
    own = own_dict(v)
    if own and T(own.get('_name_')) is str and '_value_' in own:
        return '%s.%s' % (name_of(t), own['_name_'])
    for base in PLAIN:
        if base in classes(t):
            if base is str or base is bytes:
                text = base.__repr__(base.__getitem__(v, slice(0, 100)))
                if base.__len__(v) > 100:
                    text = '%s… (%d characters)' % (text[:-1], base.__len__(v))
            elif base is int:
                text = '<int of %d bits>' % int.bit_length(v) if int.bit_length(v) > 400 else int.__repr__(v)
            elif base in SIGNS:
                text = SIGNS[base][0] + several(v, base, deep) + SIGNS[base][1]
            else:
                text = base.__repr__(v)
            return text if t is base else '%s(%s)' % (name_of(t), text)
    if name_of(t) in ('date', 'timedelta', 'Decimal') and T(members(t).get('__repr__')) is SLOT:
        return members(t)['__repr__'](v)
    if name_of(t) in ('datetime', 'time') and T(members(t).get('__repr__')) is SLOT:
        return moment(v, t, deep)
    if name_of(t) == 'ZoneInfo' and T(members(t).get('__repr__')) is SLOT:
        return 'ZoneInfo(key=%s)' % show(members(t)['key'].__get__(v), 0)
    return '<%s object>' % name_of(t)

def moment(v, t, deep):
    zone = members(t)['tzinfo'].__get__(v)
    of_zone = members(T(zone))
    if zone is None or of_zone.get('utc') is zone and T(of_zone.get('__repr__')) is SLOT:
        return members(t)['__repr__'](v)
    text = members(t)['__repr__'](members(t)['replace'](v, tzinfo=None))
    return '%s, tzinfo=%s)' % (text[:-1], show(zone, deep))

def fields_of(v):
    found = {}
    for c in reversed(classes(T(v))):
        for key, d in members(c).items():
            if T(d) is MEMBER and key[:2] != '__':
                try:
                    found[key] = d.__get__(v)
                except AttributeError:
                    pass
    found.update({key: value for key, value in (own_dict(v) or {}).items() if T(key) is str})
    if any(name_of(c) == 'TestCase' and members(c).get('__module__') == 'unittest.case' for c in classes(T(v))):
        method = found.get('_testMethodName')
        for key in UNITTEST + ((method,) if T(method) is str else ()):
            found.pop(key, None)
    return found

def hasten():
    if T(__import__) is not T([].append):
        return
    try:
        modules = __import__('sys').modules
        sock = modules['_pydevd_bundle.pydevd_constants'].get_global_debugger().writer.sock
        sock.setsockopt(modules['socket'].IPPROTO_TCP, modules['socket'].TCP_NODELAY, 1)
    except Exception:
        pass

hasten()
objects = []
for name, v in list(variables.items()):
    if T(name) is not str or not name.isidentifier() or name[:2] == '__':
        continue
    if name != 'self' and static(T(v), '__repr__') is not O.__dict__['__repr__']:
        continue
    found = fields_of(v)
    if found:
        objects.append((name != 'self', name, found))
objects.sort(key=lambda entry: entry[0])
rows = []
for _, name, found in objects[:5]:
    row = [name, str(len(found))]
    for key in list(found)[:10]:
        text = show(found[key], 2)
        row += [key, text if len(text) <= 160 else text[:150] + '…']
    rows.append(chr(31).join(row))
answer.append(chr(30).join(rows).encode('utf-8', 'replace').hex())
`;

/** Python's built-ins, even if the program's variables hide them. */
const BUILTINS =
  "(lambda b: b if b.__class__ is {}.__class__ else b.__dict__)((lambda: 0).__globals__['__builtins__'])";

const EXPRESSION = `(lambda b, variables, answer: (b['exec'](${JSON.stringify(READING_FIELDS)}, {'__builtins__': b, 'variables': variables, 'answer': answer}), answer[0])[1])(${BUILTINS}, ${BUILTINS}['locals'](), [])`;

/** The arguments of the request for the fields of a frame's objects. DAP `evaluate`. */
export function fieldsRequest(frameId: number): {
  readonly expression: string;
  readonly frameId: number;
  readonly context: 'watch';
} {
  return { expression: EXPRESSION, frameId, context: 'watch' };
}

/** Whether a request is exactly the fields request, which has no side effects. */
export function isFieldsRequest(command: string, args: Fields): boolean {
  return command === 'evaluate' && args['expression'] === EXPRESSION;
}

/** The fields of one object in the response. */
export interface AnsweredFields {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly total: number;
}

/** Parses the response: the fields by the names of variables. Empty if the response is invalid. */
export function readFieldsAnswer(result: unknown): ReadonlyMap<string, AnsweredFields> {
  const hex = typeof result === 'string' ? /^'((?:[0-9a-f]{2})+)'$/.exec(result)?.[1] : undefined;
  if (hex === undefined) return new Map();
  const rows = Buffer.from(hex, 'hex').toString('utf8').split('\u001e');
  return new Map(
    rows.map((row) => {
      const [name = '', total = '0', ...rest] = row.split('\u001f');
      const fields: (readonly [string, string])[] = [];
      for (let at = 0; at + 1 < rest.length; at += 2)
        if (rest[at] !== '__proto__') fields.push([rest[at] ?? '', rest[at + 1] ?? '']);
      return [name, { fields, total: Number(total) }] as const;
    }),
  );
}
