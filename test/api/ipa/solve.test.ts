// Charts as clients get them, and matrices that are solved from pictures: by the program where it is built.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { canBeDrawn } from '../../../machines/calibration/board/letters.ts'
import { ccmAt } from '../../../machines/ipa/ccm.ts'
import { CcmSolution } from '../../../machines/ipa/ccm-solution.ts'
import { drawChart } from '../../../machines/ipa/chart-drawing.ts'
import { timesMatrix } from '../../../machines/ipa/solve-ccm.ts'
import { isTuningFlaw, readTuning } from '../../../machines/ipa/tuning-text.ts'
import { mediaExample } from '../../../machines/media/item.ts'
import { validatorOf } from '../../../machines/schema/errors.ts'
import { CHART_PROGRAM, chartProgram } from '../../../native/ipa/chart-program.ts'
import { FakeChartFinder } from '../../../native/ipa/fake.ts'
import { MADE_UP_TUNING } from '../../../native/ipa/made-up-tuning.ts'
import { CHART_FINDER } from '../../../native/ipa/port.ts'
import { linuxPrograms } from '../../../native/programs/linux.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { assertProblem, type FakeApi, fakeApi } from '../../support/api/api.ts'
import { CAMERA_CCM, inverse, type RenderedChart, renderChart } from '../../support/colour/rendered-chart.ts'
import { fileLifetime } from '../../support/lifetime.ts'
import { grayPng } from '../../support/media/png.ts'
import { addMedia } from '../../support/media/stored-media.ts'
import { mulberry32 } from '../../support/mulberry32.ts'
import { folderOf } from '../../support/processes/folder.ts'

const run = promisify(execFile)
const RASTER = '/usr/bin/pdftoppm'
const noRaster = !existsSync(RASTER) && 'pdftoppm is not there; install poppler-utils'
const noProgram = !existsSync(CHART_PROGRAM) && 'the program is not built; run: sh native/setup.sh'

const JPEG = 'test/native/addon/jpegs/01-no-dht.jpg'

const lifetime = fileLifetime()
const finder = new FakeChartFinder()
let shared: FakeApi
let real: FakeApi
before(async () => {
  shared = await fakeApi(lifetime, {}, { ports: [value(CHART_FINDER, finder)] })
  real = await fakeApi(lifetime, {}, { ports: [value(CHART_FINDER, chartProgram(linuxPrograms()))] })
})

const get = async (path: string) => {
  const { statusCode, headers, rawPayload, body } = await shared.app.inject({
    url: `/v1/device/ipa/ccm/${path}`,
    headers: { host: 'localhost' },
  })
  return { status: statusCode, contentType: String(headers['content-type']), bytes: rawPayload, body }
}

const solve = async (query: string, picture: Buffer | null, api = shared) => {
  const { statusCode, headers, body } = await api.app.inject({
    method: 'POST',
    url: `/v1/device/ipa/ccm/solve${query}`,
    headers: { host: 'localhost', ...(picture && { 'content-type': 'image/png' }) },
    ...(picture && { payload: picture }),
  })
  return { status: statusCode, contentType: String(headers['content-type']), body }
}

const solved = async (...args: Parameters<typeof solve>): Promise<CcmSolution> => {
  const { status, body } = await solve(...args)
  assert.equal(status, 200, body)
  return JSON.parse(body) as CcmSolution
}

const PICTURE = Buffer.from('a picture')

test('the chart is drawn as a picture and to print, on any paper, and says what a print is worth', async () => {
  for (const paper of ['a4', 'letter', 'a3', 'tabloid'] as const) {
    const png = await get(`chart?paper=${paper}&edition=before_2014`)
    assert.deepEqual([png.status, png.contentType], [200, 'image/png'])
    const pdf = await get(`chart.pdf?paper=${paper}`)
    assert.deepEqual([pdf.status, pdf.contentType], [200, 'application/pdf'])
    assert.match(pdf.body, /this is no reference/)
    assert.match(pdf.body, /edition after November 2014/)
    const sheet = drawChart(paper, 'after_2014')
    assert.equal(sheet.fills.filter(({ colour }) => colour).length, 24)
    for (const { left, top, width, height } of sheet.fills)
      assert.ok(left >= 10 && top >= 10 && left + width <= sheet.width - 10 && top + height <= sheet.height - 20)
    for (const { text } of sheet.captions) assert.ok(canBeDrawn(text), text)
  }
  assertProblem(await get('chart?paper=a5'), 'query.invalid')
})

