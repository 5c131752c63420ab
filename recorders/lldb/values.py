"""Describes values in LLDB. It uses LLDB's formatters and never runs code of the program. It expects its settings as `C`."""
import json, os, re, sys
import lldb

def cut(text):
    return text if len(text) <= C['text'] else text[:C['text']] + '\u2026'

def type_name(value):
    return value.GetType().GetUnqualifiedType().GetName().split('<')[0].split('::')[-1]

def members(value, depth):
    count = value.GetNumChildren(C['items'] + 1)
    shown, is_list = [], False
    for index in range(min(count, C['items'])):
        child = value.GetChildAtIndex(index, lldb.eNoDynamicValues, True)
        name, text = child.GetName() or '', described(child, depth - 1)
        is_list = is_list or name.startswith('[')
        shown.append(text if name.startswith('[') else name + ': ' + text)
    if count > C['items']: shown.append('\u2026')
    return shown, is_list

def compound(value, depth, head):
    if depth == 0: return head + ' {\u2026}' if head else '{\u2026}'
    shown, is_list = members(value, depth)
    # The type is shown once, for the variable itself.
    if value.GetSummary() is None and (is_list or depth < C['depth']): head = ''
    text = ('[' if is_list else '{') + ', '.join(shown) + (']' if is_list else '}')
    return head + ' ' + text if head else text

# The values that are described together are more than may be.
class Full(BaseException): pass

def described(value, depth):
    if 'left' in C:
        C['left'] -= 1
        if C['left'] < 0: raise Full()
    try: return text_of(value, depth)
    except Exception: return '?'

def text_of(value, depth):
    kind = value.GetType()
    if kind.IsReferenceType(): return described(value.Dereference(), depth)
    if value.GetError().Fail(): return '?'
    plain, summary = value.GetValue(), value.GetSummary()
    if kind.GetCanonicalType().IsPointerType():
        if value.GetValueAsUnsigned() == 0: return 'nullptr'
        if summary or kind.GetPointeeType().GetByteSize() == 0: return summary or plain or '?'
        target = value.Dereference()
        if depth == 0 or target.GetError().Fail(): return plain or '?'
        if target.GetNumChildren(1) == 0: return '%s (%s)' % (plain, described(target, depth - 1))
        return '*' + described(target, depth)
    is_text = summary is not None and summary[:1] in ('"', "'", 'L', 'u', 'U')
    if is_text or value.GetNumChildren(1) == 0: return summary or plain or '{}'
    return compound(value, depth, summary or type_name(value))
