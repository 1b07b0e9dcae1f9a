// Calibration files of other programs: each is known by its content, read back as it was written, and refused in words
// where it cannot be used.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CALIBRATION_FORMATS, type CalibrationFormat } from '../../../machines/calibration/formats/lens-draft.ts'
import { fisheyeRadius, fitRadial } from '../../../machines/calibration/formats/radial-fit.ts'
import {
  type CalibrationHints,
  type ReadCalibration,
  readCalibration,
} from '../../../machines/calibration/formats/read-calibration.ts'
import { writeCalibration } from '../../../machines/calibration/formats/write-calibration.ts'
import type { Intrinsics } from '../../../machines/stream/manifest.ts'

const SEED = 3_801
const FORMATS = Object.keys(CALIBRATION_FORMATS) as CalibrationFormat[]

const SIZE = { width_px: 1280, height_px: 800 }
const PINHOLE = { fx_px: 905.25, fy_px: 904.75, cx_px: 641.5, cy_px: 398.25 }
const FIVE = [0.08, -0.12, 0.001, -0.0005, 0.03]
const MATRIX = [905.25, 0, 641.5, 0, 904.75, 398.25, 0, 0, 1]

/** As each program writes it. */
const FILES: Readonly<Record<Exclude<CalibrationFormat, 'vedette'>, string>> = {
  photonvision: JSON.stringify({
    resolution: { width: 1280.5 - 0.5, height: 800 },
    cameraIntrinsics: { rows: 3, cols: 3, type: 6, data: MATRIX },
    distCoeffs: { rows: 1, cols: 5, type: 6, data: FIVE },
    calobjectWarp: [0.0002, 0.0001],
    observations: [
      {
        cornersUsed: [true, true, false],
        reprojectionErrors: [
          [3, 4],
          [0, 0],
          [90, 90],
        ].map(([x, y]) => ({ x, y })),
      },
    ],
    calobjectSize: { width: 11, height: 7 },
    calobjectSpacing: 0.024,
    lensmodel: 'LENSMODEL_OPENCV',
  }),
  opencv_yaml: `%YAML:1.0
---
calibration_time: "Fri 27 Nov 2026 09:00:00"
image_width: 1280
image_height: 800
flags: 0
camera_matrix: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ 9.0525000000000000e+02, 0., 6.4150000000000000e+02, 0.,
       9.0475000000000000e+02, 3.9825000000000000e+02, 0., 0., 1. ]
distortion_coefficients: !!opencv-matrix
   rows: 5
   cols: 1
   dt: d
   data: [ 8.0000000000000002e-02, -1.2000000000000000e-01,
       1.0000000000000000e-03, -5.0000000000000001e-04, 2.9999999999999999e-02 ]
avg_reprojection_error: 2.3000000000000001e-01
`,
  opencv_json: JSON.stringify({
    image_width: 1280,
    image_height: 800,
    camera_matrix: { type_id: 'opencv-matrix', rows: 3, cols: 3, dt: 'd', data: MATRIX },
    distortion_coefficients: { type_id: 'opencv-matrix', rows: 1, cols: 5, dt: 'd', data: FIVE },
    avg_reprojection_error: 0.23,
  }),
  opencv_xml: `<?xml version="1.0"?>
<opencv_storage>
<!-- of an afternoon -->
<image_width>1280</image_width>
<image_height>800</image_height>
<grid_points><_>0 0</_><_>1 0</_></grid_points>
<camera_matrix type_id="opencv-matrix">
  <rows>3</rows>
  <cols>3</cols>
  <dt>d</dt>
  <data>
    905.25 0. 641.5 0. 904.75
    398.25 0. 0. 1.</data></camera_matrix>
<distortion_coefficients type_id="opencv-matrix">
  <rows>5</rows>
  <cols>1</cols>
  <dt>d</dt>
  <data>8e-02 -1.2e-01 1.e-03 -5e-04 .03</data></distortion_coefficients>
<avg_reprojection_error>0.23</avg_reprojection_error>
</opencv_storage>
`,
  ros: `image_width: 1280
image_height: 800
camera_name: front
camera_matrix:
  rows: 3
  cols: 3
  data: [905.25, 0.0, 641.5, 0.0, 904.75, 398.25, 0.0, 0.0, 1.0]
distortion_model: plumb_bob
distortion_coefficients: {rows: 1, cols: 5, data: [0.08, -0.12, 0.001, -0.0005, 0.03]}
`,
  kalibr: `cam0:
  cam_overlaps: []
  camera_model: pinhole
  distortion_coeffs: [0.08, -0.12, 0.001, -0.0005]
  distortion_model: radtan
  intrinsics: [905.25, 904.75, 641.5, 398.25]
  resolution: [1280, 800]
  rostopic: /cam0/image_raw
`,
  wpical: JSON.stringify({
    camera_matrix: MATRIX,
    distortion_coefficients: [...FIVE, 0, 0, 0],
    avg_reprojection_error: 0.23,
  }),
  northstar: `%YAML:1.0
---
calibration_date: "2025-03-01 12:00:00"
camera_resolution: !!opencv-matrix
   rows: 2
   cols: 1
   dt: d
   data: [ 800., 1280. ]
camera_matrix: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ ${MATRIX.join(', ')} ]
distortion_coefficients: !!opencv-matrix
   rows: 1
   cols: 5
   dt: d
   data: [ ${FIVE.join(', ')} ]
`,
  limelight: JSON.stringify({
    DISPLAY_NAME: 'front',
    REPROJECTION_ERROR: 0.23,
    RES_X: 1280,
    RES_Y: 800,
    INTRINSICS_MATRIX: MATRIX,
    DISTORTION_COEFFICIENTS: FIVE,
  }),
  calibdb: JSON.stringify({
    camera: 'front',
    camera_matrix: [MATRIX.slice(0, 3), MATRIX.slice(3, 6), MATRIX.slice(6)],
    distortion_coefficients: FIVE,
    avg_reprojection_error: 0.23,
  }),
}