test('a printed chart that is rasterised has the colours that its edition says', { skip: noRaster }, async (t) => {
  const folder = folderOf(t)
  const { bytes } = await get('chart.pdf')
  writeFileSync(join(folder, 'chart.pdf'), bytes)
  const options = { encoding: 'buffer', maxBuffer: 100_000_000 } as const
  const { stdout } = await run(RASTER, ['-r', '50.8', join(folder, 'chart.pdf')], options) // two pixels a millimetre
  const [head = '', width] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.toString('latin1', 0, 40)) ?? []
  const pixels = stdout.subarray(head.length)

  for (const { left, top, width: wide, height: high, colour } of drawChart('a4', 'after_2014').fills) {
    const [x, y] = [Math.floor(2 * (left + wide / 2)), Math.floor(2 * (top + high / 2))]
    const at = 3 * (y * Number(width) + x)
    if (colour) assert.deepEqual([...pixels.subarray(at, at + 3)], [...colour])
  }
})

test('a picture that is sent is solved, with what speaks against the matrix; nothing is written', async () => {
  const found = await solved('?ct=4100', PICTURE)

  assert.deepEqual([found.can_be_written, found.reasons, found.ct], [true, [], 4100])
  assert.equal(found.file, '/usr/share/libcamera/ipa/rpi/vc4/imx219.json')
  assert.ok(found.mean_after < 0.5 && found.mean_before > 3)
  assert.equal(found.patches.length, 24)
  assert.deepEqual(
    (await solved('', PICTURE)).reasons.map(({ code }) => code),
    ['no_light'],
  )
  const ofCurve = await solved('?ct=4000&curve=tuning', PICTURE)
  assert.ok(ofCurve.reasons.some(({ code }) => code === 'curve'))
  await solved('?corners=1,2;30,2;30,40.5;1,40', PICTURE)
  assert.deepEqual(finder.asked.at(-1), [
    { x: 1, y: 2 },
    { x: 30, y: 2 },
    { x: 30, y: 40.5 },
    { x: 1, y: 40 },
  ])
})

test('a media item and the picture of a stream do as well; exactly one of the three is to be given', async () => {
  const { fake } = shared
  await addMedia(fake)
  assert.equal((await solved(`?ct=4000&media_name=${mediaExample.name}`, null)).found_by, 'search')
  assertProblem(await solve('?media_name=none.jpg', null), 'media.not_found')
  assertProblem(await solve('?stream_id=none', null), 'stream.not_found')
  for (const [query, picture] of [
    ['', null],
    ['?stream_id=a', PICTURE],
    [`?media_name=${mediaExample.name}`, PICTURE],
    [`?media_name=${mediaExample.name}&stream_id=a`, null],
    ['?corners=1,2;3,4', PICTURE],
    ['?ct=5', PICTURE],
  ] as const)
    assertProblem(await solve(query, picture), 'query.invalid')
  assertProblem(await solve('?file=/etc/none.json', PICTURE), 'ipa.not_found')
})

test('whatever the patches look like, the answer is whole, or a refusal in words', async (t) => {
  const { seen } = finder
  t.after(() => {
    finder.seen = seen
  })
  assert.ok(!('code' in seen))
  const chance = mulberry32(38)
  const values = [0, 0.001, 0.02, 0.5, 0.98, 1]
  const any = () => values[Math.floor(chance() * values.length)] as number
  const looks = [
    ...values.map((value) => () => value),
    ...Array.from({ length: 16 }, (_, n) => (n % 2 === 0 ? any : () => chance())),
  ]
  for (const value of looks)
    for (const query of ['?ct=4000', '?curve=linear&black=0.5', '?curve=tuning&ct=3000', '?curve=linear']) {
      const patches = seen.patches.map(() => ({ rgb: [value(), value(), value()] as const, clipped: 0, pixels: 9 }))
      finder.seen = { ...seen, patches }
      const { status, body, contentType } = await solve(query, PICTURE)
      if (status !== 200) assertProblem({ status, body, contentType }, 'chart.not_found')
      else assert.deepEqual(validatorOf(CcmSolution)(JSON.parse(body)), [], body)
    }
})

const worst = ({ corners }: CcmSolution, truth: RenderedChart): number =>
  Math.max(
    ...corners.map(({ x, y }, at) => Math.hypot(x - (truth.corners[at]?.[0] ?? 0), y - (truth.corners[at]?.[1] ?? 0))),
  )

const SMALL = { width: 640, height: 480, ccm: CAMERA_CCM, light: [0.7, 0.6] } as const

test('a bought chart is found however it is turned, and gives the matrix of the camera', {
  skip: noProgram,
}, async () => {
  for (const [seed, rollDeg] of [90, 0, 180].entries()) {
    const truth = renderChart({ ...SMALL, seed, rollDeg, share: 0.55, tiltDeg: 15, hasClutter: seed > 0 })

    const found = await solved('?ct=4000', truth.png, real)

    assert.ok(worst(found, truth) < 6, String(worst(found, truth)))
    assert.ok(found.mean_after <= 1, String(found.mean_after))
    assert.deepEqual([found.found_by, found.can_be_written], ['search', true], JSON.stringify(found.reasons))
    found.ccm.forEach((each, at) => {
      assert.ok(Math.abs(each - (CAMERA_CCM[at] as number)) < 0.08)
    })
  }
})

