// The IMU as a machine: looked for while it is wanted, read while it is there, tried again when it breaks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnyMachineSnapshot } from 'xstate'
import type { FoundImu } from '../../../machines/imu/found.ts'
import { imuMachine } from '../../../machines/imu/imu-machine.ts'
import { imuStateOf, toldImuState } from '../../../machines/imu/state.ts'
import { FAKE_IMU } from '../../../native/imu/fake.ts'
import { walk } from '../../support/walk.ts'

const OTHER: FoundImu = { ...FAKE_IMU, id: 'fake:other' }
const HALF: FoundImu = { ...FAKE_IMU, id: 'fake:half', detail: 'it measures forces and no turns' }
const broken = { code: 'imu.failed', detail: 'it was pulled out' } as const
const settings = (isEnabled: boolean, imu: string | null = null) => ({
  type: 'settings.changed',
  isEnabled,
  request: { imu, rate_hz: 200 },
})
const found = (...imus: readonly FoundImu[]) => ({
  type: 'xstate.done.actor.findImu',
  output: { imus, looked_for: ['everywhere'] },
})

const isReading = (snapshot: AnyMachineSnapshot | undefined): boolean => snapshot?.matches({ on: 'reading' }) === true

test('on all paths one is read only while it was found and is wanted, and each end of it is told', () => {
  const { reached } = walk(imuMachine, {
    samples: [
      settings(true),
      settings(true, OTHER.id),
      settings(true, HALF.id),
      settings(false),
      found(FAKE_IMU, OTHER),
      found(HALF),
      found(),
      { type: 'xstate.error.actor.findImu', error: broken },
      { type: 'xstate.error.actor.readImu', error: broken },
    ],
    check: ({ before, event, snapshot, actions }) => {
      const { request, found: seen, failures } = snapshot.context
      const told = actions.filter(({ type }) => type === 'noteUsed').map(({ params }) => params as FoundImu | null)
      if (isReading(snapshot)) {
        const used = seen.imus.find(({ id }: FoundImu) => request.imu === null || id === request.imu)
        assert.ok(used && used.detail === null)
        if (!isReading(before)) assert.deepEqual(told.at(-1), used)
      } else if (isReading(before)) assert.deepEqual(told, [null])
      if (event.type === 'settings.changed' && event.isEnabled === false) assert.equal(snapshot.value, 'off')
      if (snapshot.matches({ on: 'failed' })) assert.ok(failures > 0)
      if (
        event.type.startsWith('xstate.error') &&
        before?.value !== snapshot.value &&
        snapshot.matches({ on: 'failed' })
      )
        assert.ok(actions.some(({ type }) => type === 'noteFault'))
      assert.equal(snapshot.status, 'active')
      assert.notEqual(imuStateOf(snapshot.value), undefined)
    },
  })

  assert.deepEqual([...reached].sort(), [
    'off',
    'on',
    'on.absent',
    'on.failed',
    'on.looking',
    'on.reading',
    'on.reading.opening',
    'on.reading.running',
    'on.reading.settling',
  ])
})

test('the state that people are told is the innermost one, and off where nothing runs', () => {
  assert.equal(imuStateOf({ on: { reading: 'settling' } }), 'settling')
  assert.equal(imuStateOf({ on: 'absent' }), 'absent')
  assert.equal(imuStateOf(undefined), 'off')
})

test('another look that finds nothing is told to nobody', () => {
  const told: string[] = []
  let before = imuStateOf(undefined)
  for (const on of ['looking', 'absent', 'looking', 'absent', 'looking', { reading: 'opening' }, 'failed', 'looking']) {
    const now = toldImuState(before, imuStateOf({ on }))
    if (now !== before) told.push(now)
    before = now
  }

  assert.deepEqual(told, ['looking', 'absent', 'opening', 'failed'])
})
