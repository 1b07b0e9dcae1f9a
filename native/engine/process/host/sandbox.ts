// Where a script runs: a realm of its own, to and from which only texts pass. It keeps mistakes in, and is no safe
// against somebody who wants out (docs/decisions/0116-scripts.md, 0128-nothing-of-ours-in-a-script.md).
import { compileFunction, constants, createContext, runInContext } from 'node:vm'
import { atLine, compileScript, SCRIPT_FILE, STRICT } from '../../../../machines/pipeline/nodes/script-syntax.ts'

/**
 * JSON of what a script is given to JSON of what it gives; undefined: nothing. Throws errors of this realm, with a
 * sentence.
 */
export type Boundary = (inputs: string) => string | undefined

/**
 * The other side. It says a letter and a text. g: JSON of what the script gives, or true. n: nothing. t: JSON of what
 * it threw: name, message and stack, or a text.
 */
interface Realm {
  readonly begin: (source: () => unknown) => string
  readonly call: (inputs: string) => string
}

/**
 * Takes away memory outside of the heap, which no limit holds, what makes code, and what goes on later. What is left
 * cannot be changed: whoever writes to it has made a mistake.
 *
 * What a script gives or throws becomes a text here, so that nothing of it is looked at from the other side. `odd`
 * stands for what JSON would leave out or make null of.
 */
const REALM = `'use strict';
(() => {
  const { parse, stringify } = JSON
  const { isFinite } = Number
  const textOf = String
  const isTypedArray = (name) => /(Int|Uint|Float|Clamped)[0-9A-Za-z]*Array$/.test(name)
  for (const name of [
    'ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Atomics', 'WebAssembly', 'FinalizationRegistry', 'WeakRef',
    'Intl', 'console', 'escape', 'unescape', 'eval', 'Function', 'Iterator', 'Promise', 'AsyncDisposableStack',
    ...Object.getOwnPropertyNames(globalThis).filter(isTypedArray)]) delete globalThis[name]
  delete Array.fromAsync
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const each = globalThis[name]
    if (each === globalThis || (typeof each !== 'function' && typeof each !== 'object') || each === null) continue
    Object.freeze(each)
    if (each.prototype) Object.freeze(each.prototype)
  }
  const odd = (key, value) => {
    if (typeof value === 'number' && !isFinite(value)) return { odd: textOf(value) }
    const isOdd = typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function'
    return isOdd ? { odd: 'a ' + typeof value } : value
  }
  const thrown = (error) => {
    const { name, message, stack } = typeof error === 'object' && error !== null ? error : {}
    return stringify(typeof message === 'string' ? [textOf(name), message, textOf(stack)] : [textOf(error)])
  }
  const said = (run) => {
    try {
      const given = run()
      return given === undefined ? 'n' : 'g' + given
    } catch (error) {
      try {
        return 't' + thrown(error)
      } catch {
        return 't["something that cannot be shown"]'
      }
    }
  }
  let step
  return {
    begin: (source) => said(() => {
      step = source()
      return typeof step === 'function' || undefined
    }),
    call: (inputs) => said(() => stringify(step(parse(inputs)), odd)),
  }
})()`

// At the end of a source, which is the body of a function.
const GIVES_STEP = '\nreturn typeof step === "function" ? step : undefined'

/** Runs a source, and gives the function of its name `step`. Throws an Error with a sentence. */
export const sandboxed = (source: string): Boundary => {
  compileScript(source)
  const context = createContext(constants.DONT_CONTEXTIFY, {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate', // not with ours
  })
  const { begin, call } = runInContext(REALM, context) as Realm
  // Called, and not run: whatever runs in a context, Node has it do afterwards what was left for later.
  const compiled = compileFunction(`${STRICT}${source}${GIVES_STEP}`, [], {
    parsingContext: context,
    filename: SCRIPT_FILE,
    columnOffset: -STRICT.length,
  }) as () => unknown
  if (heard(() => begin(compiled)) === undefined) throw new Error('it has no function called step')
  return (inputs) => heard(() => call(inputs))
}

const heard = (say: () => string): string | undefined => {
  const said = say()
  if (said.startsWith('n')) return undefined
  if (said.startsWith('g')) return said.slice(1)
  throw new Error(`it threw ${sentenceOf(JSON.parse(said.slice(1)))}`)
}

type Thrown = readonly [name: string, message: string, stack: string] | readonly [text: string]

const sentenceOf = (thrown: Thrown): string => {
  const [name, message, stack] = thrown
  return message === undefined ? name : `${name}: ${message}${atLine(stack)}`
}
