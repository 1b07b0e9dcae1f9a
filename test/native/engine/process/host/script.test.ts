// Scripts in a real engine: what a good one gives, and what becomes of bad ones. The other outputs of the pipeline go
// on, whatever a script does.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { header, type Result } from '../../../../../machines/engine/result.ts'
import { rowDocuments } from '../../../../../machines/engine/row-documents.ts'
import type { GraphDocument, Plan } from '../../../../../machines/pipeline/graph.ts'
import { planGraph } from '../../../../../machines/pipeline/plan.ts'
import { resultThat, warningThat } from '../../../../support/engine/awaited.ts'
import { type EngineProbe, smallCamera, startEngine } from '../../../../support/engine/engine-task.ts'

/** Tags, and a script that is given them. tags: parameters of their detector. */
const scripted = (source: string, params: object = {}, tags: object = {}): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'found', type: 'apriltag', params: { ...tags } },
    { id: 'aim', type: 'script', params: { source, ...params } },
  ],
  edges: [
    { from: 'source.image', to: 'found.image' },
    { from: 'found.detections', to: 'aim.detections' },
  ],
  outputs: [
    { port: 'tags', from: 'found.detections' },
    { port: 'aimed', from: 'aim.values' },
  ],
})

const planOf = (graph: GraphDocument): Plan => {
  const planned = planGraph(graph)
  assert.ok(planned.ok, JSON.stringify(planned))
  return planned.plan
}

const tagsOf = (result: Result) => rowDocuments(result, 'tags', 'detections') ?? []
const valuesOf = (result: Result) => rowDocuments(result, 'aimed', 'values')?.[0]?.values
const planNumber = (result: Result): number => header(result, 'plan')
/** Of a picture in whose result the script's values are: on a busy machine it is late for some. */
const hasValues = (result: Result): boolean => valuesOf(result) !== undefined

const setGraph = (camera: EngineProbe, graph: GraphDocument) => Effect.runPromise(camera.engine.setPlan(planOf(graph)))

// As long as it likes: on a busy machine a good script is late as well.
const PATIENT = { timeout_ms: 1000 }

const GOOD = `
let calls = 0
function step({ seq, captured_us, width_px, height_px, detections }) {
  calls += 1
  const ids = detections.map(({ id }) => id)
  return { seq, captured_us, calls, size: [width_px, height_px], ids, family: detections[0]?.family }
}`

/**
 * Tries to get hold of something that was not made in its realm, above all errors of whoever writes down stacks; what
 * can be reached from a find is looked at too.
 */
const ESCAPES = `
const { getOwnPropertyDescriptors, getPrototypeOf, values } = Object
const own = Object.prototype
const foreign = []
const seen = new Set()
const look = (name, found) => {
  const todo = [found]
  while (todo.length > 0 && seen.size < 20000) {
    const each = todo.pop()
    if ((typeof each !== 'object' && typeof each !== 'function') || each === null || seen.has(each)) continue
    seen.add(each)
    let root = each
    for (let next = root; next; next = getPrototypeOf(next)) root = next
    if (root !== own && root !== each && !foreign.includes(name)) foreign.push(name)
    const all = getOwnPropertyDescriptors(each)
    for (const key of Reflect.ownKeys(all)) todo.push(all[key].value, all[key].get, all[key].set)
    todo.push(getPrototypeOf(each))
  }
}
const withError = (change) => () => {
  const error = new TypeError('x')
  change(error)
  return error.stack
}
const attempts = {
  globals: () => globalThis,
  symbol: withError((error) => Object.defineProperty(error, 'name', { value: Symbol() })),
  nothing: withError((error) => Object.defineProperty(error, 'name', { value: Object.create(null) })),
  proxy: withError((error) => {
    Object.setPrototypeOf(error, new Proxy({}, { has: () => true, get: () => Symbol() }))
  }),
  long: withError((error) => Object.defineProperty(error, 'message', { value: 'a'.repeat(2 ** 29 - 30) })),
  sites: () => {
    const kept = []
    const was = globalThis.Error
    globalThis.Error = { prepareStackTrace: (...all) => kept.push(...all, all[1]) }
    new TypeError('x').stack
    globalThis.Error = was
    return kept
  },
  captured: () => { const all = {}; Error.captureStackTrace(all); return [all, all.stack] },
  text: () => step.constructor('1'),
  generator: () => (function* () {}).constructor('1'),
  pattern: () => new RegExp('('),
  depth: () => {
    const dive = () => {
      try { dive() } catch (error) { look('depth', error) }
      try { new TypeError('x').stack } catch (error) { look('depth', error) }
    }
    dive()
  },
}
let tried = 0
for (const [name, attempt] of Object.entries(attempts)) {
  try { look(name, attempt()) } catch (error) { look(name, error) }
  tried += 1
}
function step(given) {
  look('given', given)
  return { foreign, tried }
}`

