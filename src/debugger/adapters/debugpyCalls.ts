/**
 * Python code that finds out how the thread in which it is evaluated has left a call of the function `n` in the file
 * `p`. The debugger shows `r` as `threw ` and the exception, as `threw` if the exception is not known, as `returned`,
 * or as nothing if nothing is known.
 *
 * debugpy reports a stop in the caller while the call's frame still exists: its trace function is called at the end of
 * the frame, below `do_wait_suspend`. Python sets `sys.exc_info()` only when a handler begins. Seen in debugpy 1.6.6.
 */
const CODE = String.raw`
import sys, dis
class Text(object):
    def __init__(self, text): self.text = text
    def __repr__(self): return self.text
def threw(e):
    try: return Text('threw ' + repr(e)[:300])
    except Exception: return Text('threw ' + type(e).__name__)
def named(f): return f.f_code.co_name == n and f.f_code.co_filename.endswith(p)
def through(tb):
    while tb is not None:
        if named(tb.tb_frame): return True
        tb = tb.tb_next
    return False
def known(f):
    while f is not None and f.f_code.co_name != 'do_wait_suspend': f = f.f_back
    waiting = f.f_locals if f is not None else {}
    arg, e = waiting.get('arg'), sys.exc_info()[1]
    if waiting.get('event') == 'exception' and type(arg) is tuple and len(arg) == 3 and through(arg[2]): return threw(arg[1])
    while f is not None and 'pydevd' in f.f_code.co_filename: f = f.f_back
    if f is not None and f is not waiting.get('frame') and named(f):
        return Text('returned' if dis.opname[f.f_code.co_code[f.f_lasti]].startswith('RETURN') else 'threw')
    return threw(e) if e is not None and through(e.__traceback__) else None
r = known(sys._getframe())
`;

/** Returns an expression for `r`. @param left the function of the call that was left */
export function leftCall({ name, path }: { readonly name: string; readonly path: string }): string {
  const called = JSON.stringify(name.split('.').at(-1));
  const file = JSON.stringify(path.replace(/^.*[\\/]/, ''));
  return `(lambda d:(__import__('builtins').exec(${JSON.stringify(CODE)},d),d['r'])[1])({'n':${called},'p':${file}})`;
}

/** Reads the text of the expression's value. */
export function readLeftCall(
  value: string,
): { readonly hasThrown: boolean; readonly exception?: string | undefined } | undefined {
  if (value === 'returned') return { hasThrown: false };
  const threw = /^threw(?: (.+))?$/s.exec(value);
  return threw === null ? undefined : { hasThrown: true, exception: threw[1] };
}
