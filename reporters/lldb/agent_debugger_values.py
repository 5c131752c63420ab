"""
Describes values of C++ and Rust programs in LLDB, on one line each. It uses LLDB's own formatters, and reads the common
types of Rust's library itself. It never runs code of the program, and reads only bounded amounts of memory: a variable
that is not initialized yet has any length.
"""

import re

import lldb

MAX_OF_A_TEXT = 400
MAX_ITEMS = 20
MAX_DEPTH = 4
MAX_BYTES = 400

NO_DYNAMIC = lldb.eNoDynamicValues

# LLDB shows the bytes of Rust as characters.
BYTES = (lldb.eBasicTypeChar, lldb.eBasicTypeSignedChar, lldb.eBasicTypeUnsignedChar)


def cut(text):
    return text if len(text) <= MAX_OF_A_TEXT else text[: MAX_OF_A_TEXT - 1] + '\u2026'


def describe(value):
    """The text of a value, or None if it cannot be read."""
    text = described(value, MAX_DEPTH)
    return None if text is None else cut(text)


def described(value, depth):
    try:
        return text_of(value, depth)
    except Exception:
        return None


def text_of(value, depth):
    kind = value.GetType()
    if kind.IsReferenceType():
        return described(value.Dereference(), depth)
    if value.GetError().Fail():
        return None
    known = rust_text(value, depth) if is_rust(value) else cpp_text(value, depth)
    if known is not None:
        return known
    if kind.GetCanonicalType().IsPointerType():
        return pointer_text(value, depth)
    summary = value.GetSummary()
    is_text = summary is not None and summary[:1] in ('"', "'", 'L', 'u', 'U')
    if is_text or value.GetNumChildren(1) == 0:
        return summary or value.GetValue() or '{}'
    return compound(value, depth)


def pointer_text(value, depth):
    plain, summary = value.GetValue(), value.GetSummary()
    if value.GetValueAsUnsigned() == 0:
        return 'null' if is_rust(value) else 'nullptr'
    pointee = value.GetType().GetPointeeType()
    if pointee.IsFunctionType() or pointee.GetByteSize() == 0:
        return plain
    # An array of bytes need not be a text in Rust.
    if summary and not is_rust(value):
        return summary
    target = value.Dereference()
    if depth == 0 or target.GetError().Fail():
        return plain
    text = described(target, depth - 1)
    if text is None:
        return plain
    if is_rust(value):
        return text
    return '*' + text if target.GetNumChildren(1) > 0 else '%s (%s)' % (plain, text)


def short_type(kind):
    name = kind.GetUnqualifiedType().GetName() or ''
    return name.split('<')[0].split('::')[-1]


def compound(value, depth):
    parts, is_list, is_all = members(value, depth)
    if depth == 0 and parts:
        return '[\u2026]' if is_list else short_type(value.GetType()) + ' {\u2026}'
    if not is_all:
        parts.append('\u2026')
    if is_list:
        return '[' + ', '.join(parts) + ']'
    head = short_type(value.GetType())
    return (head + ' ' if head else '') + '{' + ', '.join(parts) + '}'


def members(value, depth):
    """The texts of the members, whether they are elements, and whether these are all. Those of base classes come first."""
    count = value.GetNumChildren(MAX_ITEMS + 1)
    bases = value.GetType().GetNumberOfDirectBaseClasses() if not value.IsSynthetic() else 0
    parts, is_list, is_all = [], False, count <= MAX_ITEMS
    for index in range(min(count, MAX_ITEMS)):
        child = value.GetChildAtIndex(index, NO_DYNAMIC, True)
        name = child.GetName() or ''
        if index < bases:
            # The class of a library, such as that of all tests, says nothing.
            if is_runner_type(child.GetType()):
                continue
            own, _, is_whole = members(child, depth)
            parts.extend(own)
            is_all = is_all and is_whole
            continue
        if name.startswith('_vptr'):
            continue
        is_list = is_list or name.startswith('[')
        if depth == 0:
            return ['\u2026'], is_list, True
        text = described(child, depth - 1)
        text = '?' if text is None else text
        parts.append(text if name.startswith('[') else name + ': ' + text)
    return parts, is_list, is_all


def is_runner_type(kind):
    return (kind.GetUnqualifiedType().GetName() or '').startswith('testing::')


# C++


