"""The part of the call recorder that reads return values from registers and memory. It follows `call.py`."""
# Itanium C++ ABI: a class with its own copy constructor or destructor is returned in memory. LLDB looks in registers.
# Default ones look like others. Those that are used are usually the person's in case of a destructor.
def is_in_memory(kind, is_likely=False):
    kind = kind.GetCanonicalType()
    while kind.IsArrayType(): kind = kind.GetArrayElementType().GetCanonicalType()
    if not is_object(kind): return False
    if kind.IsPolymorphicClass() or kind.GetNumberOfVirtualBaseClasses() > 0: return True
    functions = [kind.GetMemberFunctionAtIndex(index) for index in range(kind.GetNumberOfMemberFunctions())]
    if any(function.GetKind() == lldb.eMemberFunctionKindDestructor for function in functions): return True
    if not is_likely and any(is_copy(kind, function) for function in functions): return True
    parts = [kind.GetDirectBaseClassAtIndex(index) for index in range(kind.GetNumberOfDirectBaseClasses())]
    parts += [kind.GetFieldAtIndex(index) for index in range(kind.GetNumberOfFields())]
    return any(is_in_memory(part.GetType(), is_likely) for part in parts)

def is_copy(kind, function):
    if function.GetKind() != lldb.eMemberFunctionKindConstructor or function.GetNumberOfArguments() < 1: return False
    of = function.GetArgumentTypeAtIndex(0)
    return of.IsReferenceType() and of.GetDereferencedType().GetUnqualifiedType().GetName() == kind.GetName()

# Of the supported processors, only x86-64 returns the address of such an object.
def in_memory(target, frame, kind):
    address = frame.FindRegister('rax')
    if not address.IsValid(): return lldb.SBValue()
    return target.CreateValueFromAddress('returned', lldb.SBAddress(address.GetValueAsUnsigned(), target), kind)

# The return registers of the System V ABI for x86-64, and of the AArch64 ABI.
REGISTERS = {'x86_64': ('rax', 'xmm0'), 'aarch64': ('x0', 'v0'), 'arm64': ('x0', 'v0')}

# The text of the value that a function returns, at its return instruction or behind its call. It is empty for void, and
# None if it is unknown. The parameter result is the address that the function received for an object.
def value_returned(frame, function, result):
    kind = function.GetType().GetFunctionReturnType()
    if not kind.IsValid(): return None
    if kind.GetCanonicalType().GetBasicType() == lldb.eBasicTypeVoid: return ''
    value = returned_in(frame, kind, result)
    return cut(described(value, C['depth'])) if value is not None and value.IsValid() else None

def returned_in(frame, kind, result):
    target, plain = frame.GetThread().GetProcess().GetTarget(), kind.GetCanonicalType()
    machine = target.GetTriple().split('-')[0]
    if machine not in REGISTERS: return None
    if is_object(plain) and not is_c_plus_plus(frame, target): return None
    if plain.IsReferenceType():
        pointer = in_register(target, frame.FindRegister(REGISTERS[machine][0]), kind.GetDereferencedType().GetPointerType())
        return pointer.Dereference() if pointer is not None else None
    if is_object(plain):
        if machine != 'x86_64': return None
        # A function that returns an object in memory returns the address that it received.
        is_same = frame.FindRegister('rax').GetValueAsUnsigned() == result
        is_never_split = plain.GetByteSize() > 16 or plain.IsPolymorphicClass() or plain.GetNumberOfVirtualBaseClasses() > 0
        if is_never_split or is_same and is_in_memory(plain, True):
            return in_memory(target, frame, kind) if is_same else None
        # The first member may be the first argument, and the address that the function received may not be known.
        if is_in_memory(plain) and (is_same or is_readable(in_memory(target, frame, kind))): return None
        return in_registers(target, frame, kind)
    is_scalar = plain.IsPointerType() or plain.GetTypeClass() in (lldb.eTypeClassEnumeration, lldb.eTypeClassBuiltin)
    if not is_scalar or plain.GetByteSize() > 8: return None
    return in_register(target, frame.FindRegister(REGISTERS[machine][1 if is_float(plain) else 0]), kind)

# System V ABI for x86-64: each eight bytes of an object are returned in the next register of their class.
def in_registers(target, frame, kind):
    parts = parts_of(kind, 0)
    if parts is None: return None
    registers, content = {False: ['rax', 'rdx'], True: ['xmm0', 'xmm1']}, []
    for start in range(0, kind.GetByteSize(), 8):
        floats = [is_float for offset, is_float in parts if start <= offset < start + 8]
        register = frame.FindRegister(registers[all(floats)].pop(0)) if floats else None
        content.append(register.GetData().GetUnsignedInt64(lldb.SBError(), 0) if register is not None else 0)
    # This copies the numbers. SBData.SetData would refer to memory of Python.
    data = lldb.SBData.CreateDataFromUInt64Array(lldb.eByteOrderLittle, 8, content)
    return target.CreateValueFromData('returned', data, kind)

def is_object(kind):
    return kind.GetTypeClass() in (lldb.eTypeClassClass, lldb.eTypeClassStruct, lldb.eTypeClassUnion)

# The numbers in an object: the offset of each, and whether it is a float or a double. None if a part is something else.
def parts_of(kind, offset):
    kind = kind.GetCanonicalType()
    if is_object(kind):
        members = [kind.GetDirectBaseClassAtIndex(index) for index in range(kind.GetNumberOfDirectBaseClasses())]
        members += [kind.GetFieldAtIndex(index) for index in range(kind.GetNumberOfFields())]
        inner = [parts_of_member(member, offset + member.GetOffsetInBits() // 8) for member in members]
    elif kind.IsArrayType():
        item = kind.GetArrayElementType()
        size = item.GetByteSize()
        inner = [parts_of(item, offset + start) for start in range(0, kind.GetByteSize(), size or 1)]
    else:
        return None if is_other(kind) or offset % kind.GetByteSize() else [(offset, is_float(kind))]
    return None if None in inner else [part for parts in inner for part in parts]

def parts_of_member(member, offset):
    if not member.IsBitfield(): return parts_of(member.GetType(), offset)
    last = (member.GetOffsetInBits() + member.GetBitfieldSizeInBits() - 1) // 8
    is_split = last // 8 != member.GetOffsetInBits() // 8 // 8
    return None if is_split else [(offset, False)]

# Rust and Swift return objects in their own ways, and so does Windows.
LANGUAGES = ('c', 'c89', 'c99', 'c11', 'c17', 'c++', 'c++03', 'c++11', 'c++14', 'c++17', 'c++20', 'objective-c', 'objective-c++')

def is_c_plus_plus(frame, target):
    name = lldb.SBLanguageRuntime.GetNameForLanguageType(frame.GetCompileUnit().GetLanguage())
    return name in LANGUAGES and 'windows' not in target.GetTriple()

def is_other(kind):
    is_plain = kind.IsPointerType() or kind.IsReferenceType() or kind.GetTypeClass() in (lldb.eTypeClassEnumeration, lldb.eTypeClassBuiltin)
    return not is_plain or not 0 < kind.GetByteSize() <= 8

def is_float(kind):
    return kind.GetBasicType() in (lldb.eBasicTypeFloat, lldb.eBasicTypeDouble)

def in_register(target, register, kind):
    return target.CreateValueFromData('returned', register.GetData(), kind) if register.IsValid() else None
