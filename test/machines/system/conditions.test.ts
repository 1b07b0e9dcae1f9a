// Since when a device is short of power or slowed down, and how often.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALM_US, type Conditions, heedThrottling } from '../../../machines/system/conditions.ts'
import type { SlowedBy, SystemMetrics } from '../../../machines/system/metrics.ts'
import { slowedByFirmware } from '../../../machines/system/slowed.ts'

const told = (reasons: SlowedBy[], since_start: SlowedBy[] = reasons): SystemMetrics['throttling'] => ({
  now: reasons.length > 0,
  reasons,
  since_start,
})

/** What began and ended, look by look, each a second after the one before. */
const follow = (looks: readonly SystemMetrics['throttling'][]) => {
  let conditions: Conditions = null
  const news = looks.map((look, second) => {
    const heeded = heedThrottling(conditions, look, second * 1_000_000)
    conditions = heeded.conditions
    return { began: heeded.began, ended: heeded.ended }
  })
  return { conditions: conditions as Conditions, news }
}

test('a supply that is weak, and weak again soon after, began once and ends once it has been well for a while', () => {
  const weak = told(['under-voltage'])
  const well = told([], ['under-voltage'])
  const { conditions, news } = follow([told([]), weak, well, weak, well, well, well, well, well])

  assert.deepEqual(news[1], { began: ['under-voltage'], ended: [] })
  assert.deepEqual(news[8], { began: [], ended: ['under-voltage'] })
  for (const quiet of [0, 2, 3, 4, 5, 6, 7]) assert.deepEqual(news[quiet], { began: [], ended: [] })
  assert.deepEqual(conditions?.['under-voltage'], {
    isPresent: false,
    since_us: 3_000_000 + CALM_US,
    seen_us: 3_000_000,
    times: 1,
    since_start: true,
  })
})

test('what came and went between two looks is counted by the word of the firmware that it was so', () => {
  const { conditions, news } = follow([told([]), told([], ['throttled']), told([], ['throttled'])])

  assert.deepEqual(news[1], { began: ['throttled'], ended: [] })
  assert.deepEqual(news[2], { began: [], ended: [] })
  assert.equal(conditions?.throttled.times, 1)
})

test('what was so before the first look is known, and did not begin now', () => {
  const { conditions, news } = follow([told([], ['under-voltage'])])

  assert.deepEqual(news[0], { began: [], ended: [] })
  assert.deepEqual([conditions?.['under-voltage'].times, conditions?.['under-voltage'].since_start], [0, true])
})

test('a device that does not tell at the moment, or never, changes nothing', () => {
  const silent: SystemMetrics['throttling'] = { now: null, reasons: [], since_start: [] }

  assert.equal(follow([silent]).conditions, null)
  assert.deepEqual(follow([told(['throttled']), silent]).conditions?.throttled.isPresent, true)
})

test("the firmware's word is read bit by bit, and anything else is none", () => {
  assert.deepEqual(slowedByFirmware('50005'), {
    now: ['under-voltage', 'throttled'],
    since_start: ['under-voltage', 'throttled'],
  })
  assert.deepEqual(slowedByFirmware('throttled=0xa0000'), {
    now: [],
    since_start: ['frequency-capped', 'temperature-limit'],
  })
  assert.deepEqual(slowedByFirmware('0'), { now: [], since_start: [] })
  for (const none of [null, '', 'x', 'error=1', '123456789', '-1']) assert.equal(slowedByFirmware(none), null)
})
