// Whose pictures count, and how people are told what the budget does to them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leavesDevice } from '../../../machines/bandwidth/budget.ts'
import { limitOf, type StreamBandwidth, unwatched } from '../../../machines/bandwidth/report.ts'

test('a viewer on this device does not count, by whatever address he came', () => {
  for (const [remoteAddress, localAddress] of [
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1'],
    ['10.12.34.11', '10.12.34.11'],
  ])
    assert.equal(leavesDevice({ remoteAddress, localAddress }), false, remoteAddress)
  assert.equal(leavesDevice({ remoteAddress: '10.12.34.5', localAddress: '10.12.34.11' }), true)
})

const preview = (more: Partial<StreamBandwidth['previews'][number]>): StreamBandwidth['previews'][number] => ({
  output: '',
  max_width_px: 0,
  quality: 0,
  overlay: false,
  viewers: 1,
  fps: 30,
  granted_fps: 30,
  width_px: 1280,
  granted_width_px: 1280,
  ...more,
})

test('who sees less than he asked for finds a sentence that says so, and what to do', () => {
  const report = { ...unwatched(3, 5), device_demand_mbit_s: 21.4 }

  const limit = limitOf({ ...report, previews: [preview({}), preview({ granted_fps: 10, granted_width_px: 640 })] })

  assert.equal(limit?.code, 'preview.limited')
  assert.match(limit?.detail ?? '', /10 of 30 pictures a second, in grey and 640 pixels wide instead of 1280/)
  assert.match(limit?.detail ?? '', /would take 21\.4 Mbit\/s, and 3 is the budget/)
  assert.equal(limitOf({ ...report, previews: [preview({})] }), undefined)
  assert.equal(limitOf(unwatched(3, 5)), undefined)
})