test('our own print is found by its markers and called what it is; corners do where the search does not', {
  skip: noProgram,
}, async () => {
  const print = renderChart({ ...SMALL, seed: 7, isPrint: true, share: 0.5, tiltDeg: 10 })
  const found = await solved('?ct=4000', print.png, real)
  assert.equal(found.found_by, 'markers')
  assert.ok(worst(found, print) < 4)
  assert.deepEqual(
    found.reasons.map(({ code }) => code),
    ['printed'],
  )

  const dim = renderChart({ ...SMALL, seed: 8, share: 0.08 })
  assertProblem(await solve('?ct=4000', dim.png, real), 'chart.not_found')
  const clicked = renderChart({ ...SMALL, seed: 9, share: 0.5, tiltDeg: 20 })
  const corners = [1, 2, 3, 0]
    .map((at) => (clicked.corners[at] ?? []).map((each) => each.toFixed(1)).join(','))
    .join(';')
  const given = await solved(`?ct=4000&corners=${encodeURIComponent(corners)}`, clicked.png, real)
  assert.equal(given.found_by, 'corners')
  assert.ok(worst(given, clicked) < 2, 'the corner of the first patch is told from the others')
  assert.ok(given.mean_after <= 1)
})

test('a raw picture of 16 bits: black is taken away, and the light is told from the greys', {
  skip: noProgram,
}, async () => {
  const black = 4096 / 65_535
  const curve = (linear: number) => black + (1 - black) * linear
  const truth = renderChart({ ...SMALL, seed: 10, share: 0.5, light: [0.71, 0.52], curve, isDeep: true })

  const found = await solved(`?curve=linear&black=${black.toFixed(5)}`, truth.png, real)

  assert.ok(found.mean_after <= 1, String(found.mean_after))
  assert.ok(Math.abs((found.ct ?? 0) - 4000) < 200, String(found.ct))
  assert.deepEqual([found.can_be_written, found.reasons], [true, []])
})

test('a picture that was made with the tuning file: its curve is undone, and its matrix is part of the new one', {
  skip: noProgram,
}, async () => {
  const tuning = readTuning(MADE_UP_TUNING)
  assert.ok(!isTuningFlaw(tuning))
  const old = ccmAt(tuning.matrices, 4000) ?? []
  const pairs = tuning.gammaCurve ?? []
  const curve = (linear: number): number => {
    const at = Math.max(
      2,
      pairs.findIndex((each, n) => n % 2 === 0 && each >= 65_535 * linear),
    )
    const [x0, y0, x1, y1] = pairs.slice(at - 2, at + 2) as [number, number, number, number]
    return (y0 + ((65_535 * linear - x0) / (x1 - x0)) * (y1 - y0)) / 65_535
  }
  const ccm = timesMatrix(CAMERA_CCM, inverse(old))
  const truth = renderChart({ ...SMALL, ccm, light: [1, 1], seed: 12, share: 0.55, curve, exposure: 0.8 })

  const found = await solved('?curve=tuning&ct=4000', truth.png, real)

  assert.deepEqual([found.can_be_written, found.reasons], [true, []])
  assert.ok(found.mean_after <= 1, String(found.mean_after))
  found.ccm.forEach((each, at) => {
    assert.ok(Math.abs(each - (CAMERA_CCM[at] as number)) < 0.08, String(found.ccm))
  })
  const wrong = await solved('?ct=4000', truth.png, real)
  assert.ok(
    wrong.reasons.some(({ code }) => code === 'curve'),
    JSON.stringify(wrong.reasons),
  )
})

test('pictures without a chart, and what is no picture, are refused in words', { skip: noProgram }, async () => {
  const empty = renderChart({ ...SMALL, seed: 11, isEmpty: true, hasClutter: true })
  const { detail } = assertProblem(await solve('', empty.png, real), 'chart.not_found')
  assert.match(detail, /no colour chart was found in the picture; have it larger/)
  assertProblem(await solve('', readFileSync(JPEG), real), 'chart.not_found')
  assertProblem(await solve('', grayPng(5000, 1), real), 'chart.not_found')
  assertProblem(await solve('', Buffer.from('no picture'), real), 'media.invalid')
  assertProblem(await solve('', empty.png.subarray(0, 5_000), real), 'media.invalid')
  const far = '?corners=0,0;9000,0;9000,9000;0,9000'
  assert.match(assertProblem(await solve(far, empty.png, real), 'chart.not_found').detail, /cut off/)
  assertProblem(await solve('?corners=5,5;5,5;5,5;5,5', empty.png, real), 'chart.not_found')
})
