import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf } from '../../../../machines/engine/result.ts'
import { APRILTAG_FAMILIES } from '../../../../machines/engine/tag-families.ts'
import { demoMap } from '../../../../machines/localization/field-map.ts'
import { graphWithTags } from '../../../support/engine/engine-task.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'
import { stepped } from '../../../support/engine/stepped.ts'

const FRAMES = 20

test('a camera in a tenth of the light still tells where the robot is', async () => {
  const source = { backend: 'synthetic', motion: 'orbit', light: 0.1 } as const
  const results = await stepped({ manifest: { source }, map: demoMap, frames: FRAMES, every: 41 })

  const posed = results.filter((result) => rowsOf(result, 'pose')?.count === 1).length

  assert.ok(posed >= FRAMES * 0.95, `${posed} of ${FRAMES} frames have a pose`)
})

for (const family of APRILTAG_FAMILIES)
  test(`${family} is found in a tenth of the light with the defaults of its family`, async () => {
    const source = { backend: 'synthetic', motion: 'orbit', light: 0.1 } as const
    const manifest = { source, pipeline: graphWithTags({ families: [family] }) }
    const results = await stepped({ manifest, map: { ...demoMap, family }, frames: 10, every: 41 })

    const near = results.flatMap((result) => (rowObjects(result, 'visible') ?? []).filter(isNear))
    const found = results.flatMap((result) => rowObjects(result, 'tags') ?? [])

    assert.ok(near.length >= 18, `${near.length} tags are shown`)
    assert.ok(found.length >= near.length * 0.95, `${found.length} of ${near.length} tags found`)
  })

for (const family of APRILTAG_FAMILIES)
  test(`of ${family} the defaults find in a thirtieth of the light what no least margin finds`, async () => {
    const found = async (params: object): Promise<number> => {
      const source = { backend: 'synthetic', motion: 'orbit', light: 0.033, noise: 1 } as const
      const manifest = { source, pipeline: graphWithTags({ families: [family], ...params }) }
      const results = await stepped({ manifest, map: { ...demoMap, family }, frames: 10, every: 41 })
      return results.flatMap((result) => rowObjects(result, 'tags') ?? []).length
    }

    const [usual, all] = [await found({}), await found({ min_margin: 0 })]

    assert.ok(all >= 5, `${all} tags are there to be found`)
    assert.equal(usual, all)
  })

const isNear = ({ distance_m, visible_fraction }: Record<string, number>): boolean =>
  (distance_m ?? 9) < 4 && visible_fraction === 1
