// What may be stored is found out from the content: whole, not too large, and what it looks like.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { isFault } from '../../../machines/errors/fault.ts'
import { inspect, inspectBeginning } from '../../../native/media/content/inspect.ts'
import { box, bytesOf, fragment, jpegFile, mp4File } from '../../support/media/media-files.ts'
import { PHOTOGRAPHS } from '../../support/media/photographs.ts'
import { emptyPng, grayPng } from '../../support/media/png.ts'

const look = (file: Buffer) => inspect(bytesOf(file))

const refusal = async (file: Buffer): Promise<string> => {
  const found = await look(file)
  assert.ok(isFault(found), 'it was taken')
  assert.equal(found.code, 'media.invalid')
  return found.detail
}

test('pictures and videos are known by their content, with their size', async () => {
  const picture = { duration_ms: null, width_px: 40, height_px: 30, orientation: 1 }

  assert.deepEqual(await look(jpegFile(40, 30)), { ...picture, media_type: 'image/jpeg' })
  assert.deepEqual(await look(jpegFile(40, 30, { colours: 1 })), { ...picture, media_type: 'image/jpeg' })
  assert.deepEqual(await look(grayPng(40, 30)), { ...picture, media_type: 'image/png' })
  const video = { width_px: 640, height_px: 480, duration_ms: 1500, orientation: 1 }
  assert.deepEqual(await look(mp4File()), { ...video, media_type: 'video/mp4' })
  assert.deepEqual(await look(mp4File({ brand: 'qt  ' })), { ...video, media_type: 'video/quicktime' })
  assert.deepEqual(await look(Buffer.concat([mp4File({ durationMs: 0 }), fragment(), fragment()])), {
    ...video,
    duration_ms: null,
    media_type: 'video/mp4',
  })
})

test('markers inside a scan, padding before a marker and bytes behind the end do not matter', async () => {
  const scan = Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3, 0xff, 0xd7, 0xff, 0xff])
  const long = Buffer.concat([Buffer.alloc(256 * 1024 - 1, 1), Buffer.from([0xff, 0]), Buffer.alloc(70_000, 2)])

  for (const each of [scan, long]) {
    const file = Buffer.concat([
      jpegFile(8, 8, { scan: each, more: [[0xe1, Buffer.alloc(70)]] }),
      Buffer.alloc(9000, 0),
    ])
    assert.equal(isFault(await look(file)), false)
  }
})

test('what is no picture and no video is refused, whatever it is called', async () => {
  for (const file of [Buffer.alloc(0), Buffer.from('hello'), Buffer.alloc(5000), Buffer.from('<svg xmlns="..."/>')])
    assert.match(await refusal(file), /no JPEG, PNG, MP4 or QuickTime/)
})

test('a bomb is refused for what its header says, as soon as that is here', async () => {
  const jpeg = jpegFile(60_000, 60_000)
  const png = emptyPng(100_000, 100_000)

  assert.match(await refusal(jpeg), /60000x60000 pixels/)
  assert.match(await refusal(png), /100000x100000 pixels/)
  for (const head of [jpeg.subarray(0, 30), png.subarray(0, 40)]) {
    const found = await inspectBeginning(head)
    assert.ok(isFault(found))
    assert.match(found.detail, /pixels/)
  }
})

test('what is cut off anywhere is refused, and its beginning alone is not', async () => {
  const files = [jpegFile(40, 30, { more: [[0xe0, Buffer.alloc(14)]] }), grayPng(40, 30), mp4File()]

  for (const file of files)
    for (let length = 12; length < file.length; length += 1) {
      const cut = file.subarray(0, length)
      assert.ok(isFault(await look(cut)), `${file.toString('latin1', 0, 8)} of ${length} bytes`)
      assert.ok(!isFault(await inspectBeginning(cut)), `the beginning of ${length} bytes`)
    }
})

test('a video whose index is missing is refused with that, wherever it was cut', async () => {
  const end = Buffer.alloc(64)
  const last = Buffer.concat([box('ftyp', Buffer.alloc(8)), box('free'), box('mdat', end), box('moov', end)])
  const indexed = last.indexOf('moov', 0, 'latin1') - 4

  for (let length = last.indexOf('mdat', 0, 'latin1') + 4; length <= indexed; length += 1)
    assert.match(await refusal(last.subarray(0, length)), /its index is missing \(moov\).*copy it again/, `${length}`)
  const first = mp4File()
  assert.match(await refusal(first.subarray(0, first.length - 1)), /it ends after \d+ bytes, in the middle/)
})

test('pictures that nothing here can show are refused', async () => {
  assert.match(await refusal(jpegFile(8, 8, { bits: 12 })), /12 bits/)
  assert.match(await refusal(jpegFile(8, 8, { colours: 4 })), /4 colours/)
  assert.match(await refusal(jpegFile(0, 8)), /no size/)
  assert.match(await refusal(mp4File({ handler: 'soun' })), /no video/)
  assert.match(await refusal(Buffer.concat([box('ftyp', Buffer.alloc(8)), box('mdat', Buffer.alloc(8))])), /moov/)
  assert.match(await refusal(Buffer.from(grayPng(4, 4)).fill(1, 50, 52)), /broken/)
})

test('no content makes the look at it break or go on for ever', async () => {
  const seeds = [jpegFile(40, 30), grayPng(12, 9), mp4File(), Buffer.concat([mp4File(), fragment(40)])]
  const damage = fc.record({
    file: fc.constantFrom(...seeds),
    flips: fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 6 }),
    cut: fc.nat(1200),
  })

  await fc.assert(
    fc.asyncProperty(damage, async ({ file, flips, cut }) => {
      const broken = Buffer.from(file.subarray(0, cut))
      for (const [at, value] of flips) if (at < broken.length) broken[at] = value
      const found = await look(broken)
      if (isFault(found)) assert.match(found.detail, /^this cannot be stored: .+/)
      else assert.ok(found.width_px > 0 && found.height_px > 0)
      await inspectBeginning(broken)
    }),
    { numRuns: 500 },
  )
})

test('pictures of real cameras are taken', {
  skip: existsSync(PHOTOGRAPHS) ? false : 'they are not here',
}, async () => {
  const files = readdirSync(PHOTOGRAPHS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(jpe?g|png)$/.test(file),
  )
  for (const file of files.slice(0, 40)) {
    const found = await look(readFileSync(`${PHOTOGRAPHS}${file}`))
    assert.ok(!isFault(found), `${file}: ${JSON.stringify(found)}`)
  }
})