/** The formats that do not say the size. */
const SIZELESS: readonly string[] = ['wpical', 'calibdb']

const hintsFor = (format: string): CalibrationHints => (SIZELESS.includes(format) ? SIZE : {})

const good = (text: string, hints?: CalibrationHints) => {
  const read = readCalibration(text, hints)
  assert.ok(read.ok, JSON.stringify(read))
  return read
}

const notesOf = ({ notes }: ReadCalibration): string => notes.map(({ detail }) => detail).join(' ')

const refusalOf = (text: string, hints?: CalibrationHints) => {
  const read = readCalibration(text, hints)
  assert.ok(!read.ok, JSON.stringify(read))
  const [first] = read.errors
  assert.ok(first)
  return first
}

for (const [format, text] of Object.entries(FILES))
  test(`a file in the format ${format} is known by what is in it`, () => {
    const read = good(text, hintsFor(format))

    assert.equal(read.format, format)
    const { distortion, ...pinhole } = read.intrinsics
    assert.deepEqual(pinhole, { ...SIZE, ...PINHOLE })
    const known = format === 'kalibr' ? FIVE.slice(0, 4) : FIVE
    assert.deepEqual(distortion.slice(0, known.length), known)
    assert.ok(distortion.slice(known.length).every((each) => each === 0))
  })

test('what a file says of its fit and of its camera is taken along', () => {
  assert.equal(good(FILES.opencv_yaml).rms_px, 0.23)
  assert.equal(good(FILES.photonvision).rms_px, Math.sqrt(25 / 2))
  assert.equal(good(FILES.ros).rms_px, null)
  assert.equal(good(FILES.limelight).name, 'front')
  assert.equal(good(FILES.calibdb, SIZE).name, 'front')
})

test('a file without a size asks for it', () => {
  for (const format of SIZELESS) {
    const { message } = refusalOf(FILES[format as 'wpical'])
    assert.match(message, /does not say how large the pictures were; .*width_px=1280&height_px=800/)
  }
})

test('a size that the query has otherwise is refused with both', () => {
  const { pointer, message } = refusalOf(FILES.limelight, { width_px: 640, height_px: 480 })

  assert.equal(pointer, '/RES_X')
  assert.match(message, /1280x800.*640x480/)
})

const limelight = (changes: object) => JSON.stringify({ ...JSON.parse(FILES.limelight), ...changes })

