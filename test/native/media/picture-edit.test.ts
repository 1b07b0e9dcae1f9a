// The program that changes pictures: what stands where afterwards, in colour, and without loss where that is possible.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { inflateSync } from 'node:zlib'
import { isFault } from '../../../machines/errors/fault.ts'
import type { Edit } from '../../../machines/media/edits.ts'
import { pictureProgram } from '../../../native/media/picture-edit.ts'
import { good } from '../../support/media/media-store.ts'
import { PHOTOGRAPHS } from '../../support/media/photographs.ts'
import { deepPng, emptyPng, grayPng } from '../../support/media/png.ts'
import { folderOf } from '../../support/processes/folder.ts'

const run = promisify(execFile)
const edit = pictureProgram()
const size = { width_px: 1, height_px: 1 } // the program finds it out by itself

/** The gray levels of a PNG that the program wrote, row by row; filters undone. */
const rowsOf = (png: Buffer): number[][] => {
  const [width, depth] = [png.readUInt32BE(16), (png[24] as number) / 8]
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const bytes = inflateSync(Buffer.concat(parts))
  const rows: number[][] = []
  for (let at = 0; at < bytes.length; at += width * depth + 1) {
    const above = rows.at(-1) ?? []
    const row: number[] = []
    for (let x = 0; x < width * depth; x += 1) {
      const [left, up, corner] = [row[x - depth] ?? 0, above[x] ?? 0, above[x - depth] ?? 0]
      const paeth = [left, up, corner].toSorted(
        (a, b) => Math.abs(left + up - corner - a) - Math.abs(left + up - corner - b),
      )[0] as number
      const guess = [0, left, up, (left + up) >> 1, paeth][bytes[at] as number] as number
      row.push(((bytes[at + 1 + x] as number) + guess) & 255)
    }
    rows.push(row)
  }
  return depth === 1 ? rows : rows.map((row) => Array.from({ length: width }, (_, x) => word(row, 2 * x)))
}

const word = (row: readonly number[], at: number): number => (row[at] as number) * 256 + (row[at + 1] as number)

const changed = async (t: TestContext, picture: Buffer, edits: readonly Edit[]) => {
  const folder = folderOf(t)
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  writeFileSync(from, picture)
  const after = good(await edit(from, to, edits, size))
  return { after, bytes: readFileSync(to) }
}

const picture = grayPng(3, 2, (x, y) => 10 * (x + 1) + 100 * y) // 10 20 30 over 110 120 130

test('turning, mirroring and cropping put every pixel where it belongs', async (t) => {
  const cases: readonly (readonly [readonly Edit[], number[][]])[] = [
    [
      [{ op: 'rotate', degrees: 90 }],
      [
        [110, 10],
        [120, 20],
        [130, 30],
      ],
    ],
    [
      [{ op: 'rotate', degrees: 180 }],
      [
        [130, 120, 110],
        [30, 20, 10],
      ],
    ],
    [
      [{ op: 'rotate', degrees: 270 }],
      [
        [30, 130],
        [20, 120],
        [10, 110],
      ],
    ],
    [
      [{ op: 'flip', axis: 'horizontal' }],
      [
        [30, 20, 10],
        [130, 120, 110],
      ],
    ],
    [
      [{ op: 'flip', axis: 'vertical' }],
      [
        [110, 120, 130],
        [10, 20, 30],
      ],
    ],
    [
      [
        { op: 'crop', x_px: 1, y_px: 0, width_px: 2, height_px: 2 },
        { op: 'rotate', degrees: 90 },
      ],
      [
        [120, 20],
        [130, 30],
      ],
    ],
    [
      [{ op: 'brightness', percent: 50 }],
      [
        [138, 148, 158],
        [238, 248, 255],
      ],
    ],
    [
      [{ op: 'brightness', percent: -100 }],
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
    ],
  ]

  for (const [edits, rows] of cases) {
    const { after, bytes } = await changed(t, picture, edits)
    assert.deepEqual(rowsOf(bytes), rows, JSON.stringify(edits))
    assert.deepEqual(after, { width_px: rows[0]?.length, height_px: rows.length })
  }
})

test('resizing keeps what is even, and the mean of what is not', async (t) => {
  const even = await changed(
    t,
    grayPng(64, 48, () => 77),
    [{ op: 'resize', width_px: 31, height_px: 100 }],
  )
  assert.deepEqual(new Set(rowsOf(even.bytes).flat()), new Set([77]))

  const checks = await changed(
    t,
    grayPng(64, 64, (x, y) => ((x + y) % 2) * 200),
    [{ op: 'resize', width_px: 8, height_px: 8 }],
  )
  for (const level of rowsOf(checks.bytes).flat()) assert.ok(Math.abs(level - 100) <= 2, `${level}`)
})

test('a picture of 16 bits keeps them, and what says how they are to be shown', async (t) => {
  const data = Buffer.alloc(4)
  data.writeUInt32BE(100_000) // linear light
  const deep = deepPng(3, 2, (x, y) => 1000 * (x + 1) + 30_000 * y, { type: 'gAMA', data })

  const turned = await changed(t, deep, [
    { op: 'rotate', degrees: 90 },
    { op: 'crop', x_px: 0, y_px: 1, width_px: 2, height_px: 2 },
  ])
  const brighter = await changed(t, deep, [{ op: 'brightness', percent: 50 }])
  const even = deepPng(64, 48, () => 32_896)
  const smaller = await changed(t, even, [{ op: 'resize', width_px: 31, height_px: 100 }])

  assert.deepEqual(rowsOf(turned.bytes), [
    [32_000, 2000],
    [33_000, 3000],
  ])
  assert.equal(turned.bytes.toString('latin1', 37, 41), 'gAMA')
  assert.deepEqual(turned.bytes.subarray(33, 49), deep.subarray(33, 49))
  assert.deepEqual(rowsOf(brighter.bytes)[1], [63_768, 64_768, 65_535])
  assert.deepEqual(new Set(rowsOf(smaller.bytes).flat()), new Set([32_896]))
})

