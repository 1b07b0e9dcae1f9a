// The clock of a server is set while a session is open: a robot program that is started again in a simulation, a device
// that has found the time.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import type { WebSocket } from 'ws'
import { monotonicUs } from '../../../../native/clock/system.ts'
import { PROTOCOL_40, PROTOCOL_41 } from '../../../../native/nt4/protocol.ts'
import { crudeServer, nt4Lab } from '../../../support/nt4/nt4.ts'
import { arrival, until } from '../../../support/until.ts'

const HOUR_US = 3_600_000_000
const FOLLOWED_WITHIN_MS = 2_000
const STEP_MS = 500
/** What the way of a reading may leave open on a busy machine. */
const NEAR_US = 5_000_000

/**
 * A session with a server whose clock can be set. errorUs: by how much the session's stamps are off now. pass: what the
 * session asks in two seconds, with the answers.
 */
const clocks = async (t: TestContext, protocol: string) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let aheadUs = 10 * HOUR_US
  const server = await crudeServer(t, { protocol, timeUs: () => monotonicUs() + aheadUs })
  const session = await nt4Lab(t).connect(server.port)
  const errorUs = () => session.serverTimeUs() - (monotonicUs() + aheadUs)
  const step = (byUs: number) => {
    aheadUs += byUs
  }
  const [socket] = server.sockets as [WebSocket]
  const pass = async () => {
    for (let passedMs = 0; passedMs < FOLLOWED_WITHIN_MS; passedMs += STEP_MS) {
      t.mock.timers.tick(STEP_MS)
      // The first pong comes behind the question, the second one behind the answer.
      for (let n = 0; n < 2; n++) {
        const answer = once(socket, 'pong')
        socket.ping()
        await arrival('a pong', answer)
      }
    }
  }
  return { session, errorUs, step, pass }
}

for (const [version, protocol] of [
  ['4.1', PROTOCOL_41],
  ['4.0', PROTOCOL_40],
] as const)
  for (const [direction, byUs] of [
    ['back', -HOUR_US],
    ['on', HOUR_US],
  ] as const)
    test(`stamps follow within two seconds when the clock of a ${version} server steps ${direction}`, async (t) => {
      const { session, errorUs, step, pass } = await clocks(t, protocol)
      assert.ok(Math.abs(errorUs()) < NEAR_US)

      step(byUs)
      const off = errorUs()
      await pass()

      assert.ok(Math.abs(errorUs()) < NEAR_US)
      assert.ok(Math.abs(off + byUs) < NEAR_US, `it was off by the step, and not by ${off} µs`)
      const before = session.serverTimeUs()
      await until(
        'time to go on',
        () => session.serverTimeUs() - before,
        (us) => us > 1_000,
      )
      assert.ok(Math.abs(errorUs()) < NEAR_US)
    })

test('a clock that steps back again and again is followed each time', async (t) => {
  const { errorUs, step, pass } = await clocks(t, PROTOCOL_41)

  for (let n = 0; n < 3; n++) {
    step(-HOUR_US)
    await pass()
    assert.ok(Math.abs(errorUs()) < NEAR_US)
  }
})
