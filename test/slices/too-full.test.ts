// A picture with more in it than can be looked at in time: users are told that tags in it may be missed, and what to
// do.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { graphWithTags } from '../support/engine/engine-task.ts'
import { grayPng } from '../support/media/png.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

test('a stream searched at a smaller size says so in status, samples and error history', async (t) => {
  const { dataDir, start } = site(t)
  const path = join(dataDir, 'long.png')
  writeFileSync(path, grayPng(32_768, 64)) // by its length: as full would be noise of eight megapixels
  const daemon = await start()

  await daemon.addStream({
    id: 'long',
    source: { backend: 'images', path, fps: 10 },
    pipeline: graphWithTags({ engine: 'vedette', decimate: 1 }),
  })
  const entry = await daemon.error('picture.too_full', 'streams/long')
  const { status } = await until(
    'the warning',
    () => daemon.stream('long', 'live'),
    ({ status }) => status.warnings.length > 0,
  )
  const { sample } = await daemon.get<{ sample: { too_full: boolean; rows: object[] } }>(
    '/v1/streams/long/pipeline/outputs/tags/sample',
  )

  assert.match(entry.detail, /32768x64 that step tags .*more light.*raise decimate, or crop/)
  assert.deepEqual(
    status.warnings.map(({ code, detail }) => [code, detail]),
    [['picture.too_full', entry.detail]],
  )
  assert.deepEqual([sample.too_full, sample.rows], [true, []])
})
