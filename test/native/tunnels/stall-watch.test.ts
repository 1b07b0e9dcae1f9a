// How long something that was begun is waited for, by a clock that the test moves.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DEFAULT_LIMITS } from '../../../native/tunnels/limits.ts'
import { StallWatch } from '../../../native/tunnels/stall-watch.ts'

const { lookMs, partMs } = DEFAULT_LIMITS
const FOR_LONG_MS = 1_000_000 // a service has run when the tunnel is made
const LATE = 1.0005 // timers are, and looks with them

/** A tunnel whose viewers are well. pass: time, with the looks that fall into it. */
const attentive = (t: TestContext) => {
  let nowMs = FOR_LONG_MS
  t.mock.method(performance, 'now', () => nowMs)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const said: string[] = []
  const source = { isWithin: false }
  const upstream = { isWithin: () => source.isWithin, pause: () => {}, resume: () => {} }
  const viewers = { dismiss: () => {}, isBehind: () => false }
  const stallWatch = new StallWatch(DEFAULT_LIMITS, viewers, upstream, (why) => said.push(why))
  const pass = (ms: number) => {
    for (let n = 0; n < ms; n++) {
      nowMs += LATE
      t.mock.timers.tick(1)
    }
  }
  return { stallWatch, source, said, pass }
}

test('the first picture has all of its time, in a service that has run for long', (t) => {
  const { source, said, pass } = attentive(t)

  source.isWithin = true
  pass(partMs)

  assert.deepEqual(said, [])
  pass(2 * lookMs)
  assert.match(said[0] ?? '', /not whole after 5 s/)
})

test('a picture that is begun just after a look that found none has all of its time', (t) => {
  const { source, said, pass } = attentive(t)
  pass(2 * lookMs)

  pass(lookMs - 1)
  source.isWithin = true
  pass(partMs)

  assert.deepEqual(said, [])
  pass(2 * lookMs)
  assert.match(said[0] ?? '', /not whole after 5 s/)
})

test('each picture has its own time, whenever the one before was whole', (t) => {
  const { stallWatch, source, said, pass } = attentive(t)
  source.isWithin = true

  for (let picture = 0; picture < 4; picture++) {
    pass(partMs)
    stallWatch.whole() // and the next is begun with it
  }

  assert.deepEqual(said, [])
})
