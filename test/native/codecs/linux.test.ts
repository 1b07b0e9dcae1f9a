// The codecs of a device, as the program says that tries them.
import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { PICTURE_CODECS } from '../../../machines/codecs/codec.ts'
import { linuxCodecs } from '../../../native/codecs/linux.ts'
import { folderOf } from '../../support/processes/folder.ts'

const program = (t: TestContext, script: string) => {
  const folder = folderOf(t)
  const path = join(folder, 'codecs')
  writeFileSync(path, `#!/bin/sh\necho run >>'${folder}/runs'\n${script}\n`)
  chmodSync(path, 0o755)
  return { path, runs: () => readFileSync(join(folder, 'runs'), 'utf8').split('\n').length - 1 }
}

test('what works is listed behind the pictures, hardware first, and asked for once', async (t) => {
  const { path, runs } = program(
    t,
    `echo '{"kind":"encoder","codec":"h264","library":"libx264","hardware":false}'
     echo '{"kind":"encoder","codec":"h264","library":"h264_v4l2m2m","hardware":true}'
     echo '{"kind":"decoder","codec":"h265","library":"hevc","hardware":false}'`,
  )
  const codecs = linuxCodecs(path)

  const [found] = [await codecs.found(), await codecs.found()]

  assert.deepEqual(
    found.encoders.map(({ library }) => library),
    ['libjpeg-turbo', 'h264_v4l2m2m', 'libx264'],
  )
  assert.deepEqual(found.decoders.at(-1), { codec: 'h265', media_type: 'video/h265', library: 'hevc', hardware: false })
  assert.equal(found.note, null)
  assert.equal(runs(), 1)
})

test('a program that fails leaves the pictures, says why, and is asked again', async (t) => {
  const { path, runs } = program(t, 'echo the driver broke >&2; exit 3')
  const codecs = linuxCodecs(path)

  const [found] = [await codecs.found(), await codecs.found()]

  assert.deepEqual({ ...found, note: null }, { ...PICTURE_CODECS, note: null })
  assert.match(found.note ?? '', /the driver broke/)
  assert.equal(runs(), 2)
})

test('a program that prints something else leaves the pictures and says what to do', async (t) => {
  const { path } = program(t, `echo '{"kind":"encoder","codec":"h2'`)

  const found = await linuxCodecs(path).found()

  assert.deepEqual({ ...found, note: null }, { ...PICTURE_CODECS, note: null })
  assert.match(found.note ?? '', /printed what cannot be read .*build it anew/)
})

test('a device without the libraries says what to install', async (t) => {
  const found = await linuxCodecs(join(folderOf(t), 'none')).found()

  assert.match(found.note ?? '', /install libavformat-dev and libavcodec-dev/)
})

test('an encoder for hardware that is not there is not named, though the libraries have it', async (t) => {
  const { encoders, decoders, note } = await linuxCodecs().found()
  if (note !== null) return t.skip(note)
  const hasVideoNodes = readdirSync('/dev').some((name) => /^video\d+$/.test(name))

  assert.ok(decoders.some(({ library }) => library === 'h264'))
  if (!hasVideoNodes) assert.ok(!encoders.some(({ library }) => library.endsWith('v4l2m2m')))
})
