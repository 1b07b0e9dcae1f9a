// The resource guard on streams that it may cut: what it tells them, for how long, and that it takes nothing with it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { askNow } from '../../../actors/ask.ts'
import { FIGURES_COUNT_MS } from '../../../actors/guard/guard-actor.ts'
import { endEffects } from '../../../actors/run.ts'
import { NO_LIMIT } from '../../../machines/guard/levels.ts'
import { noProgress } from '../../../machines/recording/progress.ts'
import { settle } from '../../support/clock/clock.ts'
import { guardedStreams, hot } from '../../support/guard/guarded-streams.ts'

test('a device that is too hot cuts previews first, then what lower streams compute, then the first', async (t) => {
  const { streams, seconds, told, recorded, view, actor } = guardedStreams(t, ['front', 'rear'])
  const [front, rear] = streams
  await settle()

  seconds(12, hot(86))

  assert.deepEqual([front?.guard.limit, rear?.guard.limit.preview_fps], [NO_LIMIT, 15])
  assert.deepEqual(
    rear?.viewers.pictures.wanted().map(({ fps }) => fps),
    [15],
  )
  assert.equal(rear?.guard.status?.why?.value, 86)
  assert.match(rear?.guard.status?.detail ?? '', /^Previews show at most 15 pictures a second, since .* 86 °C warm/)
  assert.deepEqual(recorded, [])
  assert.ok(actor.getSnapshot().matches({ on: { awake: 'limiting' } }))

  seconds(400, hot(86))

  assert.equal(rear?.guard.limit.is_paused, true)
  assert.deepEqual(
    recorded.map(({ code, resource }) => [code, resource]),
    [
      ['guard.slowed', 'streams/rear'],
      ['guard.slowed', 'streams/rear'],
      ['guard.paused', 'streams/rear'],
      ['guard.slowed', 'streams/front'],
      ['guard.slowed', 'streams/front'],
    ],
  )
  assert.deepEqual([front?.guard.limit.is_paused, front?.guard.limit.skip], [false, 2])
  assert.equal(told.length, view.decisions.length)
})

test('all comes back, step by step, when the device has cooled down', async (t) => {
  const { streams, seconds, actor } = guardedStreams(t, ['front', 'rear'])
  await settle()
  seconds(400, hot(86))

  seconds(10, hot(60))
  assert.equal(streams[1]?.guard.limit.is_paused, true)
  seconds(300, hot(60))

  assert.deepEqual(
    streams.map(({ guard: { limit, status } }) => [limit, status]),
    [
      [NO_LIMIT, null],
      [NO_LIMIT, null],
    ],
  )
  assert.ok(actor.getSnapshot().matches({ on: { awake: 'watching' } }))
})

test('the death of the guard, figures that are old and a switch cost no stream anything', async (t) => {
  const { streams, seconds, actor, clock, set, needs } = guardedStreams(t, ['front', 'rear'])
  const [, rear] = streams
  await settle()
  seconds(400, hot(86))
  assert.equal(rear?.guard.limit.is_paused, true)

  clock.advance(FIGURES_COUNT_MS - 1)
  assert.equal(rear?.guard.limit.is_paused, true)
  clock.advance(1)
  assert.deepEqual(rear?.guard.limit, NO_LIMIT)
  assert.ok(actor.getSnapshot().matches({ on: { awake: 'blind' } }))

  seconds(400, hot(86))
  assert.equal(rear?.guard.limit.is_paused, true)
  assert.equal(needs(), 1)
  set({ enabled: false })
  await settle()
  assert.deepEqual([rear?.guard.limit, needs()], [NO_LIMIT, 0])

  set({ enabled: true })
  await settle()
  seconds(400, hot(86))
  assert.equal(rear?.guard.limit.is_paused, true)
  await Effect.runPromise(endEffects(actor))
  assert.deepEqual([rear?.guard.limit, needs(), clock.timers], [NO_LIMIT, 0, 0])
})

test('it needs figures only while a stream is to run', async (t) => {
  const { enable, needs } = guardedStreams(t, ['front'])
  await settle()
  assert.equal(needs(), 1)

  enable('front', false)
  await settle()
  assert.equal(needs(), 0)

  enable('front', true)
  await settle()
  assert.equal(needs(), 1)
})

test('a stream that somebody restores is left alone for a while, and others give way', async (t) => {
  const { streams, seconds, actor, set, view } = guardedStreams(t, ['front', 'middle', 'rear'])
  const [front, middle, rear] = streams
  set({ restore_hold_s: 120 })
  await settle()
  seconds(400, hot(86))
  assert.equal(rear?.guard.limit.is_paused, true)

  const { outcome } = await askNow(actor, { type: 'guard.restore', stream_id: 'rear' })
  seconds(118, hot(86))

  assert.equal(outcome, 'done')
  assert.deepEqual(rear?.guard.limit, NO_LIMIT)
  assert.ok((rear?.guard.status?.held_until_ms ?? 0) > 0)
  assert.equal(middle?.guard.limit.is_paused, true)
  assert.equal(front?.guard.limit.is_paused, false)
  assert.ok(view.decisions.some(({ what, stream_id }) => what === 'restored' && stream_id === 'rear'))

  seconds(300, hot(86))
  assert.equal(rear?.guard.limit.is_paused, true)
})

test('recordings end when the disk is too slow, and nothing else is cut', async (t) => {
  const { streams, seconds, stopped, recorded } = guardedStreams(t, ['front', 'rear'])
  const [front, rear] = streams
  if (!rear || !front) throw new Error('there are two streams')
  const context = { file: null, earlier: [], progress: noProgress, fault: null }
  rear.recording.status = () => ({ status: 'active', value: 'recording', context })
  await settle()

  seconds(3, { ...hot(50), pressure: { ...calm, io: { some_avg10: 70, full_avg10: 60 } } })

  assert.ok(stopped.includes('rear') && !stopped.includes('front'))
  assert.deepEqual(front.guard.limit, NO_LIMIT)
  assert.deepEqual(rear.guard.limit, { ...NO_LIMIT, stops_recording: true })
  assert.deepEqual(
    recorded.map(({ code }) => code),
    ['guard.recording_ended'],
  )
})

test('a recording that takes no order while it begins is told to end each second, until it does', async (t) => {
  const { streams, seconds, stopped } = guardedStreams(t, ['front'])
  const [front] = streams
  const context = { file: null, earlier: [], progress: noProgress, fault: null }
  const is = (value: 'starting' | 'recording' | 'stopping') =>
    front?.recording && Object.assign(front.recording, { status: () => ({ status: 'active', value, context }) })
  const slow = { ...hot(50), pressure: { ...calm, io: { some_avg10: 70, full_avg10: 60 } } }
  is('starting')
  await settle()
  seconds(3, slow)
  const told = stopped.length

  seconds(2, slow)
  is('recording')
  seconds(1, slow)
  is('stopping')
  seconds(5, slow)

  assert.ok(told > 0)
  assert.equal(stopped.length, told + 3)
})

const calm = {
  cpu: { some_avg10: 1 },
  memory: { some_avg10: 0, full_avg10: 0 },
  io: { some_avg10: 0, full_avg10: 0 },
}
