// Calibrations that come and go as files, through the rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calibrationExample } from '../../../machines/calibration/calibration.ts'
import { CALIBRATION_FORMATS } from '../../../machines/calibration/formats/lens-draft.ts'
import { busyApi } from '../../support/api/busy-api.ts'
import { fileLifetime } from '../../support/lifetime.ts'

const { app, fake } = await busyApi(fileLifetime())

const LIMELIGHT = {
  DISPLAY_NAME: 'front',
  RES_X: 1280,
  RES_Y: 800,
  INTRINSICS_MATRIX: [905.2, 0, 641.5, 0, 904.7, 398.2, 0, 0, 1],
  DISTORTION_COEFFICIENTS: [0.08, -0.12, 0.001, -0.0005, 0.03],
}

const send = async (payload: string | Buffer, query = '', type = 'application/octet-stream') => {
  const response = await app.inject({
    method: 'POST',
    url: `/v1/calibrations/import${query}`,
    headers: { host: 'localhost', 'content-type': type },
    payload,
  })
  return { status: response.statusCode, location: response.headers.location, body: response.json() }
}

const get = (url: string) => app.inject({ url, headers: { host: 'localhost' } })

const exported = (id: string, format: string) => get(`/v1/calibrations/${id}/export?format=${format}`)

/** As many as are kept, and what was announced of them. */
const traces = async () => ({
  kept: (await get('/v1/calibrations')).json().items.length as number,
  settings: fake.directory.settings.getSnapshot(),
})

test('a file is kept, says where it came from, and is found again', async () => {
  const { status, location, body } = await send(JSON.stringify(LIMELIGHT), '?stream_id=front&name=Old%20one')

  assert.equal(status, 201)
  assert.equal(location, `/v1/calibrations/${body.id}`)
  const { spec } = body
  assert.deepEqual(
    [spec.name, spec.origin, spec.verdict, spec.stream_id, spec.source],
    ['Old one', 'imported', 'unknown', 'front', { format: 'limelight' }],
  )
  assert.deepEqual(spec.intrinsics, calibrationExample.intrinsics)
  assert.deepEqual((await get(`/v1/calibrations/${body.id}`)).json(), body)
})

test('without a name it has that of its camera and its format', async () => {
  const { body } = await send(JSON.stringify(LIMELIGHT))

  assert.equal(body.spec.name, "front (the vendor's JSON)")
})

test('what is not known of a file, and what was changed, are among its reasons', async () => {
  const photonvision = JSON.stringify({
    resolution: { width: 1280, height: 800 },
    cameraIntrinsics: { data: LIMELIGHT.INTRINSICS_MATRIX },
    distCoeffs: { data: LIMELIGHT.DISTORTION_COEFFICIENTS },
  })

  const told = await send(photonvision)
  const mended = await send(photonvision, '?repair=half_pixel')

  assert.deepEqual(
    told.body.spec.reasons.map(({ code }: { code: string }) => code),
    ['half_pixel'],
  )
  assert.equal(mended.body.spec.intrinsics.cx_px, 641)
  assert.deepEqual(
    mended.body.spec.reasons.map(({ code }: { code: string }) => code),
    ['half_pixel_taken'],
  )
})

test('a file that cannot be used is refused with its places, and nothing is kept', async () => {
  const before = await traces()

  const wrong = await send(JSON.stringify({ ...LIMELIGHT, RES_X: 800, RES_Y: 1280 }))
  const none = await send('hello: world')
  const bytes = await send(Buffer.from([0xff, 0xfe, 0x00, 0x80]))
  const stranger = await send(JSON.stringify(LIMELIGHT), '?stream_id=nowhere')

  assert.equal(wrong.status, 422)
  assert.equal(wrong.body.code, 'calibration.invalid')
  assert.equal(wrong.body.errors[0].pointer, '/RES_X')
  assert.match(none.body.detail, /^the file is in none of the formats/)
  assert.match(bytes.body.detail, /no text in UTF-8/)
  assert.deepEqual([stranger.status, stranger.body.code], [404, 'stream.not_found'])
  assert.deepEqual(await traces(), before)
})

test('a file that is too long is refused before it is read', async () => {
  const { status, body } = await send(Buffer.alloc(4_194_305, 32))

  assert.equal(status, 413)
  assert.equal(body.code, 'body.too_large')
})

test('one of ours comes back with all that is known of it', async () => {
  const file = await exported('cal-m4q2ptza', 'vedette')

  const { body } = await send(file.body)

  const { origin, source, stream_id, camera_uid, pixel_format, pictures, ...rest } = body.spec
  assert.deepEqual(
    [origin, source.format, stream_id, camera_uid, pixel_format],
    ['imported', 'vedette', null, null, null],
  )
  assert.deepEqual(
    pictures,
    calibrationExample.pictures.map((each) => ({ ...each, media_id: null })),
  )
  for (const [field, value] of Object.entries(rest))
    assert.deepEqual(value, calibrationExample[field as keyof typeof calibrationExample], field)
})

test('a calibration is exported in each format under a name, and read back', async () => {
  for (const format of Object.keys(CALIBRATION_FORMATS)) {
    const file = await exported('cal-m4q2ptza', format)
    if (format === 'kalibr') {
      assert.equal(file.json().code, 'calibration.no_room')
      assert.match(file.json().detail, /has 5 coefficients, and Kalibr's camchain, as YAML has room for 4/)
      continue
    }
    assert.equal(file.statusCode, 200, format)
    assert.match(
      String(file.headers['content-disposition']),
      /^attachment; filename="hd-cam-1-january-2026-1280x800-[a-z]+\.(json|yaml|xml)"$/,
    )
    const { body } = await send(file.body, format === 'wpical' ? '?width_px=1280&height_px=800' : '')
    assert.equal(body.spec?.source.format, format, JSON.stringify(body))
    assert.deepEqual(body.spec.intrinsics.distortion.slice(0, 5), calibrationExample.intrinsics.distortion)
  }
  assert.equal((await exported('cal-aaaaaaaa', 'ros')).json().code, 'calibration.not_found')
})
