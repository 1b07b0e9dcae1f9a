// Which tags are found in real pictures. Truth are the tags on which two independent detectors agree; of those counts
// what libapriltag itself finds with the same settings. What only one detector saw is neither a hit nor a false
// positive.

import { header } from '../../../machines/engine/result.ts'
import type { TagFamily } from '../../../machines/engine/tag-families.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { graphWithTags } from '../../support/engine/engine-task.ts'
import { rowObjects } from '../../support/engine/row-objects.ts'
import {
  holds,
  type KnownTag,
  PHOTOGRAPHS,
  type Photograph,
  photographs,
  withTags,
} from '../../support/media/photographs.ts'
import { builtProgram } from '../bare/build.ts'
import { runEngine } from '../lab/engine.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import type { Row } from '../lab/row.ts'

const FPS = 4 // a large picture with decimate 1 takes a tenth of a second; none may be skipped

interface Sighting {
  readonly id: number
  readonly cx_px: number
  readonly cy_px: number
}

/** Over all pictures. */
interface Score {
  confirmed: number
  found: number
  foundByLibrary: number
  missed: number
  falsePositives: number
  falsePositivesOfLibrary: number
}

export const recall: Measurement = async (lab) => {
  const images = photographs()
  if (!images) {
    lab.say('the pictures are not here; skipped')
    return []
  }
  const score: Score = {
    confirmed: 0,
    found: 0,
    foundByLibrary: 0,
    missed: 0,
    falsePositives: 0,
    falsePositivesOfLibrary: 0,
  }
  const tagged = withTags(images)
  for (const family of ['tag36h11', 'tag16h5'] as const) {
    const some = tagged.filter(({ families }) => families[0] === family)
    const [ours, library] = [await engineSees(lab, some, family), await librarySees(lab, some, family)]
    for (const [n, image] of some.entries()) add(lab, score, image, ours[n] ?? [], library[n] ?? [])
  }
  const from = `${tagged.length} pictures`
  const one = (what: string, measured: number): Row => ({
    what,
    unit: '',
    measured,
    low: measured,
    high: measured,
    from,
  })
  return [
    { ...one('confirmed tags that libapriltag finds and the engine does not', score.missed), figure: { atMost: 0 } },
    { ...one('tags found where there are none', score.falsePositives), figure: { atMost: 0 } },
    one('  confirmed tags', score.confirmed),
    one('  found by the engine', score.found),
    one('  found by bare libapriltag', score.foundByLibrary),
    one('  found by bare libapriltag where there are none', score.falsePositivesOfLibrary),
  ]
}

const engineSees = async (lab: Lab, images: readonly Photograph[], family: TagFamily): Promise<Sighting[][]> => {
  const seen: Sighting[][] = []
  const path = images.map(({ file }) => PHOTOGRAPHS + file)
  const { ended, stop } = await runEngine(lab, {
    manifest: {
      source: { backend: 'images', path, fps: FPS, loop: false },
      pipeline: graphWithTags({ decimate: 1, families: [family] }),
    },
    onResult: (result) => {
      seen[header(result, 'seq')] = (rowObjects(result, 'tags') ?? []) as unknown as Sighting[]
    },
  })
  await ended
  await stop()
  const count = Object.keys(seen).length
  if (count !== images.length) throw new Error(`the engine gave results of ${count} of ${images.length} pictures`)
  return seen
}

const librarySees = async (lab: Lab, images: readonly Photograph[], family: TagFamily): Promise<Sighting[][]> => {
  const words = ['--list', '--family', family, '--decimate', '1']
  const loop = start(lab, await builtProgram('loop'), [...words, ...images.map(({ file }) => PHOTOGRAPHS + file)])
  return (JSON.parse(await loop.line()) as { seen: Sighting[][] }).seen
}

const add = (
  lab: Lab,
  score: Score,
  image: Photograph,
  ours: readonly Sighting[],
  library: readonly Sighting[],
): void => {
  const known = [...image.tags, ...image.unconfirmed]
  for (const tag of image.tags.filter(({ crossChecked }) => crossChecked !== false)) {
    const isSeen = (by: readonly Sighting[]) => by.some((sighting) => isAt(sighting, tag))
    score.confirmed++
    if (isSeen(ours)) score.found++
    if (isSeen(library)) score.foundByLibrary++
    if (isSeen(library) && !isSeen(ours)) {
      score.missed++
      lab.say(`${image.file}: tag ${tag.id} is missed`)
    }
  }
  const isFalse = (sighting: Sighting) => !known.some((tag) => isAt(sighting, tag))
  score.falsePositivesOfLibrary += library.filter(isFalse).length
  for (const sighting of ours.filter(isFalse)) {
    score.falsePositives++
    lab.say(
      oneLine`
        ${image.file}: a tag ${sighting.id} at ${sighting.cx_px.toFixed(0)}, ${sighting.cy_px.toFixed(0)} that nobody
        knows
      `,
    )
  }
}

/** The same id, and its centre inside the tag's corners. */
const isAt = ({ id, cx_px, cy_px }: Sighting, tag: KnownTag): boolean => id === tag.id && holds(tag, cx_px, cy_px)
