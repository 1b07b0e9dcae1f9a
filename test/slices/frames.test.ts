// Pictures with what was found in them, from the service as it is: what goes with a picture is of that very frame.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { FrameResults } from '../../machines/engine/frame-results.ts'
import { rowDocuments } from '../../machines/engine/row-documents.ts'
import type { GraphDocument } from '../../machines/pipeline/graph.ts'
import { isJpeg } from '../support/api/preview.ts'
import { steppedPictures } from '../support/engine/stepped.ts'
import { shortOrLong } from '../support/long.ts'
import { type FrameMessage, watchFrames } from '../support/media/frame-messages.ts'
import { site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'
import { until } from '../support/until.ts'

const FRAMES = shortOrLong(120, 1000)

/** It moves so fast to and fro that a frame and the next differ by several pixels, but where it turns round. */
const source = { backend: 'synthetic', width_px: 640, height_px: 400, fps: 20, motion: 'orbit', speed_m_s: 3 } as const

/** What a JPEG of good quality moves corners by. */
const MAX_MOVED_PX = 0.5

/** Finds tags, and nothing else. */
const finder: GraphDocument = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'find', type: 'apriltag' },
  ],
  edges: [{ from: 'source.image', to: 'find.image' }],
  outputs: [{ port: 'tags', from: 'find.detections' }],
}

interface Tag {
  readonly id: number
  readonly corners: readonly { readonly x_px: number; readonly y_px: number }[]
}

const tagsIn = ({ outputs: { tags } }: FrameResults): readonly Tag[] => (tags?.kind === 'detections' ? tags.rows : [])

/** How far corners of the same tags lie apart at most; Infinity: no tag is in both. */
const distancePx = (some: readonly Tag[], others: readonly Tag[]): number => {
  const distances = some.flatMap(({ id, corners }) => {
    const other = others.find((each) => each.id === id)
    if (!other) return []
    return corners.map(({ x_px, y_px }, n) =>
      Math.hypot(x_px - (other.corners[n]?.x_px ?? 0), y_px - (other.corners[n]?.y_px ?? 0)),
    )
  })
  return distances.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...distances)
}

/** The tags that are found in the JPEGs alone, one after the other. */
const tagsSeenIn = async (t: TestContext, jpegs: readonly Buffer[]): Promise<readonly (readonly Tag[])[]> => {
  const folder = folderOf(t)
  const files = jpegs.map((jpeg, n) => {
    const file = join(folder, `${n}.jpg`)
    writeFileSync(file, jpeg)
    return file
  })
  const results = await steppedPictures(files, { pipeline: finder })
  return results.map((result) => rowDocuments(result, 'tags', 'detections') ?? [])
}

const resultsOf = ({ results }: FrameMessage): FrameResults => {
  assert.ok(results, 'no results')
  return results
}

test(`what goes with each of ${FRAMES} pictures was found in that picture`, async (t) => {
  const daemon = await site(t).start()
  await daemon.addStream({ id: 'front', source })
  const frames = `${daemon.url}/v1/streams/front/frames`

  const { messages } = await watchFrames(t, `${frames}?results=true&quality=95`)
  const small = await watchFrames(t, `${frames}?results=true&max_width=320`)
  const plain = await watchFrames(t, frames)
  await until(
    `${FRAMES} pictures`,
    () => messages.length,
    (count) => count >= FRAMES,
    1000 * FRAMES,
  )

  const shown = messages.slice(0, FRAMES)
  assert.ok(shown.every(({ isPicture, jpeg }) => isPicture && isJpeg(jpeg)))
  const sequence = shown.map((message) => resultsOf(message).seq)
  assert.deepEqual(
    sequence,
    [...new Set(sequence)].sort((a, b) => a - b),
  )
  const seen = await tagsSeenIn(
    t,
    shown.map(({ jpeg }) => jpeg),
  )
  const off = shown.map((message, n) => distancePx(tagsIn(resultsOf(message)), seen[n] ?? []))
  assert.deepEqual(
    off.filter((distance) => distance > MAX_MOVED_PX),
    [],
  )
  const neighbours = shown.slice(1).map((message, n) => distancePx(tagsIn(resultsOf(message)), seen[n] ?? []))
  const told = neighbours.filter((distance) => distance > MAX_MOVED_PX).length
  assert.ok(told > 0.8 * FRAMES, `of ${told} a wrong frame would show`)

  const bySeq = new Map(shown.map((message) => [resultsOf(message).seq, message.results]))
  const same = small.messages.filter(({ results }) => bySeq.has(results?.seq ?? -1))
  assert.ok(same.length > 0)
  for (const { results } of same) assert.deepEqual(results, bySeq.get(results?.seq ?? -1))
  assert.ok(plain.messages.length > 0)
  assert.ok(plain.messages.every(({ results, jpeg }) => results === null && isJpeg(jpeg)))
})
