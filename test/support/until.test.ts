// Waiting that fails says for what, and what was there instead.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrival, until } from './until.ts'

const SOON_MS = 30 // what is tested is the message; nothing is to come

test('what is looked for is returned as soon as it is good', async () => {
  let looks = 0

  const found = await until(
    'the third look',
    () => ++looks,
    (count) => count === 3,
  )

  assert.deepEqual([found, looks], [3, 3])
})

test('what never gets good is named, with what was seen last', async () => {
  const wait = until(
    'a stream that is live',
    () => ({ id: 'front', state: 'opening' }),
    ({ state }) => state === 'live',
    SOON_MS,
  )

  await assert.rejects(
    wait,
    /^Error: a stream that is live did not come within 0\.03 s; last seen: \{ id: 'front', state: 'opening' \}$/,
  )
})

test('a look that does not come back is given up too', async () => {
  let looks = 0
  const look = () => (++looks === 1 ? 'something else' : new Promise<string>(() => {}))

  await assert.rejects(
    until('the answer', look, (text) => text === 'good', SOON_MS),
    /the answer did not come .* 'something else'$/,
  )
})

test('a look that fails ends the waiting with its reason', async () => {
  const look = () => Promise.reject(new Error('the door is locked'))

  await assert.rejects(until('the room', look), /^Error: the door is locked$/)
})

test('a promise that stays open is named, with what there is instead and where it was waited for', async () => {
  const wait = arrival('the end', new Promise(() => {}), () => ['begun', 'going on'], SOON_MS)

  const error: unknown = await wait.catch((reason) => reason)

  assert.ok(error instanceof Error)
  assert.equal(error.message, "the end did not come within 0.03 s; last seen: [ 'begun', 'going on' ]")
  assert.match(error.stack ?? '', /^Error: the end did not come .*until\.test\.ts/s)
})

test('the waiting goes on although a test has stopped the clock', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let looks = 0

  await until(
    'the second look',
    () => ++looks,
    (count) => count === 2,
  )
  await assert.rejects(
    arrival('anything', new Promise(() => {}), () => 'nothing', SOON_MS),
    /anything did not come/,
  )
})
