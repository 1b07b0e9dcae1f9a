// Small, noisy, distant tags: one alone hardly shows to which side it is tilted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Result, rowsOf } from '../../../../machines/engine/result.ts'
import { poseError } from '../../../../machines/localization/accuracy.ts'
import { defaultGraph } from '../../../../machines/pipeline/graph.ts'
import type { StreamManifest } from '../../../../machines/stream/manifest.ts'
import type { SyntheticSource } from '../../../../machines/stream/sources/synthetic.ts'
import { deviationOf } from '../../../support/engine/coverage.ts'
import { oneTag, singleTags } from '../../../support/engine/field-maps.ts'
import { stepped } from '../../../support/engine/stepped.ts'

const FLIPPED_M = 1

const poor = { backend: 'synthetic', noise: 18, seed: 3, width_px: 640, height_px: 400 } as const

/** A frame of the poor camera that comes out mirrored when nothing is known of the ones before. */
const MIRRORED = 2601

const ASIDE = (10 * Math.PI) / 180
const standing: SyntheticSource = {
  backend: 'synthetic',
  motion: 'still',
  noise: 20,
  seed: 1,
  width_px: 640,
  height_px: 400,
  pose: { x_m: 1 + 4 * Math.cos(ASIDE), y_m: 3 + 4 * Math.sin(ASIDE), z_m: 1, roll_deg: 0, pitch_deg: 0, yaw_deg: 190 },
}

/** max_ambiguity 1: every pose is shown, however doubtful. */
const camera = (source: SyntheticSource, params: Readonly<Record<string, unknown>> = {}): StreamManifest => ({
  source,
  pipeline: {
    ...defaultGraph,
    nodes: defaultGraph.nodes.map((node) => (node.type === 'field-pose' ? { ...node, params } : node)),
  },
})

const every = camera(poor, { max_ambiguity: 1 })

const offM = (result: Result | undefined): number => (result && poseError(result)?.distance_m) ?? Number.NaN

test('a pose that begins as its mirror image comes right and stays, though nothing moves', async () => {
  for (const from of [2057, 4080, 4199]) {
    const manifest = camera(standing, { max_ambiguity: 1 })
    const offs = (await stepped({ manifest, map: oneTag, frames: 30, from })).map(offM)

    const text = offs.map((off) => off.toFixed(1)).join(', ')
    assert.ok((offs[0] ?? 0) > FLIPPED_M, `it begins wrong: ${text}`)
    assert.ok(
      offs.slice(4).every((off) => off < 0.5),
      `it comes right: ${text}`,
    )
  }
})

test('where a tag could be tilted to either side, the poses just before decide', async () => {
  const alone = await stepped({ manifest: every, map: singleTags, frames: 1, from: MIRRORED })
  const after = await stepped({ manifest: every, map: singleTags, frames: 6, from: MIRRORED - 5 })

  assert.ok(offM(alone.at(-1)) > FLIPPED_M)
  assert.ok(offM(after.at(-1)) < 0.5, `${offM(after.at(-1))} m off`)
})

test('what was seen more than half a second ago decides nothing', async () => {
  const alone = await stepped({ manifest: every, map: singleTags, frames: 1, from: MIRRORED })
  const late = await stepped({ manifest: every, map: singleTags, frames: 3, every: 17, from: MIRRORED - 2 * 17 })

  assert.equal(offM(late.at(-1)), offM(alone.at(-1)))
})

test('a pose that stays doubtful says so with its standard deviations', async () => {
  const results = await stepped({ manifest: every, map: singleTags, frames: 500, every: 17 })
  const mirrored = results.filter((result) => offM(result) > FLIPPED_M)

  const told = mirrored.filter((result) => {
    const { x, y } = deviationOf(result)?.of ?? { x: 99, y: 99 }
    return Math.min(x, y) < 4 && Math.max(x, y) < 8
  })

  assert.ok(mirrored.length >= 5, `${mirrored.length} came out mirrored`)
  assert.ok(told.length >= mirrored.length * 0.9, `${told.length} of ${mirrored.length} are within their deviations`)
})

test('with the defaults hardly a pose is a mirror image, and most are given', async (t) => {
  const source = { backend: 'synthetic', noise: 8, seed: 2 } as const
  const pose = { x_m: 0.25, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }
  const results = await stepped({ manifest: { ...camera(source), pose }, map: singleTags, frames: 130, every: 9 })
  const single = results.filter((result) => deviationOf(result)?.tagCount === 1)
  const seen = results.filter((result) => rowsOf(result, 'tags')?.count === 1).length

  const mirrored = single.filter((result) => offM(result) > 0.5).length

  t.diagnostic(`${single.length} poses of ${seen} frames with one tag; ${mirrored} mirrored`)
  assert.ok(single.length >= seen * 0.8, `${single.length} poses of ${seen} frames with one tag`)
  assert.ok(mirrored <= single.length * 0.01, `${mirrored} of ${single.length} are mirrored`)
})
