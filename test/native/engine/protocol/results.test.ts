// Results as bytes, and what is kept of the layouts of plans, in both processes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RESULT_HEADER, type ResultLayout } from '../../../../machines/engine/result.ts'
import {
  Layouts,
  layoutFrom,
  layoutOf,
  resultBytes,
  resultFrom,
  sentLayout,
} from '../../../../native/engine/protocol/results.ts'

const layout = (...stages: readonly string[]): ResultLayout => ({
  stages,
  outputs: [{ port: 'a', kind: 'detections' }],
})

/** A result of a plan. */
const resultOf = (plan: number): Float64Array =>
  Float64Array.from(RESULT_HEADER, (field) => (field === 'plan' ? plan : 0))

test('plans with one layout share it, and each keeps it as long as it would have its own', () => {
  const layouts = new Layouts()

  for (let plan = 1; plan <= 3000; plan++) layouts.set(plan, layout(plan % 2 === 0 ? 'even' : 'odd'))

  assert.deepEqual(layouts.of(resultOf(2999)), layout('odd'))
  assert.equal(layouts.of(resultOf(2999)), layouts.of(resultOf(2997)))
  assert.equal(layouts.of(resultOf(3000)), layouts.of(resultOf(3000 - 1022)))
  assert.equal(layouts.of(resultOf(3000 - 1024)), undefined)
})

test('nothing is left of old plans, also where some could not be made and numbers are missing', () => {
  const layouts = new Layouts()

  for (let plan = 1; plan <= 4000; plan += 1 + (plan % 3)) layouts.set(plan, layout(`step-${plan}`))

  const known = Array.from({ length: 4001 }, (_, plan) => plan).filter((plan) => layouts.of(resultOf(plan)))
  assert.equal(known.length, 1024)
  assert.deepEqual(layouts.of(resultOf(known.at(-1) as number)), layout(`step-${known.at(-1)}`))
})

test('different layouts are kept as far as their texts have room, and the newest in any case', () => {
  const layouts = new Layouts(1000)
  const long = (n: number): ResultLayout => layout(String(n), 'x'.repeat(300))

  for (let plan = 1; plan <= 10; plan++) layouts.set(plan, long(plan))
  assert.deepEqual(
    [6, 7, 8, 9, 10].map((plan) => layouts.of(resultOf(plan))),
    [undefined, undefined, undefined, long(9), long(10)],
  )

  layouts.set(11, layout('x'.repeat(5000)))
  assert.deepEqual([layouts.of(resultOf(10)), layouts.of(resultOf(11))], [undefined, layout('x'.repeat(5000))])
  layouts.set(12, long(12))
  assert.deepEqual([layouts.of(resultOf(11)), layouts.of(resultOf(12))], [undefined, long(12)])
})

test('names of classes go over the wire once for a step, whatever comes from it', () => {
  const names = ['note', 'robot']
  const port = (n: number) => ({ port: `p${n}`, kind: 'objects' as const, slot: 1 })
  const plan = {
    slots: 2,
    steps: [{ id: 'look', type: 'object-detector', inputs: [0], outputs: [1], params: {} }],
    outputs: [port(0), port(1), port(2)],
  }
  const laidOut = layoutOf(plan, true, new Map([['look', names]]))

  const sent = sentLayout(laidOut)

  assert.deepEqual(sent.labels, [names])
  const arrived = layoutFrom(structuredClone(sent))
  assert.deepEqual(arrived, laidOut)
  assert.equal(arrived.outputs[0]?.labels, arrived.outputs[2]?.labels)
})

test('a result and its sighting come out as they went in, also from an odd address and after others', () => {
  const layout = { stages: [], outputs: [] }
  const layouts = new Layouts()
  layouts.set(3, layout)
  const data = Float64Array.of(1.5, -2, 1e300, 0, 0, 0, 0, 0, 3)
  const sighting = Float64Array.of(0, -0, 7)
  const bytes = resultBytes(new Uint8Array(data.buffer), { sighting })
  const shifted = new Uint8Array(bytes.length + 3)
  shifted.set(bytes, 3)

  const results = Array.from({ length: 20_000 }, () => resultFrom(shifted.subarray(3), layouts)) // more than one slab

  for (const result of [results[0], results.at(-1)]) assert.deepEqual(result, { layout, data, sighting })
  const alone = resultFrom(resultBytes(new Uint8Array(data.buffer)), layouts)
  assert.deepEqual(alone, { layout, data })
  data[8] = 4
  assert.equal(resultFrom(resultBytes(new Uint8Array(data.buffer)), layouts), undefined, 'of no known plan')
})

test('an observation that is packed behind a result comes out beside it, with a sighting and without', () => {
  const layout = { stages: [], outputs: [] }
  const layouts = new Layouts()
  layouts.set(3, layout)
  const data = Float64Array.of(1.5, -2, 1e300, 0, 0, 0, 0, 0, 3)
  const observation = Float64Array.of(600, -0, 5)
  const sighting = Float64Array.of(4)
  const packed = new Uint8Array(Float64Array.of(...data, ...observation).buffer)

  const both = resultFrom(resultBytes(packed, { sighting, observed: 3 }), layouts)
  const alone = resultFrom(resultBytes(packed, { observed: 3 }), layouts)

  assert.deepEqual(both, { layout, data, observation, sighting })
  assert.deepEqual(alone, { layout, data, observation })
})

test('counts that cannot be leave a result without what goes beside it', () => {
  const layout = { stages: [], outputs: [] }
  const layouts = new Layouts()
  layouts.set(3, layout)
  const data = Float64Array.of(1.5, -2, 1e300, 0, 0, 0, 0, 0, 3)

  for (const count of [Number.NaN, -1, 9, 1e9]) {
    const result = resultFrom(resultBytes(new Uint8Array(data.buffer), { observed: count }), layouts)
    assert.deepEqual(result, { layout, data })
  }
})