def cpp_text(value, depth):
    name = value.GetType().GetCanonicalType().GetUnqualifiedType().GetName() or ''
    if not name.startswith('std::'):
        return None
    if re.match(r'std::(?:\w+::)*optional<', name):
        return described(value.GetChildAtIndex(0), depth) if value.GetNumChildren(1) > 0 else 'nullopt'
    if re.match(r'std::(?:\w+::)*variant<', name):
        return described(value.GetChildAtIndex(0), depth) if value.GetNumChildren(1) > 0 else 'no value'
    if re.match(r'std::(?:\w+::)*(?:unique_ptr|shared_ptr)<', name):
        pointer = value.GetChildAtIndex(0)
        return pointer_text(pointer, depth) if pointer.GetType().IsPointerType() else value.GetSummary()
    if re.match(r'std::(?:\w+::)*pair<', name):
        first, second = (described(value.GetChildMemberWithName(part), depth - 1) for part in ('first', 'second'))
        return '(%s, %s)' % (first, second)
    if re.match(r'std::(?:\w+::)*(?:unordered_)?(?:multi)?map<', name):
        return cpp_map(value, depth)
    return None


def cpp_map(value, depth):
    if not value.IsSynthetic():
        return None
    count = value.GetNumChildren(MAX_ITEMS + 1)
    if depth == 0:
        return '{\u2026}'
    parts = []
    for index in range(min(count, MAX_ITEMS)):
        pair = value.GetChildAtIndex(index)
        key, held = (described(pair.GetChildMemberWithName(part), depth - 1) for part in ('first', 'second'))
        parts.append('%s: %s' % (key, held))
    return '{' + ', '.join(parts + (['\u2026'] if count > MAX_ITEMS else [])) + '}'


# Rust


def is_rust(value):
    frame = value.GetFrame()
    return frame.IsValid() and frame.GetCompileUnit().GetLanguage() == lldb.eLanguageTypeRust


def rust_text(value, depth):
    basic = value.GetType().GetCanonicalType().GetBasicType()
    if basic in BYTES:
        byte = value.GetValueAsUnsigned() & 0xFF
        return str(byte if basic == lldb.eBasicTypeUnsignedChar or byte < 128 else byte - 256)
    if basic == lldb.eBasicTypeChar32:
        return "'%s'" % chr(value.GetValueAsUnsigned())
    if value.GetType().GetTypeClass() == lldb.eTypeClassArray:
        return compound(value, depth)
    name = value.GetType().GetUnqualifiedType().GetName() or ''
    raw = value.GetNonSyntheticValue()
    if name == '&str' or name == '&mut str':
        return quoted(value, number(raw, 'data_ptr'), number(raw, 'length'))
    if re.match(r'(?:&|&mut |alloc::boxed::Box<)\[', name) and raw.GetChildMemberWithName('data_ptr').IsValid():
        kind = raw.GetChildMemberWithName('data_ptr').GetType().GetPointeeType()
        return elements(value, number(raw, 'data_ptr'), number(raw, 'length'), kind, depth)
    for pattern, read in RUST_TYPES:
        if re.match(pattern, name):
            return read(raw, depth)
    if raw.GetNumChildren(1) == 1 and raw.GetChildAtIndex(0).GetName() == '$variants$':
        return variant(raw.GetChildAtIndex(0), depth)
    if value.GetType().GetTypeClass() == lldb.eTypeClassStruct and not value.GetType().IsPointerType():
        return rust_struct(raw, name, depth)
    return None


def number(value, *path):
    for name in path:
        value = value.GetChildMemberWithName(name)
    if not value.IsValid() or value.GetError().Fail():
        raise ValueError(path)
    return value.GetValueAsUnsigned()


def first_pointer(value):
    """The address in a pointer that is wrapped in structures, whose names differ between versions."""
    for _ in range(8):
        if value.GetType().IsPointerType():
            return value.GetValueAsUnsigned()
        value = value.GetChildAtIndex(0)
    raise ValueError('no pointer')


def quoted(value, address, length):
    if length == 0:
        return '""'
    if length > 1 << 40:
        raise ValueError('not initialized')
    error = lldb.SBError()
    data = value.GetProcess().ReadMemory(address, min(length, MAX_BYTES), error)
    if error.Fail():
        raise ValueError('not readable')
    text = data.decode('utf8', errors='replace')
    escaped = text.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n').replace('\r', '\\r').replace('\t', '\\t')
    return '"' + escaped + ('\u2026' if length > MAX_BYTES else '') + '"'


def elements(value, address, length, kind, depth, start=0, capacity=0):
    """A list of elements that follow each other in memory. With a capacity, they go on at the begin of it."""
    size = kind.GetByteSize()
    if length > 1 << 40:
        raise ValueError('not initialized')
    if depth == 0 and length > 0:
        return '[\u2026]'
    parts = []
    for index in range(min(length, MAX_ITEMS)):
        at = (start + index) % capacity if capacity else index
        item = value.CreateValueFromAddress('[%d]' % index, address + at * size, kind)
        text = described(item, depth - 1)
        parts.append('?' if text is None else text)
    return '[' + ', '.join(parts + (['\u2026'] if length > MAX_ITEMS else [])) + ']'


