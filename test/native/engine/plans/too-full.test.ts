// Pictures with more in them than memory and time allow, before a real engine.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { header } from '../../../../machines/engine/result.ts'
import { graphWithTags, startEngine } from '../../../support/engine/engine-task.ts'
import { grayPng } from '../../../support/media/png.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const TOO_LONG_PX = 32_768 // of a side: the detector looks at it in half the size

test('a picture searched at a smaller size says so in its result and is counted; the next does not', async (t) => {
  const folder = folderOf(t)
  const widths = [64, TOO_LONG_PX, 64, TOO_LONG_PX, 80]
  for (const [n, width] of widths.entries()) writeFileSync(join(folder, `${n}.png`), grayPng(width, 64))
  const files = await startEngine(t)
  const ended = files.nextEvent('ended')

  await files.open({
    source: { backend: 'images', path: folder, fps: 100, loop: false, pace: 'lossless' },
    pipeline: graphWithTags({ engine: 'vedette', decimate: 1 }),
  })
  await ended

  const told = files.events.filter((event) => event.type === 'warned' && event.fault.code === 'picture.too_full')
  assert.deepEqual(
    files.results.map((result) => [header(result, 'width_px'), header(result, 'too_full')]),
    widths.map((width) => [width, width === TOO_LONG_PX ? 1 : 0]),
  )
  assert.equal(
    told.reduce((sum, event) => sum + (event.type === 'warned' ? event.count : 0), 0),
    2,
  )
  assert.match(JSON.stringify(told), /32768x64 that step tags .*may have missed small tags/)
})
