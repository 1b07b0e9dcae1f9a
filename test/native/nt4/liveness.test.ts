// When silence means death.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Liveness } from '../../../native/nt4/liveness.ts'
import { holdUp } from '../../support/clock/clock.ts'

test('silence is probed at each tick and ends at the limit', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const said: string[] = []
  const liveness = new Liveness(
    { everyMs: 100, probeFromTick: 1, limitTicks: 3 },
    () => said.push('probe'),
    () => said.push('dead'),
  )

  t.mock.timers.tick(200)
  liveness.heard()
  t.mock.timers.tick(1_000)

  assert.deepEqual(said, ['probe', 'probe', 'probe', 'probe', 'dead'])
})

test('who was heard from just now is not asked, who falls silent is asked in good time', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const said: string[] = []
  const liveness = new Liveness(
    { everyMs: 100, probeFromTick: 2, limitTicks: 4 },
    () => said.push('probe'),
    () => said.push('dead'),
  )

  for (let n = 0; n < 10; n++) {
    t.mock.timers.tick(100)
    liveness.heard()
  }
  assert.deepEqual(said, [])
  t.mock.timers.tick(1_000)

  assert.deepEqual(said, ['probe', 'probe', 'dead'])
})

test('a process that was itself held up hears the waiting answers before it gives up', async (t) => {
  let dead = false
  const liveness = new Liveness(
    { everyMs: 50, probeFromTick: 1, limitTicks: 3 },
    () => {},
    () => {
      dead = true
    },
  )
  t.after(() => liveness.stop())

  holdUp(200)
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))

  assert.equal(dead, false)
})
