/** The part of the call recorder that reads return values from registers and memory. */
export const RETURNED_VALUES = String.raw`
# Itanium C++ ABI: a class with its own copy constructor or destructor is returned in memory. LLDB looks in registers.
# A default copy constructor looks like another one, so only the destructor is certain.
def is_in_memory(kind, is_certain=False):
    kind = kind.GetCanonicalType()
    if kind.GetTypeClass() not in (lldb.eTypeClassClass, lldb.eTypeClassStruct): return False
    functions = [kind.GetMemberFunctionAtIndex(index) for index in range(kind.GetNumberOfMemberFunctions())]
    if any(function.GetKind() == lldb.eMemberFunctionKindDestructor for function in functions): return True
    if not is_certain and any(is_copy(kind, function) for function in functions): return True
    parts = [kind.GetDirectBaseClassAtIndex(index) for index in range(kind.GetNumberOfDirectBaseClasses())]
    parts += [kind.GetFieldAtIndex(index) for index in range(kind.GetNumberOfFields())]
    return any(is_in_memory(part.GetType(), is_certain) for part in parts)

def is_copy(kind, function):
    if function.GetKind() != lldb.eMemberFunctionKindConstructor or function.GetNumberOfArguments() != 1: return False
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
def value_returned(frame, function, result, is_certain=False):
    kind = function.GetType().GetFunctionReturnType()
    if not kind.IsValid(): return None
    if kind.GetCanonicalType().GetBasicType() == lldb.eBasicTypeVoid: return ''
    value = returned_in(frame, kind, result, is_certain)
    return cut(described(value, C['depth'])) if value is not None and value.IsValid() else None

def returned_in(frame, kind, result, is_certain):
    target, plain = frame.GetThread().GetProcess().GetTarget(), kind.GetCanonicalType()
    machine = target.GetTriple().split('-')[0]
    if machine not in REGISTERS: return None
    if plain.IsReferenceType():
        pointer = in_register(target, frame.FindRegister(REGISTERS[machine][0]), kind.GetDereferencedType().GetPointerType())
        return pointer.Dereference() if pointer is not None else None
    if plain.GetTypeClass() in (lldb.eTypeClassClass, lldb.eTypeClassStruct):
        if machine != 'x86_64' or plain.GetByteSize() <= 16 and not is_in_memory(plain, is_certain): return None
        # Such a function returns the address that it received.
        is_same = frame.FindRegister('rax').GetValueAsUnsigned() == result
        return in_memory(target, frame, kind) if is_same else None
    is_scalar = plain.IsPointerType() or plain.GetTypeClass() in (lldb.eTypeClassEnumeration, lldb.eTypeClassBuiltin)
    if not is_scalar or plain.GetByteSize() > 8: return None
    is_float = plain.GetBasicType() in (lldb.eBasicTypeFloat, lldb.eBasicTypeDouble)
    return in_register(target, frame.FindRegister(REGISTERS[machine][1 if is_float else 0]), kind)

def in_register(target, register, kind):
    return target.CreateValueFromData('returned', register.GetData(), kind) if register.IsValid() else None
`;
