// Recordings that are longer than a match: nothing of them is given up for their length.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isFault } from '../../../machines/errors/fault.ts'
import { FRAGMENT_MS } from '../../../machines/recording/fragments.ts'
import { movieFragment, movieHead } from '../../../native/engine/fake/movie.ts'
import { inspect } from '../../../native/media/content/inspect.ts'
import { noPlaces, PlacesOfRecordings } from '../../../native/media/known-places.ts'
import { recordedPictures } from '../../../native/media/recorded-pictures.ts'
import { wholeFragments } from '../../../native/media/whole-fragments.ts'
import { box, bytesOf, mp4File } from '../../support/media/media-files.ts'
import { folderOf } from '../../support/processes/folder.ts'

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

const FRAGMENTS = 2_000 // ten minutes
const FRAGMENT_US = FRAGMENT_MS * 1_000

/** A recording on the disk, of which it is counted how often it is read. */
const counted = async (t: TestContext) => {
  const path = join(folderOf(t), 'match.mp4')
  const fragments = Array.from({ length: FRAGMENTS }, (_, n) =>
    movieFragment(n + 1, n * FRAGMENT_US, Buffer.alloc(5_000)),
  )
  writeFileSync(path, Buffer.concat([movieHead(16, 16), ...fragments]))
  const file = await open(path)
  t.after(() => file.close())
  const { size } = await file.stat()
  const reads = t.mock.method(file, 'read').mock
  const firstFrom = async (fromUs: number, known = noPlaces()) => {
    const found = await recordedPictures(file, size, fromUs, known)
    if (isFault(found)) return found.code
    return (await found.next()).value?.pts_us
  }
  return { firstFrom, reads }
}

test('who looks through a long recording walks through it once, however many places are looked at', async (t) => {
  const { firstFrom, reads } = await counted(t)
  const known = noPlaces()
  const at = (n: number) => (FRAGMENTS - 100 - 10 * n) * FRAGMENT_US
  assert.equal(await firstFrom(at(0), known), at(0))
  const first = reads.callCount()

  const found = await Promise.all(Array.from({ length: 20 }, (_, n) => firstFrom(at(n) - 1, known)))

  assert.deepEqual(
    found,
    Array.from({ length: 20 }, (_, n) => at(n)),
  )
  assert.ok(first < FRAGMENTS * 1.2, `${first} reads for ${FRAGMENTS} fragments`)
  assert.ok(reads.callCount() - first < 20 * 50, `${reads.callCount() - first} reads for 20 pictures`)
})

test('many who look at once for what nobody has looked for wait for the one who walks', async (t) => {
  const { firstFrom, reads } = await counted(t)
  const known = noPlaces()
  const last = (FRAGMENTS - 1) * FRAGMENT_US

  const found = await Promise.all([0, last, last + 1, last, FRAGMENT_US / 2, last].map((us) => firstFrom(us, known)))

  assert.deepEqual(found, [0, last, undefined, last, FRAGMENT_US, last])
  assert.ok(reads.callCount() < FRAGMENTS * 1.5, `${reads.callCount()} reads`)
})

test('of a few recordings it is known where their pictures lie, of those that were looked through last', () => {
  const all = new PlacesOfRecordings()
  const first = all.of('"first"')

  for (let n = 0; n < 7; n += 1) all.of(`"${n}"`)
  assert.equal(all.of('"first"'), first)
  for (let n = 0; n < 8; n += 1) all.of(`"${n}"`)

  assert.notEqual(all.of('"first"'), first)
})
