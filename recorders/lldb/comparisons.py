"""Evaluates comparisons of variables and numbers, the usual claims and conditions, without LLDB's compiler.

That is several times faster. Every other expression, and every comparison whose result could differ from that of C++, is
left to the compiler. It follows `recorder.py`.
"""
PATH = r'[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*)*'
NUMBER = r'-?\d{1,7}(?:\.\d{1,7})?'
COMPARISON = re.compile(r'^\s*(%s|%s)\s*(==|!=|<=|>=|<|>)\s*(%s|%s)\s*$' % (PATH, NUMBER, PATH, NUMBER))
OPERATORS = {
    '==': lambda one, other: one == other, '!=': lambda one, other: one != other,
    '<=': lambda one, other: one <= other, '>=': lambda one, other: one >= other,
    '<': lambda one, other: one < other, '>': lambda one, other: one > other,
}
S.update(parsed={})

def parsed(text):
    if text not in S['parsed']:
        parts = [COMPARISON.match(part) for part in text.split('&&')]
        # A leading zero means an octal number in C++.
        is_plain = all(parts) and not re.search(r'(?<![\w.])-?0\d', text)
        S['parsed'][text] = [part.groups() for part in parts] if is_plain else None
    return S['parsed'][text]

# True or False, or None if the compiler has to evaluate the expression.
def compared(frame, text):
    parts = parsed(text)
    if parts is None: return None
    # All operands are read first: the compiler refuses an unknown name behind a false comparison as well.
    sides = [(operand(frame, left), operator, operand(frame, right)) for left, operator, right in parts]
    if any(one is None or other is None or not is_exact(one, other) for one, _, other in sides): return None
    return all(OPERATORS[operator](one[0], other[0]) for one, operator, other in sides)

# The value of a variable or a number, its kind, and its size in bytes. A number has no size.
def operand(frame, text):
    if re.fullmatch(NUMBER, text):
        return (float(text), 'float', 0) if '.' in text else (int(text), 'signed', 0)
    value = frame.GetValueForVariablePath(text, lldb.eNoDynamicValues)
    if not value.IsValid() or value.GetError().Fail(): return None
    if value.GetType().IsReferenceType(): value = value.Dereference()
    kind, error = value.GetType().GetCanonicalType(), lldb.SBError()
    size, basic = kind.GetByteSize(), kind.GetBasicType()
    if kind.GetTypeClass() != lldb.eTypeClassBuiltin: return None
    if basic == lldb.eBasicTypeDouble: found = (value.GetData().GetDouble(error, 0), 'float', size)
    elif basic == lldb.eBasicTypeFloat: found = (value.GetData().GetFloat(error, 0), 'float', size)
    elif not kind.GetTypeFlags() & lldb.eTypeIsInteger or size > 8: return None
    elif kind.GetTypeFlags() & lldb.eTypeIsSigned: found = (value.GetValueAsSigned(error), 'signed', size)
    else: found = (value.GetValueAsUnsigned(error), 'unsigned', size)
    return found if error.Success() else None

# Whether C++ compares the values themselves, without a conversion that changes one of them.
def is_exact(one, other):
    (value, kind, size), (other_value, other_kind, other_size) = one, other
    if size == 0 and other_size == 0: return False
    if kind == other_kind: return True
    if 'float' in (kind, other_kind):
        number, whole = ((size, kind), (other_size, other_value)) if kind == 'float' else ((other_size, other_kind), (size, value))
        # A double holds each 32-bit number, and a float each number of 24 bits.
        return whole[0] <= 4 and (number[0] != 4 or abs(whole[1]) <= 1 << 24)
    unsigned, signed = (one, other) if kind == 'unsigned' else (other, one)
    # A short unsigned type is converted to int.
    return unsigned[2] < 4 or signed[2] == 0 and signed[0] >= 0
