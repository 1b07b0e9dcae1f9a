// What the device has to show of itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SignalParts, signalsNow } from '../../../actors/lighting/device-signals.ts'
import { RESULT_FIELDS, RESULT_HEADER } from '../../../machines/engine/result.ts'

const NOW_US = 100_000_000

/** A result that was taken so long ago, and has so many rows of tags. */
const resultOf = (agoUs: number, rows: number, kind: 'detections' | 'tag_poses' | 'objects' = 'detections') => {
  const data = new Float64Array(RESULT_HEADER.length + 1 + rows * RESULT_FIELDS[kind].length)
  data[RESULT_HEADER.indexOf('captured_us')] = NOW_US - agoUs
  data[RESULT_HEADER.length] = rows
  return { layout: { stages: [], outputs: [{ port: 'found', kind }] }, data }
}

interface Told {
  readonly server?: string
  readonly link?: string
  readonly update?: object
  readonly streams?: readonly { state: string; results: { value: unknown } }[]
  readonly startedAgoUs?: number
}

const now = ({ server = 'listening', link, update = { state: 'idle' }, streams = [], startedAgoUs = 1_000 }: Told) => {
  const snapshot = { value: link, context: { addresses: [], index: 0, fault: null, target: null, nextTryInMs: null } }
  const parts = {
    directory: {
      actor: () => (link === undefined ? undefined : { getSnapshot: () => snapshot }),
      clock: { monotonicUs: () => NOW_US },
      identity: { started_us: NOW_US - startedAgoUs },
      parts: () => [{ name: 'http', state: server }],
    },
    streams: { all: () => streams },
    update: () => update,
  }
  const signals = signalsNow(parts as unknown as SignalParts)
  return Object.entries(signals).flatMap(([name, isShown]) => (isShown ? name : []))
}

test('a device that is well has nothing to show', () => {
  assert.deepEqual(now({ link: 'connected', streams: [{ state: 'live', results: { value: resultOf(0, 0) } }] }), [])
})

test('it starts until its server listens, and for half a minute at most', () => {
  assert.deepEqual(now({ server: 'binding' }), ['starting'])
  assert.deepEqual(now({ server: 'failed' }), [])
  assert.deepEqual(now({ server: 'binding', startedAgoUs: 30_000_001 }), [])
})

test('a link is lost while a robot is called, and not where there is none to be called', () => {
  assert.deepEqual(now({ link: 'dialling' }), ['link_lost'])
  for (const link of ['off', 'parked', undefined]) assert.deepEqual(now(link === undefined ? {} : { link }), [])
})

test('a tag is seen when a stream that runs has just found one', () => {
  const seen = (value: unknown, state = 'live') => now({ streams: [{ state, results: { value } }] })

  assert.deepEqual(seen(resultOf(299_000, 1)), ['target_seen'])
  assert.deepEqual(seen(resultOf(0, 2, 'tag_poses')), ['target_seen'])
  assert.deepEqual(seen(resultOf(301_000, 1)), [])
  assert.deepEqual(seen(resultOf(0, 1), 'failed'), [])
  assert.deepEqual(seen(resultOf(0, 1, 'objects')), [])
  assert.deepEqual(seen(undefined), [])
})

test('an update runs from when it is written until it has proved itself', () => {
  const states = ['idle', 'receiving', 'verifying', 'ready', 'applying', 'restarting', 'trial', 'committed', 'failed']

  assert.deepEqual(
    states.filter((state) => now({ update: { state } }).includes('update_runs')),
    ['applying', 'restarting', 'trial'],
  )
  assert.deepEqual(now({ update: { code: 'update.unavailable', detail: 'not here' } }), [])
})
