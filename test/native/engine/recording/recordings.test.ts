// The orders to record in an engine, on the real muxer, with pictures that never come.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { EngineOpened } from '../../../../native/engine/port.ts'
import type { NativeStream } from '../../../../native/engine/process/addon.ts'
import { Recordings } from '../../../../native/engine/process/recordings.ts'
import { noFfmpeg } from '../../../support/media/boxes.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const opened = { pixel_format: 'jpeg', width_px: 64, height_px: 48, fps: 30 } as EngineOpened

/** sinks: where the stream was told to send its pictures; null: nowhere. */
const recordings = (t: TestContext) => {
  const sinks: unknown[] = []
  const stream = {
    record: (sink: unknown) => sinks.push(sink),
    endRecording: () => true,
    takeRecorded: () => ({ results: [], results_lost: 0, pictures_lost: 0 }),
  } as unknown as NativeStream
  const orders = new Recordings({ stream, layouts: { of: () => undefined }, tell: () => {} })
  const folder = folderOf(t)
  const order = { path: join(folder, 'a.mp4'), sidecar_path: join(folder, 'a.jsonl'), stream: 'front' }
  return { orders, order, sinks }
}

test('whoever ends a recording that is being ended waits until it is', { skip: noFfmpeg }, async (t) => {
  const { orders, order } = recordings(t)
  await orders.start(order, opened)

  const [first, second] = await Promise.all([orders.stop(), orders.stop()])

  assert.ok('pictures' in first)
  assert.equal(second, first)
})

test('a recording that is stopped while it is being begun gets no pictures any more', { skip: noFfmpeg }, async (t) => {
  const { orders, order, sinks } = recordings(t)

  const starts = orders.start(order, opened)
  await orders.stop()
  const fault = await starts

  assert.equal(fault?.code, 'recording.failed')
  assert.equal(sinks.at(-1), null)
})
