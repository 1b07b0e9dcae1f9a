// Whether a lens fits, through the row, from rounds as localization solves them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALIZATION } from '../../../actors/localization/tokens.ts'
import { map2026Welded } from '../../../machines/localization/maps/season-2026.ts'
import { OBSERVATION_TAG, tagAt, tagCountOf } from '../../../machines/localization/observation.ts'
import { identityPose } from '../../../machines/localization/pose.ts'
import type { SolvedRound } from '../../../machines/localization/round-solver.ts'
import { fakeApi } from '../../support/api/api.ts'
import { fileLifetime } from '../../support/lifetime.ts'
import { World } from '../../support/localization/worlds.ts'

const { app, fake } = await fakeApi(fileLifetime())
await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
await fake.addStream({ id: 'bare', source: { backend: 'url', url: 'http://10.12.34.11/mjpg/video.mjpg' } })

const check = async (id: string) => {
  const { statusCode, body } = await app.inject({
    url: `/v1/streams/${id}/calibration/check`,
    headers: { host: 'localhost' },
  })
  return { status: statusCode, body: JSON.parse(body) }
}

const INTRINSICS = {
  width_px: 1280,
  height_px: 800,
  fx_px: 920,
  fy_px: 920,
  cx_px: 640,
  cy_px: 400,
  distortion: [],
}

const CORNERS = OBSERVATION_TAG.indexOf('x0')

/** Rounds of `front` from anywhere on the field, whose focal length is larger than is believed. */
const drive = (places: number, focal: number): void => {
  const world = new World({ seed: 8, cameras: 1 })
  const { rounds } = fake.resolve(LOCALIZATION)
  const [camera] = world.cameras
  assert.ok(camera)
  for (let n = 0; n < places; n++) {
    const pose = world.anyPose()
    const frame = { ...world.frame(camera, pose, 1_000_000 * (n + 1)), streamId: 'front' }
    const { observation } = frame
    const tags = Array.from({ length: tagCountOf(observation) }, (_, row) => {
      for (let k = 0; k < 8; k++)
        observation[tagAt(row) + CORNERS + k] = (1 + focal) * at(observation, tagAt(row) + CORNERS + k)
      const [family, id] = [at(observation, tagAt(row)), at(observation, tagAt(row) + 1)]
      return { streamId: 'front', family, id, used: true, reason: null }
    })
    const solved = { solved: { pose }, isSure: true, tags, motions: [identityPose], revision: 1 }
    rounds.set({
      round: { frames: [frame], capturedUs: frame.capturedUs },
      solved: { ...solved, map: { id: map2026Welded.id, hash: 'x' } },
    } as unknown as SolvedRound)
  }
}

const at = (numbers: Float64Array, n: number): number => numbers[n] as number

test('a stream of which nothing was seen, or that nobody has calibrated, says what to do', async () => {
  const front = (await check('front')).body
  const bare = (await check('bare')).body

  assert.deepEqual([front.state, front.places, front.focal], ['gathering', 0, null])
  assert.match(front.detail, /^0 of 30 places .*drive about/)
  assert.match(bare.detail, /^nobody has calibrated the lens/)
  assert.equal(bare.board, '/v1/streams/bare/calibration/board.pdf')
  assert.equal((await check('nowhere')).body.code, 'stream.not_found')
})

test('a focal length that is off is found while driving about, and forgotten with the lens', async () => {
  drive(500, 0.02)

  const { body } = await check('front')
  assert.equal(body.state, 'off', JSON.stringify(body))
  assert.ok(Math.abs(body.focal.share - 0.02) < 0.005, JSON.stringify(body.focal))
  assert.match(body.detail, /^the focal length is \d\.\d % larger than the calibration says .* too short by as much/)
  const patched = await app.inject({
    method: 'PATCH',
    url: '/v1/streams/front',
    headers: { host: 'localhost' },
    payload: { patch: { intrinsics: INTRINSICS } },
  })
  assert.equal(patched.statusCode, 204, patched.body)
  assert.equal((await check('front')).body.places, 0)
})