def argument(value, index=0):
    kind = value.GetType().GetUnqualifiedType().GetTemplateArgumentType(index)
    if not kind.IsValid():
        raise ValueError('no type')
    return kind


def vec(value, depth):
    address = first_pointer(value.GetChildMemberWithName('buf').GetChildMemberWithName('inner').GetChildMemberWithName('ptr'))
    return elements(value, address, number(value, 'len'), argument(value), depth)


def string(value, depth):
    inner = value.GetChildMemberWithName('vec')
    address = first_pointer(inner.GetChildMemberWithName('buf').GetChildMemberWithName('inner').GetChildMemberWithName('ptr'))
    return quoted(value, address, number(inner, 'len'))


def path_text(value, depth):
    """`PathBuf` and `OsString` are structures around a vector of bytes."""
    for _ in range(5):
        if value.GetChildMemberWithName('buf').IsValid() and value.GetChildMemberWithName('len').IsValid():
            address = first_pointer(value.GetChildMemberWithName('buf').GetChildMemberWithName('inner').GetChildMemberWithName('ptr'))
            return quoted(value, address, number(value, 'len'))
        value = value.GetChildAtIndex(0)
    return None


def deque(value, depth):
    inner = value.GetChildMemberWithName('buf').GetChildMemberWithName('inner')
    address = first_pointer(inner.GetChildMemberWithName('ptr'))
    capacity = inner.GetChildMemberWithName('cap')
    size = capacity.GetValueAsUnsigned() if capacity.GetNumChildren(1) == 0 else capacity.GetChildAtIndex(0).GetValueAsUnsigned()
    return elements(value, address, number(value, 'len'), argument(value), depth, number(value, 'head'), size)


def table_of(value):
    """The hash table in a map or a set of the library."""
    for _ in range(6):
        table = value.GetChildMemberWithName('table')
        if table.IsValid() and table.GetChildMemberWithName('table').IsValid():
            return table
        value = next(
            child for child in (value.GetChildMemberWithName(name) for name in ('base', 'map')) if child.IsValid()
        )
    raise ValueError('no table')


def entries(value):
    """The entries of a hash table, and their whole number. They lie before the bytes that say which are taken."""
    table = table_of(value)
    kind = argument(table)
    inner = table.GetChildMemberWithName('table')
    control = first_pointer(inner.GetChildMemberWithName('ctrl'))
    buckets, count = number(inner, 'bucket_mask') + 1, number(inner, 'items')
    if buckets > 1 << 24 or count > buckets:
        raise ValueError('not initialized')
    error = lldb.SBError()
    taken = value.GetProcess().ReadMemory(control, min(buckets, 4096), error)
    if error.Fail():
        raise ValueError('not readable')
    found = [index for index, byte in enumerate(taken) if byte & 0x80 == 0][:MAX_ITEMS]
    size = kind.GetByteSize()
    return [value.CreateValueFromAddress('entry', control - (index + 1) * size, kind) for index in found], count


def hash_map(value, depth):
    found, count = entries(value)
    if depth == 0 and found:
        return '{\u2026}'
    parts = [
        '%s: %s' % tuple(described(entry.GetChildAtIndex(part), depth - 1) for part in (0, 1)) for entry in found
    ]
    return '{' + ', '.join(parts + (['\u2026'] if count > len(parts) else [])) + '}'


def hash_set(value, depth):
    found, count = entries(value)
    if depth == 0 and found:
        return '{\u2026}'
    parts = [str(described(entry.GetChildAtIndex(0), depth - 1)) for entry in found]
    return '{' + ', '.join(parts + (['\u2026'] if count > len(parts) else [])) + '}'


def counted(value, depth):
    """`Rc` and `Arc`."""
    for _ in range(6):
        if value.GetType().IsPointerType():
            return described(value.Dereference().GetChildAtIndex(2), depth)
        value = value.GetChildAtIndex(0)
    return None


def wrapped(name):
    def read(value, depth):
        inner = value.GetChildMemberWithName(name)
        while inner.IsValid() and inner.GetNumChildren(2) == 1 and inner.GetChildAtIndex(0).GetName() in ('value', '__0'):
            inner = inner.GetChildAtIndex(0)
        return described(inner, depth) if inner.IsValid() else None

    return read


