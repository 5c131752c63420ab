import { JAVASCRIPT_RECORDER } from './javaScriptRecorder';
import type { CalleePoint } from './recordingPlan';

/** The expressions of one point, as the recorder expects them. */
export interface JavaScriptPoint {
  readonly id: number;
  readonly when: string | undefined;
  readonly stopWhen: string | undefined;
  readonly claim: string | undefined;
  readonly values: readonly string[];
  /** Those of the values that do not belong to the call. */
  readonly captured?: readonly string[] | undefined;
  /** Code that reads the value that the call returns there. */
  readonly returns?: string | undefined;
}

const NAME = /^[A-Za-z_$][\w$]*$/;

/**
 * The name of the recorder's file. A condition reads the file on its first use, because a long condition is slow at
 * every hit.
 */
export const JAVASCRIPT_FILE = 'recorder.js';

/** The text of the file, which is an expression. @param name the recorder's key in the program's global object */
export function javaScriptFile(name: string, settings: string): string {
  const key = keyOf(name);
  return `Object.defineProperty(globalThis,${key},{configurable:true,value:(${JAVASCRIPT_RECORDER})(${settings})})[${key}]`;
}

/** What the condition of a breakpoint does. */
export interface JavaScriptPlace {
  /** The points at which values are recorded. */
  readonly points: readonly JavaScriptPoint[];
  /** The points at which calls of other functions by the chosen call are reported. */
  readonly callees: readonly CalleePoint[];
  /** Whether the program stops if the chosen call has been left. */
  readonly stopsWhenLeft: boolean;
  /** Whether one call is recorded. Choosing the call has installed the recorder. Default: no. */
  readonly isOneCall?: boolean | undefined;
}

/** The condition of a breakpoint. If the recorder's file cannot be read, the program stops. */
export function javaScriptCondition(
  name: string,
  folder: string,
  { points, callees, stopsWhenLeft, isOneCall }: JavaScriptPlace,
): string {
  const [first] = points;
  if (isOneCall === true && points.length + callees.length === 1 && !stopsWhenLeft)
    if (first !== undefined && hasOnlyNames(first)) return namesCondition(name, first);
  const recorder = recorderIn(name, folder);
  const calls = [
    ...(stopsWhenLeft ? ['left?.()'] : []),
    ...(callees.length === 0 ? [] : [`k?.(${callees.map(calleeText).join(',')})`]),
    ...(points.length === 0 && (stopsWhenLeft || callees.length > 0)
      ? []
      : [`r(${points.map(pointText).join(',')})`]),
  ];
  const [only, ...more] = calls;
  return more.length === 0
    ? `${recorder}.${only ?? ''}`
    : `(R=>${calls.map((call) => `R.${call}`).join('||')})(${recorder})`;
}

function hasOnlyNames({ when, stopWhen, claim, values, returns }: JavaScriptPoint): boolean {
  return (
    [when, stopWhen, claim, returns].every((code) => code === undefined) &&
    values.every((value) => NAME.test(value))
  );
}

/**
 * The condition for a line of the chosen call. V8 compiles a condition at each hit, and each function in it when it is
 * called. So the condition is short, and reads all values by itself. If one of them has no value yet, the recorder reads
 * each.
 */
function namesCondition(recorder: string, { id, values, captured = [] }: JavaScriptPoint): string {
  const names = JSON.stringify(
    values.map((value) => (captured.includes(value) ? `*${value}` : value)).join(','),
  );
  const call = `globalThis[${keyOf(recorder)}]?.q(${id},${names},e`;
  return `(e=>{try{return ${call},[${values.join(',')}])}catch{}return ${call})})(e=>eval(e))`;
}

/** The parameters with which a condition reports a place of a called function. */
function calleeText(point: CalleePoint): string {
  switch (point.kind) {
    case 'begin': {
      const args = point.args.map((arg) => `[${JSON.stringify(arg)},()=>(${arg})]`).join(',');
      return `["c",${JSON.stringify(point.name)},()=>[${args}],${point.returnsPromise},${point.hasEnds}]`;
    }
    case 'return':
      return `["s",${point.exit},g=>(${point.read}),${point.isEnd}]`;
    case 'end':
      return `["r",${point.exit},${point.read === undefined ? '0' : `g=>(${point.read})`},${point.stops === true ? '1' : '0'}]`;
    case 'throw':
      return `["t",${JSON.stringify(point.throws)}]`;
  }
}

/** The expression that reports the variables of the chosen call again, after it has ended. */
export function javaScriptLast(name: string): string {
  return `globalThis[${keyOf(name)}]?.last()`;
}

/** Chooses the call in which the program is stopped, and records a point there. Evaluates to `true` on success. */
export function javaScriptChoice(name: string, folder: string, point: JavaScriptPoint): string {
  return `${recorderIn(name, folder)}.choose(${pointText(point).slice(1, -1)})`;
}

function pointText(point: JavaScriptPoint): string {
  const { id, when, stopWhen, claim, values, captured = [], returns } = point;
  const getters = values.map((value) => getterText(value, captured.includes(value)));
  const read = returns === undefined ? '' : `,g=>(${returns})`;
  return `[${id},()=>[${thunk(when)},${thunk(stopWhen)},${thunk(claim)},[${getters.join(',')}]${read}]]`;
}

/** A value, with its name if it may be missing, and whether it can be read again when the call has ended. */
function getterText(value: string, isCaptured: boolean): string {
  const name = isCaptured || NAME.test(value) ? JSON.stringify(value) : '0';
  // A compiler may have replaced a private field. Then the name is a syntax error.
  const get =
    isCaptured && value.includes('#') ? `()=>eval(${JSON.stringify(value)})` : thunk(value);
  return `[${get},${name}${isCaptured ? ',1' : ''}]`;
}

function recorderIn(name: string, folder: string): string {
  const file = JSON.stringify(`${folder}/${JAVASCRIPT_FILE}`);
  const install = `(()=>{try{return(0,eval)((process.getBuiltinModule?.("fs")??process.mainModule.require("fs")).readFileSync(${file},"utf8"))}catch{return{r:()=>true,choose:()=>false}}})()`;
  return `(globalThis[${keyOf(name)}]??${install})`;
}

/** The expression that removes the recorder from a program. */
export function javaScriptRemoval(name: string): string {
  const key = keyOf(name);
  return `(globalThis[${key}]?.close(),delete globalThis[${key}])`;
}

function keyOf(name: string): string {
  return `Symbol.for(${JSON.stringify(name)})`;
}

function thunk(expression: string | undefined): string {
  return expression === undefined ? '0' : `()=>(${expression}\n)`;
}
