import type { LeftFunction } from './calls';

/**
 * Python code that finds out how the thread in which it is evaluated has left a call of the function `n` in the file
 * `p`. The debugger shows `r` as `threw ` and the exception, as `threw` if the exception is not known, as `returned`,
 * or as nothing if nothing is known. While the call's frame still exists, `r` has the call's last variables as members
 * of `locals`, and in `fields` the answer of the code `c`, which reads the fields of their objects.
 *
 * debugpy reports a stop in the caller while the call's frame still exists: its trace function is called at the end of
 * the frame, below `do_wait_suspend`. Python sets `sys.exc_info()` only when a handler begins. Seen in debugpy 1.6.6.
 */
const CODE = String.raw`
import sys, dis
class Locals(object): pass
class Left(object):
    def __init__(self, text, frame):
        self.text = text
        try:
            self.locals, ns = Locals(), {'variables': dict(frame.f_locals), 'answer': []}
            self.locals.__dict__.update(ns['variables'])
            exec(c, ns)
            self.fields = ns['answer'][0]
        except Exception: pass
    def __repr__(self): return self.text
def threw(e, frame):
    try: return Left('threw ' + repr(e)[:300], frame)
    except Exception: return Left('threw ' + type(e).__name__, frame)
def named(f): return f.f_code.co_name == n and f.f_code.co_filename.endswith(p)
def through(tb, live):
    """The frames of the function that an exception has left. Those of a recursion may still run."""
    found = []
    while tb is not None:
        if named(tb.tb_frame) and tb.tb_frame not in live: found.append(tb.tb_frame)
        tb = tb.tb_next
    return found
def threwOut(e, frames): return threw(e, frames[0] if len(frames) == 1 else None)
def known(f):
    live, b = [], f
    while b is not None: live, b = live + [b], b.f_back
    while f is not None and f.f_code.co_name != 'do_wait_suspend': f = f.f_back
    waiting = f.f_locals if f is not None else {}
    arg, e = waiting.get('arg'), sys.exc_info()[1]
    if waiting.get('event') == 'exception' and type(arg) is tuple and len(arg) == 3 and through(arg[2], live): return threwOut(arg[1], through(arg[2], live))
    while f is not None and 'pydevd' in f.f_code.co_filename: f = f.f_back
    if f is not None and f is not waiting.get('frame') and named(f):
        op = dis.opname[f.f_code.co_code[f.f_lasti]]
        # An exception may also leave a generator at a yield.
        if op == 'YIELD_FROM' or op == 'YIELD_VALUE' and waiting.get('arg') is None: return None
        return Left('returned' if op.startswith('RETURN') or op == 'YIELD_VALUE' else 'threw', f)
    frames = through(e.__traceback__, live) if e is not None else []
    return threwOut(e, frames) if frames else None
r = known(sys._getframe())
`;

/**
 * Returns an expression for `r`.
 * @param left the function of the call that was left, and Python code that reads the fields of the objects among
 * `variables` and adds its answer to `answer`
 */
export function leftCall({ name, path, fields }: LeftFunction): string {
  const called = JSON.stringify(name.split('.').at(-1));
  const file = JSON.stringify(path.replace(/^.*[\\/]/, ''));
  return `(lambda d:(__import__('builtins').exec(${JSON.stringify(CODE)},d),d['r'])[1])({'n':${called},'p':${file},'c':${JSON.stringify(fields)}})`;
}

/** Reads the text of the expression's value. */
export function readLeftCall(
  value: string,
): { readonly hasThrown: boolean; readonly exception?: string | undefined } | undefined {
  if (value === 'returned') return { hasThrown: false };
  const threw = /^threw(?: (.+))?$/s.exec(value);
  return threw === null ? undefined : { hasThrown: true, exception: threw[1] };
}

/**
 * Returns a Python expression for the names of the globals that the code of a frame uses, without functions, classes and
 * modules. The frame is found by its line and file.
 */
export function globalNames(line: number, file: string): string {
  const frame = `[f for f, n in __import__('traceback').walk_stack(__import__('sys')._getframe()) if n == ${line} and f.f_code.co_filename.endswith(${JSON.stringify(file)})][0]`;
  const isData = `not issubclass(type(g[n]), type) and type(g[n]).__name__ not in ('function', 'builtin_function_or_method', 'method', 'module')`;
  const names = `sorted(set(i.argval for i in __import__('dis').get_instructions(c) if i.opname in ('LOAD_GLOBAL', 'STORE_GLOBAL')))`;
  return `(lambda c, g: ' '.join(n for n in ${names} if n in g and ${isData}))(*(lambda f: (f.f_code, f.f_globals))(${frame}))`;
}
