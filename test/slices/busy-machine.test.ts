// A machine that others keep busy: streams become slow, and none is lost.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { replaceDetector, WIDTHS } from '../support/engine/detector.ts'
import { graphWithTags } from '../support/engine/engine-task.ts'
import { grayPng } from '../support/media/png.ts'
import { keepCoreBusy } from '../support/processes/busy.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

// for two pictures of 1.5 s of computing each, on a machine that gives a twentieth of a processor
const MAX_MS = 300_000

test('no engine is replaced because the machine is busy', async (t) => {
  replaceDetector(t)
  const { dataDir, start } = site(t)
  const daemon = await start()
  const folder = join(dataDir, 'pictures')
  mkdirSync(folder)
  writeFileSync(join(folder, 'slow.png'), grayPng(WIDTHS.computesFor1500ms, 64))
  await daemon.send('POST', '/v1/streams', {
    id: 'slow',
    source: { backend: 'images', path: folder, fps: 30 },
    pipeline: graphWithTags({ engine: 'reference' }),
  })
  await daemon.addStream({ id: 'quick', source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } })
  const before = [await daemon.metrics('slow'), await daemon.metrics('quick')]

  keepCoreBusy(t, [daemon.pid, ...before.map(({ engine_pid }) => engine_pid as number)])
  const read = async () => [await daemon.metrics('slow'), await daemon.metrics('quick')]
  const after = await until(
    'two more pictures of each',
    read,
    (now) => now.every(({ frames, restarts }, n) => restarts > 0 || frames >= (before[n]?.frames ?? 0) + 2),
    MAX_MS,
  )

  assert.deepEqual(
    after.map(({ restarts, engine_pid }) => ({ restarts, engine_pid })),
    before.map(({ engine_pid }) => ({ restarts: 0, engine_pid })),
  )
})
