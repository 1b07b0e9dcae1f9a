import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { APRILTAG_FAMILIES, TAG_FAMILIES } from '../../../../machines/engine/tag-families.ts'
import { graphWithTags } from '../../../support/engine/engine-task.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'
import { steppedPictures } from '../../../support/engine/stepped.ts'
import { grayPng } from '../../../support/media/png.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const rows = (text: string): readonly string[] => text.trim().split('\n')

// As libapriltag prints them, with their white borders.

/** Also a faultless tag16h5 18. */
const TAG36H11_499 = rows(`
..........
.########.
.#...##.#.
.##...###.
.##.#####.
.#.##.###.
.###.#..#.
.#####..#.
.########.
..........
`)

const TAG25H9_0 = rows(`
.........
.#######.
.#.#.#.#.
.##.#..#.
.#.##.##.
.#.....#.
.#.###.#.
.#######.
.........
`)

const TAG16H5_0 = rows(`
........
.######.
.###.##.
.###..#.
.####.#.
.#.#..#.
.######.
........
`)

const TAG16H5_5 = rows(`
........
.######.
.##...#.
.#....#.
.##..##.
.#.#..#.
.######.
........
`)

/** A tag whose upper left corner lies at x, y; module: its smallest square. Pixels. */
interface Placed {
  readonly tag: readonly string[]
  readonly x: number
  readonly y: number
  readonly module: number
}

const shadeAt = ({ tag, x, y, module }: Placed, atX: number, atY: number): number | undefined => {
  const mark = tag[Math.floor((atY - y) / module)]?.[Math.floor((atX - x) / module)]
  return mark ? (mark === '#' ? 30 : 220) : undefined
}

/** What is found, by name, in a picture of tags on grey; the last of two that overlap lies on top. */
const found = async (t: TestContext, tags: readonly Placed[], params: object = {}): Promise<readonly string[]> => {
  const file = join(folderOf(t), 'tags.png')
  const onTop = tags.toReversed()
  const shade = (x: number, y: number): number => {
    for (const tag of onTop) {
      const its = shadeAt(tag, x, y)
      if (its !== undefined) return its
    }
    return 160
  }
  writeFileSync(file, grayPng(640, 480, shade))
  const pipeline = graphWithTags({ engine: 'reference', families: [...APRILTAG_FAMILIES], decimate: 1, ...params })
  const [result] = await steppedPictures([file], { pipeline, noise: 1 })
  return (result ? (rowObjects(result, 'tags') ?? []) : []).map(
    ({ family, id }) => `${TAG_FAMILIES[family as number]} ${id}`,
  )
}

const large: Placed = { tag: TAG36H11_499, x: 40, y: 60, module: 10 }

test('a tag that can be read as one of a smaller family too is found once, as what it is', async (t) => {
  const asSmall = await found(t, [large], { families: ['tag16h5'] })

  const asAny = await found(t, [large])

  assert.deepEqual(asSmall, ['tag16h5 18'])
  assert.deepEqual(asAny, ['tag36h11 499'])
})

test('a tag that nobody wants is not taken for one of a smaller family that somebody wants', async (t) => {
  assert.deepEqual(await found(t, [large], { ids: [18] }), [])
})

test('tags of different families side by side are all found', async (t) => {
  const beside = [
    large,
    { tag: TAG16H5_0, x: 140, y: 70, module: 10 },
    { tag: TAG25H9_0, x: 40, y: 160, module: 10 },
    { tag: TAG16H5_5, x: 130, y: 150, module: 10 },
  ]

  assert.deepEqual((await found(t, beside)).toSorted(), ['tag16h5 0', 'tag16h5 5', 'tag25h9 0', 'tag36h11 499'])
})

test('of two tags of one family in one place one is found, that with fewer wrong bits', async (t) => {
  const outer = (tag: readonly string[]): Placed => ({ tag, x: 20, y: 20, module: 50 })
  // in a white square, whose middle stays white
  const inner = (tag: readonly string[]): Placed => ({ tag, x: 178, y: 182, module: 4 })
  const wrong = (tag: readonly string[]) => tag.map((row, n) => (n === 5 ? row.replace('#.#', '###') : row))
  const params = { families: ['tag16h5'], max_hamming: 1 }

  const rightInside = await found(t, [outer(wrong(TAG16H5_5)), inner(TAG16H5_0)], params)
  const rightOutside = await found(t, [outer(TAG16H5_5), inner(wrong(TAG16H5_0))], params)
  const bothRight = await found(t, [outer(TAG16H5_5), inner(TAG16H5_0)], params)

  assert.equal(bothRight.length, 1)
  assert.deepEqual(rightInside, ['tag16h5 0'])
  assert.deepEqual(rightOutside, ['tag16h5 5'])
})
