import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_LIVE_CONTROLS } from '../../../../machines/extcam/live.ts'
import { isHeading, oddLiveField } from '../../../../native/engine/protocol/live.ts'

test('ids and times beyond what the addon reads are refused before they get there', () => {
  const withIds = (id: number) => ({ ...NO_LIVE_CONTROLS, priority_id: id, localization_ids: [id] })
  const at = (at_us: number) => ({ at_us, yaw_deg: 0, yaw_rate_dps: 0 })

  assert.equal(oddLiveField(withIds(1e9)), undefined)
  assert.equal(oddLiveField(withIds(1e9 + 1)), 'priority_id')
  assert.equal(oddLiveField({ ...NO_LIVE_CONTROLS, localization_ids: [1e9 + 1] }), 'localization_ids')
  assert.ok(isHeading(at(9e15)))
  assert.ok(!isHeading(at(9e15 + 2)))
})
