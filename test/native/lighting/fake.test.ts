// Lamps that are made up play as the process does that holds real ones (test/native/addon/lamps/plan.cc).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import { FakeLights } from '../../../native/lighting/fake.ts'

const LEFT = { id: 'fake:left', pixels: 1, channels: 1, order: 'W', max_level: 200 } as const

const held = async () => {
  let now_us = 0
  const told: [string, string | null][] = []
  const ended: Fault[] = []
  const lights = new FakeLights({ nowUs: () => now_us })
  const lit = await lights.open([LEFT, { ...LEFT, id: 'fake:gone' }], {
    ended: (fault) => ended.push(fault),
    output: (id, detail) => told.push([id, detail]),
  })
  assert.ok('play' in lit)
  const play = (hold_ms: number, ...frames: readonly (readonly [at_us: number, byte: number])[]) =>
    lit.play(
      frames.map(([at_us, byte]) => ({ at_us, bytes: Uint8Array.of(byte, 99) })),
      hold_ms,
    )
  const seenAt = (us: number) => {
    now_us = us
    return lit.seen?.()[0]
  }
  return { lights, lit, play, seenAt, told, ended }
}

test('each frame shines from its moment on, the last one for its time, and none above the limit', async () => {
  const { play, seenAt } = await held()

  play(1, [100, 1], [200, 255])

  assert.deepEqual([0, 99, 100, 199, 200, 1199, 1200].map(seenAt), [0, 0, 1, 1, 200, 200, 0])
})

test('later frames replace those that are planned from the first of them on', async () => {
  const { play, seenAt } = await held()

  play(1000, [100, 1], [200, 2], [300, 3])
  assert.equal(seenAt(150), 1)
  play(1000, [200, 7])

  assert.deepEqual([160, 200, 300, 1_000_199, 1_000_200].map(seenAt), [1, 7, 7, 7, 0])
})

test('what went out is not lit by what is planned after it', async () => {
  const { play, seenAt } = await held()

  play(1, [100, 50])
  assert.equal(seenAt(5_000), 0)
  play(1, [9_000, 60])

  assert.deepEqual([8_999, 9_000].map(seenAt), [0, 60])
})

test('what is not there is told, and a fake that ends is dark', async () => {
  const { lights, play, seenAt, told, ended } = await held()
  play(1000, [0, 9])

  lights.held?.end({ code: 'device.failed', detail: 'it was killed' })

  assert.deepEqual(
    told.map(([id]) => id),
    ['fake:gone'],
  )
  assert.equal(ended.length, 1)
  assert.equal(seenAt(1), 0)
  assert.equal(lights.held, null)
})
