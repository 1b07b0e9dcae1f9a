// Recordings that are longer than a match: nothing of them is given up for their length.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRAGMENT_MS } from '../../../machines/recording/fragments.ts'
import { inspect } from '../../../native/media/content/inspect.ts'
import { wholeFragments } from '../../../native/media/whole-fragments.ts'
import { box, bytesOf, mp4File } from '../../support/media/media-files.ts'

const WORKING_DAY_MS = 9 * 3_600_000

/** As many fragments as a working day has, with next to nothing in them. */
const recording = (): Buffer => {
  const fragment = Buffer.concat([box('moof'), box('mdat')])
  const fragments = Buffer.alloc((WORKING_DAY_MS / FRAGMENT_MS) * fragment.length)
  for (let at = 0; at < fragments.length; at += fragment.length) fragment.copy(fragments, at)
  return Buffer.concat([mp4File({ durationMs: 0 }), fragments])
}

test('a recording of a whole day is accepted, and kept as far as it is whole when it was cut off', async () => {
  const whole = recording()
  const torn = Buffer.concat([whole, box('moof')])

  assert.equal(await wholeFragments(bytesOf(torn)), whole.length)
  assert.deepEqual(await inspect(bytesOf(whole)), {
    media_type: 'video/mp4',
    width_px: 640,
    height_px: 480,
    duration_ms: null,
    orientation: 1,
  })
})