test('width and height the wrong way round are refused, and read as asked', () => {
  const swapped = limelight({ RES_X: 800, RES_Y: 1280 })

  assert.match(refusalOf(swapped).message, /is 800x1280, .* the wrong way round/)
  const read = good(swapped, SIZE)
  assert.deepEqual([read.intrinsics.width_px, read.intrinsics.height_px], [1280, 800])
  assert.match(notesOf(read), /says 800x1280; it was read as 1280x800/)
  const small = [500, 0, 320, 0, 500, 240, 0, 0, 1]
  assert.match(
    refusalOf(limelight({ RES_X: 480, RES_Y: 640, INTRINSICS_MATRIX: small })).message,
    /is 480x640.*middle of 640x480/,
  )
})

test('fourteen coefficients with zeros at the end are eight; others are refused with the place', () => {
  const eight = [...FIVE, 0.01, 0.02, 0.03]
  const many = (tail: readonly number[]) => limelight({ DISTORTION_COEFFICIENTS: [...eight, ...tail] })

  for (const tail of [
    [0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0],
  ]) {
    const read = good(many(tail))
    assert.deepEqual(read.intrinsics.distortion, eight)
    assert.match(notesOf(read), /those after the eighth are 0/)
  }
  assert.equal(refusalOf(many([0, 0, 0.1, 0])).pointer, '/DISTORTION_COEFFICIENTS/10')
  assert.match(refusalOf(many([0])).message, /has 9 numbers/)
  assert.match(refusalOf(limelight({ DISTORTION_COEFFICIENTS: [0.1, 0.2] })).message, /has 2 numbers/)
})

test('numbers that are none are refused with their place', () => {
  const matrix = (fx: unknown) => limelight({ INTRINSICS_MATRIX: [fx, ...MATRIX.slice(1)] })

  assert.equal(refusalOf(matrix(null)).pointer, '/INTRINSICS_MATRIX/0')
  assert.match(refusalOf(matrix('1,280')).message, /nobody knows whether thousands are meant/)
  assert.match(refusalOf(matrix('wide')).message, /must be a number, not "wide"/)
  assert.match(refusalOf(matrix(0)).message, /has 0 for fx/)
  assert.match(refusalOf(matrix(-905)).message, /has -905 for fx/)
  assert.match(refusalOf(matrix(905.25).replace('905.25', '1e999')).message, /is Infinity/)
  for (const odd of ['.nan', '.inf', '-.Inf'])
    assert.equal(refusalOf(FILES.kalibr.replace('904.75', odd)).pointer, '/cam0/intrinsics/1')
  assert.match(notesOf(good(matrix('905,25'))), /text with a comma/)
  assert.equal(good(matrix('905,25')).intrinsics.fx_px, 905.25)
  assert.equal(good(matrix(' 905.25 ')).intrinsics.fx_px, 905.25)
})

test('a matrix that is no camera is refused', () => {
  const columns = [905.25, 0, 0, 0, 904.75, 0, 641.5, 398.25, 1]
  assert.match(refusalOf(limelight({ INTRINSICS_MATRIX: columns })).message, /column by column/)
  assert.match(refusalOf(limelight({ INTRINSICS_MATRIX: MATRIX.with(1, 12) })).message, /skew of 12 px/)
  assert.match(refusalOf(limelight({ INTRINSICS_MATRIX: MATRIX.with(8, 2) })).message, /no matrix of a camera/)
  assert.match(refusalOf(limelight({ INTRINSICS_MATRIX: MATRIX.slice(1) })).message, /has 8 numbers/)
  assert.match(refusalOf(limelight({ INTRINSICS_MATRIX: MATRIX.with(2, 1200) })).message, /far from the middle/)
  assert.match(refusalOf(limelight({ INTRINSICS_MATRIX: MATRIX.with(0, 90_000) })).message, /focal length of 90000.0/)
})

test('models that are not known here are refused by name', () => {
  const photonvision = { ...JSON.parse(FILES.photonvision), lensmodel: 'LENSMODEL_SPLINED_STERIOGRAPHIC' }
  assert.equal(refusalOf(JSON.stringify(photonvision)).pointer, '/lensmodel')
  assert.equal(refusalOf(FILES.ros.replace('plumb_bob', 'rational_thing')).pointer, '/distortion_model')
  assert.equal(refusalOf(FILES.kalibr.replace('pinhole', 'omni')).pointer, '/cam0/camera_model')
  assert.equal(refusalOf(FILES.kalibr.replace('radtan', 'radial')).pointer, '/cam0/distortion_model')
})

