// Two pictures beside the checkout of tags whose top, and whose left, is more than a module outside.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { graphWithTags } from '../../../support/engine/engine-task.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'
import { steppedPictures } from '../../../support/engine/stepped.ts'

const INPUTS = fileURLToPath(new URL('../../../../../shared/data/inputs/', import.meta.url))

/** Where the corners are, by the program that drew them. */
const TRUE_CORNERS_PX = {
  '03-top-1.1.png': [281.77, 106.58, 386.21, 117.7, 398.45, 6.64, 291.22, -9.95],
  '14-left-1.3.png': [-4.76, 292.05, 111.94, 295.24, 115.75, 189.64, -4.51, 181.48],
} as const

for (const engine of ['vedette', 'reference'])
  for (const [name, truth] of Object.entries(TRUE_CORNERS_PX)) {
    const file = INPUTS + name
    const skip = existsSync(file) ? false : 'the inputs are not beside the checkout'
    test(`the tag in ${name} has its true corners or is none, by ${engine}`, { skip }, async () => {
      const [result] = await steppedPictures([file], { pipeline: graphWithTags({ engine, min_margin: 0 }) })

      const tags = (result && rowObjects(result, 'tags')) ?? []
      const off = tags.flatMap((tag) => truth.map((at, n) => Math.abs(at - (tag[`${'xy'[n % 2]}${n >> 1}_px`] ?? 0))))

      assert.ok(Math.max(0, ...off) < 0.3, `corners are ${off.map((px) => px.toFixed(2))} px off`)
    })
  }