test('scripts', async (t) => {
  const camera = await startEngine(t)
  await camera.open({ ...smallCamera, pipeline: scripted(GOOD, PATIENT) })

  await t.test('a script gives values of the picture that it was given', async () => {
    const result = await resultThat(camera, hasValues)

    const { calls, ...values } = valuesOf(result) ?? {}
    assert.deepEqual(values, {
      seq: header(result, 'seq'),
      captured_us: header(result, 'captured_us'),
      size: [640, 400],
      ids: tagsOf(result).map(({ id }) => id),
      family: 'tag36h11',
    })
  })

  await t.test(
    'a script remembers, also through a change of another node, and not through one of its own',
    async () => {
      const callsIn = (result: Result) => Number(valuesOf(result)?.calls)
      const isAfter = (before: Result) => (result: Result) =>
        hasValues(result) && planNumber(result) > planNumber(before)
      const before = await resultThat(camera, (result) => callsIn(result) > 30)
      await setGraph(camera, scripted(GOOD, PATIENT, { threads: 2 }))
      const kept = await resultThat(camera, isAfter(before))
      await setGraph(camera, scripted(`${GOOD}\n`, PATIENT))
      const anew = await resultThat(camera, isAfter(kept))

      assert.ok(callsIn(kept) > callsIn(before))
      assert.ok(callsIn(anew) < 30, `${callsIn(anew)} calls`)
    },
  )

  await t.test('a script that throws now and then costs its values of those pictures, and says where', async () => {
    const source = 'const step = ({ seq }) => {\n  if (seq % 2) throw new Error("odd")\n  return { seq }\n}'
    await setGraph(camera, scripted(source, PATIENT))
    const said = await warningThat(camera, /step\.failed: step aim/)
    const even = await resultThat(camera, hasValues)
    const odd = await resultThat(camera, (result) => header(result, 'seq') % 2 === 1)

    assert.match(said, /^step\.failed: step aim: it threw Error: odd \(line 2\); this picture has none of its results$/)
    assert.equal(header(even, 'seq') % 2, 0)
    assert.deepEqual([valuesOf(even), valuesOf(odd)], [{ seq: header(even, 'seq') }, undefined])
    assert.ok(tagsOf(odd).length > 0)
  })

  await t.test('a script that takes too long is not waited for, and has longer when it is given longer', async () => {
    const source =
      'const step = ({ seq }) => {\n  const end = Date.now() + 30\n  while (Date.now() < end);\n  return { seq }\n}'
    const graph = scripted(source, { timeout_ms: 1 })
    await setGraph(camera, graph)
    const said = await warningThat(camera, /too_slow/)
    camera.engine.setParams(planOf(scripted(source, PATIENT)).steps.map(({ id, params }) => ({ id, params })))
    const result = await resultThat(camera, hasValues)

    assert.match(said, /^step\.too_slow: step aim: it has not answered in 1 ms/)
    assert.deepEqual(valuesOf(result), { seq: header(result, 'seq') })
  })

  const ENDLESS: readonly (readonly [says: string, source: string, sentence: RegExp])[] = [
    ['loops', 'const step = () => { for (;;); }', /^step\.ended: step aim: it hangs: it has computed for \d/],
    [
      'allocates',
      'const all = []; const step = () => { for (;;) all.push(1) }',
      /^step\.ended: step aim: it needed more than 16 MB/,
    ],
  ]
  for (const [says, source, sentence] of ENDLESS)
    await t.test(`a script that ${says} for ever is ended and begun anew, and the other outputs go on`, async () => {
      await setGraph(camera, scripted(source, { memory_mb: 16 }))
      await warningThat(camera, sentence)
      await warningThat(camera, /too_slow/) // it was asked again
      const result = await camera.nextResult()

      assert.ok(tagsOf(result).length > 0)
      assert.equal(valuesOf(result), undefined)
    })

  await t.test('a script that cannot be begun is refused, tried or not, and the one of before goes on', async () => {
    await setGraph(camera, scripted(GOOD, PATIENT))
    const before = await resultThat(camera, hasValues)
    const cannot: readonly (readonly [source: string, sentence: RegExp, order: 'setPlan' | 'tryPlan'])[] = [
      ['const stop = 1', /step aim cannot be begun: it has no function called step$/, 'tryPlan'],
      ['throw new Error("not today")', /not today/, 'setPlan'],
      ['const all = []; for (;;) all.push(1)', /it needed more than 32 MB of memory/, 'setPlan'],
    ]
    for (const [source, sentence, order] of cannot) {
      const fault = await Effect.runPromise(Effect.flip(camera.engine[order](planOf(scripted(source)))))
      assert.match(fault.detail, sentence)
    }
    const result = await resultThat(camera, hasValues)

    assert.equal(planNumber(result), planNumber(before))
    assert.ok(Number(valuesOf(result)?.calls) > Number(valuesOf(before)?.calls))
  })

  await t.test('nothing that a script gets hold of is of another realm', async () => {
    await setGraph(camera, scripted(ESCAPES, PATIENT))
    const result = await resultThat(camera, (each) => valuesOf(each)?.tried !== undefined)

    assert.deepEqual(valuesOf(result), { foreign: [], tried: 11 })
  })

  await t.test('nothing of all that ended the engine or the camera', () => {
    assert.deepEqual(
      camera.events.filter(({ type }) => type !== 'first-frame' && type !== 'warned'),
      [],
    )
  })
})
