// The table of the IMU on a robot that does not always read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImuFeed } from '../../../actors/own-table/imu-feed.ts'
import type { ImuBatch } from '../../../machines/imu/reading.ts'
import type { ImuState } from '../../../machines/imu/state.ts'
import { Listeners } from '../../../machines/listeners.ts'
import { HandClock, HandSession } from '../../support/clock/hand-clock.ts'

const READING: ImuBatch = {
  count: 1,
  at_us: Float64Array.of(1_000_000),
  quat: Float64Array.of(1, 0, 0, 0),
  angles_deg: new Float64Array(3),
  gyro_dps: new Float64Array(3),
  accel_g: Float64Array.of(0, 0, 1),
}

test('a robot that did not read when the IMU was lost hears of it when it reads again, once', () => {
  const clock = new HandClock()
  const session = new HandSession(clock)
  const [batches, changes] = [new Listeners<ImuBatch>(), new Listeners<void>()]
  const imu = { state: 'running' } as { state: ImuState }
  const feed = new ImuFeed(
    {
      imu: { listen: (listener) => batches.add(listener) },
      state: () => imu.state,
      onChanged: (listener) => changes.add(listener),
      later: clock.later,
    },
    session,
    { guard: (listener) => listener, send: () => {}, isCurrent: () => true },
  )
  batches.notify(READING)
  assert.equal(session.newest('/vedette/device/imu/state'), 'running')

  session.congested = true
  imu.state = 'failed'
  changes.notify()
  clock.advance(500)
  session.congested = false
  clock.advance(100)

  assert.equal(session.newest('/vedette/device/imu/state'), 'failed')
  const { length } = session.batches
  clock.advance(1_000)
  feed.stop()
  assert.deepEqual([session.batches.length, clock.timers], [length, 0])
})