RUST_TYPES = [
    (r'alloc::vec::Vec<', vec),
    (r'alloc::string::String$', string),
    (r'std::(?:path::PathBuf|ffi::os_str::OsString)$', path_text),
    (r'alloc::collections::vec_deque::VecDeque<', deque),
    (r'std::collections::hash::map::HashMap<', hash_map),
    (r'std::collections::hash::set::HashSet<', hash_set),
    (r'alloc::(?:rc::Rc|sync::Arc)<', counted),
    (r'core::cell::(?:Cell|RefCell|UnsafeCell)<', wrapped('value')),
    (r'std::sync::(?:\w+::)*(?:Mutex|RwLock)<', wrapped('data')),
    (r'core::num::(?:nonzero::NonZero|wrapping::Wrapping)<', wrapped('__0')),
]


def variant(variants, depth):
    """An enum. Its variants overlap in memory, and each but one says with which number it is meant."""
    children = [variants.GetChildAtIndex(index) for index in range(min(variants.GetNumChildren(64), 64))]
    others = next((child for child in children if child.GetName() == '$variant$'), None)
    for child in children:
        number_of = re.match(r'\$variant\$(\d+)$', child.GetName() or '')
        if number_of is not None and is_meant(child, int(number_of.group(1)), others):
            return variant_text(child.GetChildMemberWithName('value'), depth)
    return '?' if others is None else variant_text(others.GetChildMemberWithName('value'), depth)


def is_meant(child, number_of, others):
    discriminant = child.GetChildMemberWithName('$discr$')
    bits = 8 * discriminant.GetType().GetByteSize()
    found = discriminant.GetValueAsUnsigned()
    # LLDB keeps only 32 bits of the number. The capacity of a vector has its highest bit only if it is none.
    if bits == 64 and others is not None and is_capacity(others.GetType(), offset_in(child.GetType(), '$discr$')):
        return found == (1 << 63) + number_of
    return found & 0xFFFFFFFF == number_of & ((1 << min(bits, 32)) - 1) and (found >> 32 == 0 or bits <= 32)


def offset_in(kind, name):
    fields = (kind.GetFieldAtIndex(index) for index in range(kind.GetNumberOfFields()))
    return next((field.GetOffsetInBytes() for field in fields if field.GetName() == name), 0)


def is_capacity(kind, offset):
    """Whether the number at an offset in a structure is the capacity of a vector."""
    for _ in range(20):
        name = kind.GetName() or ''
        if name.endswith('NoHighBit') or name.endswith('::Cap'):
            return True
        fields = [kind.GetFieldAtIndex(index) for index in range(min(kind.GetNumberOfFields(), 64))]
        inside = [
            field
            for field in fields
            if field.GetOffsetInBytes() <= offset < field.GetOffsetInBytes() + field.GetType().GetByteSize()
        ]
        if not inside:
            return False
        # An enum in the structure has its own variants.
        if inside[0].GetName() == '$variants$':
            variants = inside[0].GetType()
            kinds = [variants.GetFieldAtIndex(index) for index in range(min(variants.GetNumberOfFields(), 64))]
            inside = [field for field in kinds if field.GetName() == '$variant$'] or kinds[:1]
        offset -= inside[0].GetOffsetInBytes()
        kind = inside[0].GetType()
    return False


def variant_text(held, depth):
    # `core::option::Option<&str>::Some<&str>`: the name follows the type.
    name = re.sub(r'<.*$', '', last_part(held.GetType().GetName() or ''))
    return rust_struct(held, name, depth)


def last_part(name):
    depth, at = 0, 0
    for index, character in enumerate(name):
        if character in '<([{':
            depth += 1
        elif character in '>)]}':
            depth -= 1
        elif depth == 0 and name.startswith('::', index):
            at = index + 2
    return name[at:]


def rust_struct(value, name, depth):
    head = '' if name.startswith('(') else re.sub(r'<.*$', '', last_part(name))
    count = value.GetNumChildren(MAX_ITEMS + 1)
    children = [value.GetChildAtIndex(index) for index in range(min(count, MAX_ITEMS))]
    children = [child for child in children if 'PhantomData<' not in (child.GetType().GetName() or '')]
    if not children:
        return head or '()'
    is_tuple = (children[0].GetName() or '').startswith('__0')
    if depth == 0:
        return head + ('(\u2026)' if is_tuple else ' {\u2026}')
    texts = [(child.GetName(), described(child, depth - 1)) for child in children]
    parts = [('?' if text is None else text) if is_tuple else '%s: %s' % (own, text) for own, text in texts]
    if count > MAX_ITEMS:
        parts.append('\u2026')
    return head + '(' + ', '.join(parts) + ')' if is_tuple else head + ' {' + ', '.join(parts) + '}'
