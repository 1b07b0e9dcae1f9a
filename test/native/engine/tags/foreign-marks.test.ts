import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { APRILTAG_FAMILIES } from '../../../../machines/engine/tag-families.ts'
import { demoMap } from '../../../../machines/localization/field-map.ts'
import { writeTextures } from '../../../bench/detector/textures.ts'
import { graphWithTags } from '../../../support/engine/engine-task.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'
import { stepped, steppedPictures } from '../../../support/engine/stepped.ts'

test('no tag is found in noise, random squares, checkerboards and stripes, bright or dim', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const files = writeTextures(folder, 3)
  const pipeline = graphWithTags({ families: [...APRILTAG_FAMILIES] })

  const seen = []
  for (const light of [1, 0.1]) seen.push(...(await steppedPictures(files, { pipeline, light, noise: 2 })))

  assert.deepEqual(
    seen.flatMap((result) => rowObjects(result, 'tags') ?? []),
    [],
  )
})

test('no tag is taken for one of another family', async () => {
  for (const shown of APRILTAG_FAMILIES) {
    const others = APRILTAG_FAMILIES.filter((family) => family !== shown)
    const manifest = { source: { backend: 'synthetic' } as const, pipeline: graphWithTags({ families: others }) }
    const results = await stepped({ manifest, map: { ...demoMap, family: shown }, frames: 6, every: 131 })

    assert.deepEqual(
      results.flatMap((result) => rowObjects(result, 'tags') ?? []),
      [],
      `${shown} was shown`,
    )
  }
})
