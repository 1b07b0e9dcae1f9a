// The boards as clients get them: in true size, and read by the detector.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { inflateSync } from 'node:zlib'
import * as Effect from 'effect/Effect'
import { boardOf, isBoardFlaw } from '../../../machines/calibration/board/board.ts'
import { type BoardDrawing, drawBoard } from '../../../machines/calibration/board/drawing.ts'
import { CALIBRATION_PROGRAMS, linuxCalibration } from '../../../native/calibration/linux.ts'
import { walkPng } from '../../../native/media/content/png.ts'
import { assertProblem, type FakeApi } from '../../support/api/api.ts'
import { busyApi } from '../../support/api/busy-api.ts'
import { fileLifetime } from '../../support/lifetime.ts'
import { folderOf } from '../../support/processes/folder.ts'

const run = promisify(execFile)
const DETECTORS = 'native/addon/build/compare'
const RASTER = '/usr/bin/pdftoppm'
const noRaster = !existsSync(RASTER) && 'pdftoppm is not there; install poppler-utils'
const noAddon =
  ![DETECTORS, CALIBRATION_PROGRAMS.corners].every((path) => existsSync(path)) &&
  'the addon is not built; run: sh native/setup.sh'
const PER_INCH = 600
const MM_PER_INCH = 25.4

const lifetime = fileLifetime()
let api: FakeApi
before(async () => {
  api = await busyApi(lifetime)
})

const ask = async (path: string, id = 'front') => {
  const response = await api.app.inject({
    url: `/v1/streams/${id}/calibration/${path}`,
    headers: { host: 'localhost' },
  })
  const { statusCode: status, headers, body, rawPayload: bytes } = response
  return { status, contentType: String(headers['content-type']), headers, body, bytes }
}

/** A picture with how dark each pixel is, 0 to 1. */
interface Dark {
  readonly width: number
  readonly height: number
  readonly at: (x: number, y: number) => number
}

const readPgm = (file: Buffer): Dark => {
  const [head = '', width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 40)) ?? []
  const pixels = file.subarray(head.length)
  return {
    width: Number(width),
    height: Number(height),
    at: (x, y) => 1 - (pixels[y * Number(width) + x] as number) / 255,
  }
}

const rasterised = async (pdf: Buffer, folder: string): Promise<Dark> => {
  writeFileSync(join(folder, 'board.pdf'), pdf)
  const options = { encoding: 'buffer', maxBuffer: 100_000_000 } as const
  return readPgm((await run(RASTER, ['-gray', '-r', String(PER_INCH), join(folder, 'board.pdf')], options)).stdout)
}

const drawing = (query: Parameters<typeof boardOf>[0]): BoardDrawing => {
  const board = boardOf(query)
  assert.ok(!isBoardFlaw(board))
  return drawBoard(board)
}

/** Millimetres that are black of a line of pixels, edges in part. All in millimetres. */
const lyingMm = (picture: Dark, perMm: number, y: number, from: number, to: number): number => {
  let dark = 0
  for (let x = Math.round(from * perMm); x < to * perMm; x += 1) dark += picture.at(x, Math.round(y * perMm))
  return dark / perMm
}

const uprightMm = (picture: Dark, perMm: number, x: number, from: number, to: number): number => {
  let dark = 0
  for (let y = Math.round(from * perMm); y < to * perMm; y += 1) dark += picture.at(Math.round(x * perMm), y)
  return dark / perMm
}

const assertNear = (found: number, expected: number, within: number, what: string) =>
  assert.ok(Math.abs(found - expected) <= within, `${what}: ${found.toFixed(4)} mm for ${expected} mm`)

const assertTrueSize = (picture: Dark, perMm: number, sheet: BoardDrawing, squareMm: number, within: number) => {
  const { left, top, rulers } = sheet
  const [lying, upright] = [rulers[0], rulers.find(({ height }) => height === 100)]
  assert.ok(lying && upright)
  const middle = squareMm / 2 // of the first square, which is black
  assertNear(
    lyingMm(picture, perMm, top + middle, left - 3, left + squareMm + 1),
    squareMm,
    within,
    'the width of a square',
  )
  assertNear(
    uprightMm(picture, perMm, left + middle, top - 3, top + squareMm + 1),
    squareMm,
    within,
    'the height of a square',
  )
  const lyingY = lying.top + lying.height / 2
  const uprightX = upright.left + upright.width / 2
  assertNear(lyingMm(picture, perMm, lyingY, lying.left - 3, lying.left + 110), 100, within, 'the lying ruler')
  assertNear(uprightMm(picture, perMm, uprightX, 1, upright.top + 110), 100, within, 'the upright ruler')
}

test('a printed board has squares of 30 mm and both rulers of 100 mm, within 0.02 mm', {
  skip: noRaster,
}, async (t) => {
  for (const paper of ['a4', 'letter', 'a3', 'tabloid'] as const) {
    const query = { square_mm: 30, squares: '8x5', paper } as const
    const { status, contentType, headers, bytes } = await ask(`board.pdf?square_mm=30&squares=8x5&paper=${paper}`)
    assert.deepEqual([status, contentType], [200, 'application/pdf'])
    assert.equal(headers['content-disposition'], `inline; filename="charuco-8x5-30mm-${paper}.pdf"`)

    const picture = await rasterised(bytes, folderOf(t))

    const sheet = drawing(query)
    const perMm = PER_INCH / MM_PER_INCH
    assert.ok(Math.abs(picture.width / perMm - sheet.width) < 0.1, `${paper}: the width of the page`)
    assertTrueSize(picture, perMm, sheet, 30, 0.02)
  }
})

