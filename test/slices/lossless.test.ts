// A batch of pictures through the whole service: each is processed once, and the end comes after the last.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { grayPng } from '../support/media/png.ts'
import { site } from '../support/processes/daemon.ts'

const COUNT = 50

test('pictures played without loss end when the result of the last one is there', async (t) => {
  const { dataDir, start } = site(t)
  const folder = join(dataDir, 'pictures')
  mkdirSync(folder)
  for (let n = 0; n < COUNT; n++)
    writeFileSync(
      join(folder, `${n + 100}.png`),
      grayPng(640, 480, (x) => (x + n) % 256),
    )
  const daemon = await start()

  const source = { backend: 'images', path: folder, fps: 240, loop: false, pace: 'lossless' }
  await daemon.send('POST', '/v1/streams', { id: 'batch', source })
  await daemon.stream('batch', 'ended')

  const { frames, skipped } = await daemon.metrics('batch')
  assert.deepEqual({ frames, skipped }, { frames: COUNT, skipped: 0 })
})