test('of a file of several cameras one has to be named', () => {
  const two = FILES.kalibr + FILES.kalibr.replace('cam0', 'cam1').replace('905.25', '915.25')

  assert.match(refusalOf(two).message, /has 2 cameras; say which in the query, as camera=0/)
  assert.equal(good(two, { camera: 1 }).intrinsics.fx_px, 915.25)
  assert.match(refusalOf(two, { camera: 7 }).message, /no camera of the file; it has "cam0" or "cam1"/)
})

test('half a pixel is told of the programs that leave it in, and taken out when asked', () => {
  for (const format of ['photonvision', 'northstar'] as const) {
    assert.match(notesOf(good(FILES[format])), /half a pixel too far right and down.*repair=half_pixel/)
    const mended = good(FILES[format], { repair: 'half_pixel' })
    assert.deepEqual([mended.intrinsics.cx_px, mended.intrinsics.cy_px], [641, 397.75])
    assert.match(notesOf(mended), /was taken from the centre/)
  }
  assert.equal(good(FILES.ros).notes.length, 0)
})

test('a fisheye lens becomes eight coefficients, a thousandth of a pixel off', () => {
  const kalibr = FILES.kalibr
    .replace('radtan', 'equidistant')
    .replace('[905.25, 904.75, 641.5, 398.25]', '[620, 620, 641.5, 398.25]')
    .replace('[0.08, -0.12, 0.001, -0.0005]', '[-0.01, 0.004, -0.002, 0.0003]')

  const read = good(kalibr)
  assert.equal(read.intrinsics.distortion.length, 8)
  assert.match(notesOf(read), /fisheye lens was converted to eight coefficients: they are 0\.000\d px off/)
  const radiusOf = fisheyeRadius([-0.01, 0.004, -0.002, 0.0003])
  const [k1, k2, , , k3, k4, k5, k6] = read.intrinsics.distortion as [number, ...number[]] as number[] & {
    readonly length: 8
  }
  for (const degrees of [5, 20, 40, 60]) {
    const angle = (degrees * Math.PI) / 180
    const r = Math.tan(angle)
    const s = r * r
    const above = 1 + s * ((k1 as number) + s * ((k2 as number) + s * (k3 as number)))
    const below = 1 + s * ((k4 as number) + s * ((k5 as number) + s * (k6 as number)))
    assert.ok(Math.abs(620 * ((r * above) / below - radiusOf(angle))) < 0.003, `${degrees}`)
  }
})

test('a lens of 175 degrees is converted as far as 75 degrees from its axis', () => {
  const fit = fitRadial(fisheyeRadius([0.02, -0.003, 0.0005, 0]), [420, 420, 639.5, 399.5], SIZE)

  assert.ok(fit)
  assert.ok(fit.share < 1 && fit.share > 0.7, `${fit.share}`)
  assert.ok(fit.rms_px < 0.003, `${fit.rms_px}`)
})

test('a lens that folds within the picture is told', () => {
  assert.match(notesOf(good(limelight({ DISTORTION_COEFFICIENTS: [-0.5, 0, 0, 0, 0] }))), /shows places twice/)
})

const lenses: fc.Arbitrary<Intrinsics> = fc
  .record({
    width_px: fc.integer({ min: 64, max: 4096 }),
    height_px: fc.integer({ min: 64, max: 4096 }),
    focal: fc.double({ min: 0.3, max: 5, noNaN: true }),
    square: fc.double({ min: 0.98, max: 1.02, noNaN: true }),
    x: fc.double({ min: 0.45, max: 0.55, noNaN: true }),
    y: fc.double({ min: 0.45, max: 0.55, noNaN: true }),
    distortion: fc
      .constantFrom(0, 4, 5, 8)
      .chain((count) =>
        fc.array(fc.double({ min: -0.3, max: 0.3, noNaN: true }), { minLength: count, maxLength: count }),
      ),
  })
  .map(({ focal, square, x, y, ...rest }) => ({
    ...rest,
    distortion: rest.distortion.map((each) => each + 0),
    fx_px: focal * rest.width_px,
    fy_px: focal * square * rest.width_px,
    cx_px: x * rest.width_px,
    cy_px: y * rest.height_px,
  }))

/** Zeros at the end say nothing. */
const withoutZeros = ({ distortion, ...rest }: Intrinsics) => ({
  ...rest,
  distortion: distortion.slice(0, distortion.findLastIndex((each) => each !== 0) + 1),
})

