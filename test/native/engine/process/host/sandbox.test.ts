// A script in its realm, without an engine: what it gives, and the sentence about what it does wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RESULT_HEADER } from '../../../../../machines/engine/result.ts'
import { scriptRefusal } from '../../../../../machines/pipeline/nodes/script-syntax.ts'
import { prepare } from '../../../../../native/engine/process/host/script.ts'

const BYTES_OF_HEADER = 8 * RESULT_HEADER.length

/** What a script gives for a frame without inputs; undefined: nothing. */
const given = async (source: string): Promise<unknown> => {
  const { inputBytes, outputBytes, start } = await prepare({
    id: 'aim',
    type: 'script',
    params: { source },
    inputs: [],
  })
  const memory = { input: new ArrayBuffer(inputBytes), output: new ArrayBuffer(outputBytes) }
  new Float64Array(memory.input).set([7, 1_000, 0, 0, 640, 400])
  const bytes = await start(memory)(BYTES_OF_HEADER)
  return bytes === 0 ? undefined : JSON.parse(new TextDecoder().decode(new Uint8Array(memory.output, 0, bytes)))
}

const LONG = '"x".repeat(201)'

const BAD: readonly (readonly [says: string, source: string, sentence: RegExp])[] = [
  ['throws', 'function step() {\n  null.x\n}', /^it threw TypeError: .*null.*\(line 2\)$/],
  ['throws a text', 'const step = () => { throw "no" }', /^it threw no$/],
  [
    'throws what cannot be shown',
    'const step = () => { throw { toString: 3 } }',
    /^it threw something that cannot be shown$/,
  ],
  ['calls itself for ever', 'const step = () => step()', /^it threw RangeError: Maximum call stack/],
  ['has no step', 'const stop = () => {}', /^it has no function called step$/],
  ['gives a number', 'const step = () => 3', /gives a number; it has to give an object/],
  ['gives a list', 'const step = () => [3]', /gives a list/],
  ['gives NaN', 'const step = () => ({ x: 0 / 0 })', /^its value x is NaN; values are numbers/],
  ['gives Infinity in a list', 'const step = () => ({ x: [1, 1 / 0] })', /^its value x\[1\] is Infinity/],
  ['gives a function', 'const step = () => ({ x: step })', /^its value x is a function/],
  ['gives an object in its object', 'const step = () => ({ x: {} })', /^its value x is an object/],
  ['gives lists in lists', 'const step = () => ({ x: [[1]] })', /^its value x\[0\] is a list/],
  ['would give its values later', 'const step = async () => ({})', /^async cannot be used: step gives .*\(line 1\)$/],
  ['waits', '\nfor await (const x of []);\nfunction step() {}', /reserved word/],
  ['makes a promise', 'const step = () => Promise.resolve(3)', /Promise is not defined/],
  ['makes a promise of a list', 'const step = () => Array.fromAsync([])', /fromAsync is not a function/],
  [
    'imports',
    'let fs\nimport("node:fs").then((it) => { fs = it })\nfunction step() {}',
    /^import cannot .*\(line 2\)$/,
  ],
  [
    'imports between comments',
    'const step = () => import/* a */\n("x")',
    /^import cannot be used: there are no modules/,
  ],
  ['imports in a text', 'const step = () => `${'.concat('import("x")}`'), /^import cannot be used/],
  ['imports for later', 'const step = () => import.defer("x")', /defer/],
  ['imports in other letters', 'const step = () => \\u0069mport("x")', /escaped/],
  ['gives itself', 'const step = () => { const o = {}; o.o = o; return o }', /circular/],
  ['gives a long text', `const step = () => ({ x: ${LONG} })`, /^its value x has 201 characters; 200 at most$/],
  ['gives a long list', 'const step = () => ({ x: Array(65).fill(0) })', /^its value x has 65 entries; 64 at most$/],
  ['gives a strange name', 'const step = () => ({ "a b": 1 })', /^it calls a value "a b"/],
  [
    'gives many values',
    'const step = () => Object.fromEntries(Array.from({ length: 65 }, (_, n) => ["v" + n, n]))',
    /^it gives 65 values; 64 at most$/,
  ],
  [
    'gives too much',
    'const step = () => Object.fromEntries(Array.from({ length: 64 }, (_, n) => ["v" + n, Array(64).fill("text")]))',
    /too long; 16384 bytes/,
  ],
  ['asks for the process', 'const step = () => ({ pid: process.pid })', /process is not defined \(line 1\)$/],
  ['asks for modules', 'const step = () => require("fs")', /require is not defined/],
  ['asks for memory outside of its heap', 'const step = () => new Uint8Array(1e9)', /Uint8Array is not defined/],
  ['asks for the network', 'const step = () => fetch("http://localhost")', /fetch is not defined/],
  ['makes code of a text', 'const step = () => step.constructor("return process")()', /Code generation from strings/],
  ['changes what others are built on', 'const step = () => { Array.prototype.map = 3 }', /read only/],
  ['forgets to declare', 'const step = () => { x = 3 }', /x is not defined/],
]

for (const [says, source, sentence] of BAD)
  test(`a script that ${says} is told so`, async () => {
    await assert.rejects(given(source), ({ message }) => sentence.test(message) || assert.fail(message))
  })

test('a script sees the frame, remembers, and gives numbers, texts, flags and lists of them', async () => {
  const values = await given(`
    let calls = 0
    function step({ seq, captured_us, width_px, height_px, ...others }) {
      calls += 1
      const size = [width_px, height_px]
      return { seq, captured_us, calls, size, is_far: false, name: 'größe', none: null, others: Object.keys(others) }
    }`)

  assert.deepEqual(values, {
    seq: 7,
    captured_us: 1_000,
    calls: 1,
    size: [640, 400],
    is_far: false,
    name: 'größe',
    others: [],
  })
})

test('a script that gives nothing has no values', async () => {
  assert.equal(await given('const step = () => {}'), undefined)
  assert.equal(await given('const step = () => null'), undefined)
  assert.deepEqual(await given('const step = () => ({})'), {})
})

test('words for modules and promises may stand in texts, comments, patterns and names', async () => {
  const source = `// import "x", await nothing
    /* async () => await import("x") */
    const asyncOrNot = ["import", 'await', \`async \${1}\`, /import\\(/.source], import3 = 3
    const step = () => ({ words: asyncOrNot, import3 })`
  assert.deepEqual(await given(source), { words: ['import', 'await', 'async 1', 'import\\('], import3: 3 })
})

test('the sentence about a syntax is short, whatever V8 repeats', () => {
  const said = scriptRefusal(`/${'a('.repeat(9_000)}/`) ?? ''
  assert.ok(said.length < 400, `${said.length}`)
})
