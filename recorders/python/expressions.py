"""Evaluates expressions of the person. An expression means in a frame what it would mean in its source. Needs `values.py`.
Python 3.6 and newer.
"""
import re
NESTED = type((lambda: 0).__code__)

def hasNested(code):
    """Whether an expression has functions of its own: a lambda, a generator, or a comprehension."""
    return any(type(c) is NESTED for c in code.co_consts)

def namesIn(code):
    """The names that an expression takes from outside of it."""
    names = set(code.co_names)
    for c in code.co_consts:
        if type(c) is NESTED: names |= namesIn(c)
    return names

def ownClass(t):
    """The name of the class in whose source a frame's function is. Before Python 3.11, only methods tell."""
    code = t.f_code
    name = getattr(code, 'co_qualname', None)
    if name is None: return classOfMethod(t)
    parts = name.split('.')
    isBody = not code.co_flags & 2
    for i in range(len(parts) - 1, -1, -1):
        if parts[i] == '<locals>' or i + 1 < len(parts) and parts[i + 1] == '<locals>': continue
        if i == len(parts) - 1 and not isBody: continue
        return parts[i]

def classOfMethod(t):
    names = t.f_code.co_varnames[:1]
    first = t.f_locals.get(names[0]) if names and t.f_code.co_argcount else None
    if first is None: return None
    for k in mro(first if issubclass(type(first), type) else type(first)):
        f = members(k).get(t.f_code.co_name)
        f = getattr(f, '__func__', getattr(f, 'fget', f)) if type(f) in (staticmethod, classmethod, property) else f
        if type(f) is CODE and f.__code__ is t.f_code: return title(k)

PRIVATE = re.compile(r'\b__\w+')

class Expression(object):
    def __init__(self, source):
        self.source, self.codes, self.error = '(' + source.strip() + '\n)', {}, None
        self.isPrivate = any(not name.endswith('__') for name in PRIVATE.findall(source))
        try: self.codes[None] = self.prepared(compile(self.source, '<expression>', 'eval'))
        except Exception as e: self.error = failure(e)
    def prepared(self, code): return code, hasNested(code), namesIn(code)
    def within(self, name):
        """The code in a class, whose private names have its prefix."""
        name = name and name.lstrip('_')
        if not name: return self.codes[None]
        if name not in self.codes: self.codes[name] = self.prepared(compile(mangled(self.source, name), '<expression>', 'eval'))
        return self.codes[name]

def mangled(source, name):
    import ast
    tree, private = ast.parse(source, '<expression>', 'eval'), lambda n: type(n) is str and n.startswith('__') and not n.endswith('__')
    for node in ast.walk(tree):
        for field in ('id', 'attr', 'arg'):
            if private(getattr(node, field, None)): setattr(node, field, '_%s%s' % (name, getattr(node, field)))
    return tree

def evaluate(x, f, t):
    """The value of an expression. `t` is the frame of the program, and `f` the one that has its names."""
    if x.error is not None: raise SyntaxError(x.error.partition(': ')[2])
    code, nested, names = x.within(ownClass(t)) if x.isPrivate and t is not None else x.codes[None]
    known = f.f_locals
    # A global of the same name would be used otherwise.
    unbound = [] if t is None else [n for n in t.f_code.co_varnames + t.f_code.co_cellvars + t.f_code.co_freevars
        if n in names and n not in known and n in f.f_globals]
    if not nested and not unbound: return eval(code, f.f_globals, known)
    # Functions within an expression look names up as globals.
    both = dict(f.f_globals)
    both.update(known)
    for name in unbound: del both[name]
    try: return eval(code, both)
    except NameError as e:
        name = unboundIn(e, unbound)
        if name is None: raise
    raise UnboundLocalError("cannot access local variable '%s' where it is not associated with a value" % name)

def unboundIn(e, names):
    """The name of a variable without a value that an expression has read."""
    text = e.args[0] if type(e) is NameError and e.args else ''
    for name in names:
        if text == "name '%s' is not defined" % name: return name