test('what is written in a format is read back as it was, or the format has no room for it', () => {
  let refused = 0
  fc.assert(
    fc.property(lenses, fc.constantFrom(...FORMATS), (intrinsics, format) => {
      const lens = { intrinsics, rms_px: 0.25, name: 'Front: "left"\n#1' }
      const written = writeCalibration(lens, format, lens)
      if ('detail' in written) {
        refused++
        assert.match(written.detail, /has room for [45]/)
        return
      }
      const size = { width_px: intrinsics.width_px, height_px: intrinsics.height_px }
      const read = good(written.text, format === 'wpical' ? size : {})
      assert.equal(read.format, format)
      assert.deepEqual(withoutZeros(read.intrinsics), withoutZeros(intrinsics))
    }),
    { seed: SEED, numRuns: 600 },
  )
  assert.ok(refused > 20 && refused < 300, `${refused}`)
})

test('WPIcal is not given a reprojection error that nobody knows', () => {
  const lens = { intrinsics: { ...SIZE, ...PINHOLE, distortion: FIVE }, rms_px: null, name: 'front' }
  const written = writeCalibration(lens, 'wpical', lens)
  assert.match('detail' in written ? written.detail : '', /nobody knows/)
})

test('names of files say the camera, the size and the format', () => {
  const lens = { intrinsics: { ...SIZE, ...PINHOLE, distortion: FIVE }, rms_px: 0.2, name: 'Front left' }
  const named = FORMATS.map((format) => writeCalibration(lens, format, lens)).map((file) =>
    'name' in file ? file.name : file.detail,
  )
  assert.equal(named[0], 'front-left-1280x800-vedette.json')
  assert.ok(named.includes('front-left-1280x800-opencv.yaml'))
})

/** A file with some of its characters gone, doubled, or replaced. */
const damaged = fc
  .tuple(
    fc.constantFrom(...Object.values(FILES)),
    fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        cut: fc.integer({ min: 0, max: 40 }),
        put: fc.oneof(
          fc.string({ maxLength: 8 }),
          fc.constantFrom('[', ']', '{', '}', ':', '- ', '*a', '&a ', '\n', '"', '\0', '1e999', '.nan', '<<: ', '!!x '),
        ),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([text, wounds]) =>
    wounds.reduce((whole, { at, cut, put }) => {
      const from = Math.floor(at * whole.length)
      return whole.slice(0, from) + put + whole.slice(from + cut)
    }, text),
  )

test('a thousand damaged files are read as finite numbers or refused with a sentence', () => {
  let refused = 0
  fc.assert(
    fc.property(damaged, (text) => {
      const read = readCalibration(text, SIZE)
      if (read.ok) {
        const { distortion, ...rest } = read.intrinsics
        assert.ok([...distortion, ...Object.values(rest)].every(Number.isFinite))
        assert.ok(rest.fx_px > 0 && rest.fy_px > 0)
        return
      }
      refused++
      assert.ok(read.errors.length > 0)
      for (const { pointer, message } of read.errors) {
        assert.match(pointer, /^$|^\//)
        assert.ok(message.length > 4 && message.length < 1000, message)
      }
    }),
    { seed: SEED, numRuns: 1000 },
  )
  assert.ok(refused > 300, `${refused}`)
})

const REPEATED = 32_768

test('files that are made to take long or much are refused', () => {
  const line = (each: string) => each.repeat(REPEATED / each.length)
  const letters = 'abcdefghij'.split('')
  const aliases = letters.map((name, n) => `${name}: &${name} [${`*${letters[n - 1] ?? 'x'},`.repeat(9)}]`).join('\n')
  const keys = Array.from({ length: REPEATED / 8 }, (_, n) => `k${n}: 1`)
    .join('\n')
    .slice(0, REPEATED)
  const bombs = [line('['), line('{'), line('- '), line('? '), `[${line(',').slice(2)}`, line('&a '), aliases, keys]
  const json = ['['.repeat(4_000_000), `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, '9'.repeat(5_000_000)]
  for (const text of [...bombs, ...json, line('<a>'), line('\n'), '', '{}', '[]', 'null', '"', '\ufeff'])
    assert.ok(!readCalibration(text).ok, text.slice(0, 20))
  assert.match(refusalOf(`a: 1\na: 2\n${FILES.ros}`).message, /"a" twice/)
})