/** The picture of a board, with what it says of its size. */
const readBoardPng = async (file: Buffer) => {
  const bytes = { size: file.length, at: async (offset: number, size: number) => file.subarray(offset, offset + size) }
  const { width_px, height_px } = await walkPng(bytes)
  const chunkAt = (type: string) => {
    const at = file.indexOf(type, 0, 'latin1')
    return file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4))
  }
  const size = chunkAt('pHYs')
  const pixels = inflateSync(chunkAt('IDAT'))
  const stride = 1 + Math.ceil(width_px / 8)
  const picture: Dark = {
    width: width_px,
    height: height_px,
    at: (x, y) => ((pixels[y * stride + 1 + (x >> 3)] as number) & (0x80 >> (x & 7)) ? 0 : 1),
  }
  return { picture, perMm: size.readUInt32BE(0) / 1000, sameDown: size.readUInt32BE(4) / 1000, unit: size[8] }
}

test('a picture of a board says how large a pixel is, and its squares are exact by that', async () => {
  for (const [query, squareMm] of [
    ['', 24],
    ['?paper=letter', 23],
    ['?dictionary=5x5_50&square_mm=20', 20],
    ['?kind=chessboard', 24],
  ] as const) {
    const { status, contentType, bytes } = await ask(`board${query}`)
    assert.deepEqual([status, contentType], [200, 'image/png'])

    const { picture, perMm, sameDown, unit } = await readBoardPng(bytes)

    assert.deepEqual([sameDown, unit], [perMm, 1])
    const sheet = drawing({ ...Object.fromEntries(new URLSearchParams(query)), square_mm: squareMm })
    assertTrueSize(picture, perMm, sheet, squareMm, 0.09) // a pixel: rulers and the board's place are rounded to them
    const run = Math.round(squareMm * perMm)
    const from = Math.round(sheet.left * perMm)
    const row = Math.round((sheet.top + squareMm / 2) * perMm)
    const black = Array.from({ length: run + 4 }, (_, at) => picture.at(from - 2 + at, row)).reduce((a, b) => a + b)
    assertNear(black / perMm, squareMm, 0.001, `a square of ?${query}`)
  }
})

test('the detector reads every marker of the boards that are drawn', { skip: noAddon }, async (t) => {
  const folder = folderOf(t)
  for (const [query, family, markers] of [
    ['', 'aruco_4x4', 38],
    ['?paper=a3&squares=14x14&dictionary=4x4_100', 'aruco_4x4', 98],
    ['?squares=8x6&layout=old&dictionary=5x5_50', 'aruco_5x5', 24],
    ['?paper=a3&squares=14x14&dictionary=5x5_100', 'aruco_5x5', 98],
    ['?kind=aprilgrid&squares=10x10', 'tag36h11', 100],
    ['?kind=chessboard', 'aruco_4x4', 0],
  ] as const) {
    writeFileSync(join(folder, 'board.png'), (await ask(`board${query}`)).bytes)

    const { stdout } = await run(DETECTORS, [join(folder, 'board.png'), join(folder, 'seen.jpg'), '4', `${family}:0:0`])

    const { vedette } = JSON.parse(stdout) as { vedette: { tags: readonly { id: number }[] } }
    const ids = vedette.tags.map(({ id }) => id).sort((one, other) => one - other)
    assert.deepEqual(ids, [...Array(markers).keys()], query)
  }
})

test('charuco boards that are drawn are recognised with all of their corners', { skip: noAddon }, async (t) => {
  const folder = folderOf(t)
  for (const [query, found, corners] of [
    ['', { columns: 11, rows: 7, starts_white: false }, 60],
    ['?squares=8x6&layout=old&dictionary=5x5_50', { columns: 8, rows: 6, starts_white: true }, 35],
  ] as const) {
    const path = join(folder, 'board.png')
    writeFileSync(path, (await ask(`board${query}`)).bytes)

    const board = await Effect.runPromise(linuxCalibration().corners([path]))

    assert.ok('columns' in board, JSON.stringify(board))
    const { columns, rows, starts_white } = board
    assert.deepEqual({ columns, rows, starts_white }, found)
    assert.equal(board.pictures[0] && 'corners' in board.pictures[0] && board.pictures[0].corners.length, corners)
  }
})

test('a board that cannot be drawn is refused with what to change, and so is one of no stream', async () => {
  const problem = assertProblem(await ask('board?square_mm=30'), 'query.invalid')
  const unread = assertProblem(await ask('board.pdf?squares=eleven'), 'query.invalid')
  const nobodys = assertProblem(await ask('board', 'nobody'), 'stream.not_found')

  assert.match(problem.detail, /^square_mm: 11x7 of 30 mm are 330 x 210 mm, and A4 has 273 x 170 mm .* take 24\.2 mm/)
  assert.deepEqual(
    problem.errors?.map(({ pointer }) => pointer),
    ['/square_mm'],
  )
  assert.match(unread.detail, /squares/)
  assert.match(nobodys.detail, /nobody/)
})