const photograph = () => {
  const candidates = ['retro', 'photonvision'].map((name) => `${PHOTOGRAPHS}${name}`)
  return candidates.some(existsSync)
}

test('a JPEG is turned without loss: four quarters, or two mirrors, give the same pixels again', {
  skip: photograph() ? false : 'the pictures are not here',
}, async (t) => {
  const { images } = JSON.parse(readFileSync(`${PHOTOGRAPHS}manifest.json`, 'utf8')) as { images: { file: string }[] }
  const jpegs = images.filter(({ file }) => /\.jpe?g$/.test(file)).slice(0, 5)
  let exact = 0
  for (const { file } of jpegs) {
    const original = readFileSync(`${PHOTOGRAPHS}${file}`)
    const start = await changed(t, original, [{ op: 'rotate', degrees: 180 }])
    const back = await changed(t, start.bytes, [{ op: 'rotate', degrees: 180 }])
    const forth = await changed(t, back.bytes, [{ op: 'rotate', degrees: 180 }])
    const round = await changed(t, start.bytes, [
      { op: 'rotate', degrees: 90 },
      { op: 'flip', axis: 'horizontal' },
      { op: 'rotate', degrees: 90 },
      { op: 'flip', axis: 'horizontal' },
    ])
    if (start.after.width_px % 16 || start.after.height_px % 16) continue
    exact += 1
    assert.deepEqual(forth.bytes, start.bytes)
    assert.deepEqual(round.bytes, start.bytes)
  }
  t.diagnostic(`${exact} of ${jpegs.length} pictures have whole blocks`)
})

test('what cannot be decoded is refused with a sentence, and the next picture is edited all the same', async (t) => {
  const folder = folderOf(t)
  for (const [n, bytes] of [
    emptyPng(4000, 4000),
    Buffer.from('text'),
    grayPng(9, 9).subarray(0, 40),
    Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0, 0]),
  ].entries()) {
    const from = join(folder, `${n}`)
    writeFileSync(from, bytes)
    const found = await edit(from, join(folder, 'to'), [{ op: 'rotate', degrees: 90 }], size)
    assert.ok(isFault(found) && found.code === 'media.invalid', JSON.stringify(found))
    assert.match(found.detail, /^the picture cannot be changed: i/)
    assert.ok(!existsSync(join(folder, 'to')))
  }
  assert.equal((await changed(t, picture, [{ op: 'rotate', degrees: 90 }])).after.width_px, 2)
})

const JPEGS = 'test/native/addon/jpegs/'

test('a JPEG that has lost pixels is refused by every edit, and says from which row on', async (t) => {
  const whole = readFileSync(`${JPEGS}02-sos-zeros.jpg`)
  const folder = folderOf(t)
  const from = join(folder, 'from')
  const edits: readonly Edit[] = [
    { op: 'rotate', degrees: 180 }, // without decoding
    { op: 'brightness', percent: 10 },
  ]
  for (const end of [Buffer.of(), Buffer.of(0xff, 0xd9)])
    for (const wish of edits) {
      writeFileSync(from, Buffer.concat([whole.subarray(0, whole.length / 2), end]))
      const found = await edit(from, join(folder, 'to'), [wish], size)
      assert.ok(isFault(found) && found.code === 'media.invalid', JSON.stringify(found))
      assert.match(found.detail, /its pixels from row \d+ of 480 on are lost/)
      assert.ok(!existsSync(join(folder, 'to')))
    }
})

test('a JPEG with harmless oddities is edited as every other', async (t) => {
  const after = { width_px: 640, height_px: 480 }
  const names = readdirSync(JPEGS).filter((name) => !name.startsWith('10-cmyk'))
  assert.ok(names.length > 10)
  for (const name of names) {
    const jpeg = readFileSync(JPEGS + name)
    const edited = await changed(t, jpeg, [{ op: 'brightness', percent: 10 }])
    assert.deepEqual(edited.after, after, name)
    assert.deepEqual((await changed(t, jpeg, [{ op: 'flip', axis: 'horizontal' }])).after, after, name)
  }
})

test('a program that prints something else has failed, and says so', async (t) => {
  const program = join(folderOf(t), 'picture-edit')
  writeFileSync(program, '#!/bin/sh\necho "{"', { mode: 0o755 })

  const found = await pictureProgram(program)('from', 'to', [{ op: 'rotate', degrees: 90 }], size)

  assert.ok(isFault(found) && found.code === 'device.failed', JSON.stringify(found))
})

test('a program that cannot even be begun keeps no other edit from being made', async (t) => {
  const program = join(folderOf(t), 'program')
  writeFileSync(program, '#!/bin/sh\necho \'{"ok":true,"width_px":2,"height_px":3}\'\n', { mode: 0o755 })
  const edited = pictureProgram(program)
  const turned = [{ op: 'rotate', degrees: 90 }] as const

  const refused = await edited('a name that no system takes\0', 'to', turned, size)
  assert.equal(isFault(refused) && refused.code, 'device.failed')

  assert.deepEqual(await edited('from', 'to', turned, size), { width_px: 2, height_px: 3 })
})

test('an order that makes no sense is refused', async () => {
  const program = join(import.meta.dirname, '../../../native/addon/build/picture-edit')
  await assert.rejects(run(program, ['/dev/null', '/dev/null', 'paint:red']), /there is no edit paint:red/)
})
