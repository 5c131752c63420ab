import type { Asked, Key } from './valuePath';
import type { Language } from './writes';

/** What a dictionary of Python without the key is shown as. Reading it in the usual way may add the key. */
export const NO_KEY = '(no such key)';

/** The expressions that probes evaluate in the program. */
export interface Expressions {
  /** An expression for the identity of an object. It is empty for a value that is no object. */
  identity(expression: string): string;
  /**
   * An expression for the object that has a member itself: the object, or the class or prototype from which it has it.
   * Undefined if only the object can have it.
   */
  holder(owner: string, key: Key): string | undefined;
  /** An expression for a member of an object. */
  member(owner: string, key: Key): string;
  /** An expression that is true if a value can change without an assignment. */
  isMutable(expression: string): string;
  /** An expression that keeps an object, and is true. */
  keep(expression: string): string;
  /** The object that was kept. */
  readonly kept: string;
  /** An object that has the variables of the module as elements, if there is one. */
  readonly module: string | undefined;
  /** An expression that is true if a value is the object that was kept. */
  isKept(expression: string): string;
}

/** @param name a name that the program does not have */
export function expressionsFor(language: Language, name: string): Expressions {
  return language === 'javascript' ? javaScript(name) : python(name);
}

function python(name: string): Expressions {
  const builtin = (of: string): string => `__import__('builtins').${of}`;
  const kept = `__import__('sys').${name}`;
  return {
    identity: (expression) => `${builtin('id')}(${expression})`,
    // `object.__getattribute__` runs no code of the program.
    holder: (owner, key) =>
      key.kind === 'attribute'
        ? `(lambda o, b: b.next((k for k in [o, *(o if b.isinstance(o, b.type) else b.type(o)).__mro__] if ${JSON.stringify(key.text)} in b.object.__getattribute__(k, '__dict__')), o))(${owner}, __import__('builtins'))`
        : undefined,
    member: (owner, key) =>
      key.kind === 'attribute'
        ? `${owner}.${key.text}`
        : `(${builtin('dict')}.get(${owner}, ${key.text}, '${NO_KEY}') if ${builtin('isinstance')}(${owner}, ${builtin('dict')}) else ${owner}[${key.text}])`,
    isMutable: (expression) =>
      `not ${builtin('isinstance')}(${expression}, (int, float, complex, str, bytes, tuple, frozenset, range, type, type(None)))`,
    keep: (expression) =>
      `(${builtin('setattr')}(__import__('sys'), '${name}', ${expression}), True)[1]`,
    kept,
    module: builtin('globals()'),
    isKept: (expression) => `(${expression}) is ${kept}`,
  };
}

function javaScript(name: string): Expressions {
  const key = `Symbol.for(${JSON.stringify(name)})`;
  const store = `(globalThis[${key}]??Object.defineProperty(globalThis,${key},{configurable:true,value:{ids:new WeakMap(),last:0,kept:undefined}})[${key}])`;
  const kept = `${store}.kept`;
  return {
    identity: (expression) =>
      `((o,s)=>o===null||typeof o!=='object'&&typeof o!=='function'?'':(s.ids.has(o)||s.ids.set(o,++s.last),s.ids.get(o)))(${expression},${store})`,
    holder: (owner, { kind, text }) =>
      `((o,k)=>{let h=o;while(h!=null&&!Object.prototype.hasOwnProperty.call(h,k))h=Object.getPrototypeOf(h);return h??o})(${owner},${kind === 'attribute' ? JSON.stringify(text) : text})`,
    member: (owner, { kind, text }) =>
      kind === 'attribute' ? `${owner}.${text}` : `${owner}[${text}]`,
    isMutable: (expression) => `typeof (${expression})==='object'&&(${expression})!==null`,
    keep: (expression) => `(${store}.kept=(${expression}),true)`,
    kept,
    module: undefined,
    isKept: (expression) => `(${expression})===${kept}`,
  };
}

/** The expression for what was asked about. */
export function valueOf(asked: Asked, expressions: Expressions): string {
  return asked.kind === 'variable' ? asked.name : expressions.member(asked.owner, asked.key);
}
