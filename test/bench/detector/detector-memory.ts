// What a detector adds to a process's memory, and an engine that has it: our own, and bare libapriltag, each in a
// process of its own. At the size of a camera, decimate 1, real pictures and hard ones, where nodes may correct the
// most, two bits of tag36h11, and of all AprilTags.

import { join } from 'node:path'
import { APRILTAG_FAMILIES, type TagFamily } from '../../../machines/engine/tag-families.ts'
import { forEach } from '../../../machines/pipeline/default-each.ts'
import { tagDetectors } from '../../../machines/pipeline/nodes/tag-detectors.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { graphWithTags } from '../../support/engine/engine-task.ts'
import { PHOTOGRAPHS, photographs } from '../../support/media/photographs.ts'
import { runEngine } from '../lab/engine.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { ownMb } from '../lab/processes.ts'
import { type Row, rowsOver } from '../lab/row.ts'
import { eightTagMap, eightTagSource, renderJpegs } from '../lab/scenes.ts'
import { writeHardPictures } from './hard-pictures.ts'
import { searchProgram } from './searches.ts'

const STARTS = 3
const SIZE = ['1280', '800'] as const
const SEED = 1
const MAX_MB = 50 // of an engine; the table of libapriltag alone is 37
const PASSES = 5 // of an engine through its pictures
// an engine keeps files of pictures in memory: no more of them than it takes
const IN_AN_ENGINE = ['noise-of-all-greys', 'squares-of-1', 'squares-of-6', 'spiral']

type Who = 'own' | 'library'
const NAMES: Readonly<Record<Who, string>> = { own: 'our own detector', library: 'libapriltag' }

/** Bits that are corrected of each family. */
type Bits = readonly (readonly [family: TagFamily, bits: number])[]

/** Those of a node that says nothing of them. */
const defaultBits = (): Bits => {
  const params = { families: APRILTAG_FAMILIES, min_margin: null, max_hamming: null }
  const { max_hamming } = forEach(tagDetectors.apriltag.params.properties, params) as { max_hamming: readonly number[] }
  return APRILTAG_FAMILIES.map((family, n) => [family, max_hamming[n] as number])
}

export const detectorMemory: Measurement = async (lab): Promise<readonly Row[]> => {
  const hard = writeHardPictures(lab.folder, SEED)
  const real = photographs()
  if (!real) lab.say('the real pictures are not here; left out')
  const files = [...(real ?? []).map(({ file }) => PHOTOGRAPHS + file), ...hard.map(({ file }) => file)]
  const rows: Row[] = []
  const two: Bits = [['tag36h11', 2]]
  rows.push(...(await added(lab, 'tag36h11, 2 bits corrected', files, two, ['own', 'library'])))
  const all = 'all AprilTag families'
  rows.push(...(await added(lab, `${all}, as many bits as is usual`, files, defaultBits(), ['own', 'library'])))
  // Tables of libapriltag for this take 19 GB.
  const twoOfAll: Bits = APRILTAG_FAMILIES.map((family) => [family, 2])
  rows.push(...(await added(lab, `${all}, 2 bits corrected`, files, twoOfAll, ['own'])))

  const jpegs = await renderJpegs(lab, {
    manifest: { source: eightTagSource },
    map: eightTagMap,
    name: 'wall',
    count: 4,
  })
  const withHard = [...jpegs, ...IN_AN_ENGINE.map((name) => join(lab.folder, `${name}-${SEED}.png`))]
  const watched: readonly Watched[] = [
    { engine: 'vedette', what: 'usual pictures', files: jpegs, maxMb: MAX_MB },
    { engine: 'reference', what: 'usual pictures', files: jpegs },
    { engine: 'vedette', what: 'hard pictures among them', files: withHard },
    { engine: 'reference', what: 'hard pictures among them', files: withHard },
  ]
  for (const each of watched) rows.push(await engineRow(lab, each))
  return rows
}

/** What a process has more when a detector has looked at all pictures, and the most that it had meanwhile. MB. */
interface Added {
  readonly peak_mb: number
  readonly kept_mb: number
}

const added = async (
  lab: Lab,
  what: string,
  files: readonly string[],
  bits: Bits,
  whose: readonly Who[],
): Promise<readonly Row[]> => {
  const words = bits.map(([family, most]) => `${family}=${most}`).join(',')
  const rows: Row[] = []
  for (const who of whose) {
    const starts: Added[] = []
    while (starts.length < STARTS) {
      const program = start(lab, await searchProgram('search-memory'), [who, ...SIZE, words, ...files])
      starts.push(JSON.parse(await program.line()) as Added)
      await program.ended
    }
    lab.say(`${what}: ${who} done`)
    const row = rowsOver(starts, `${STARTS} processes, ${files.length} pictures each`)
    const figure = who === 'own' ? { atMost: MAX_MB } : undefined
    rows.push(
      row(`memory that ${NAMES[who]} takes at 1280x800, ${what}: the most`, 'MB', ({ peak_mb }) => peak_mb, figure),
      row('  kept until the next picture', 'MB', ({ kept_mb }) => kept_mb),
    )
  }
  return rows
}

/** What an engine looks at. */
interface Watched {
  readonly engine: 'vedette' | 'reference'
  readonly what: string
  readonly files: readonly string[]
  readonly maxMb?: number
}

/**
 * The memory of an engine that looks for tags, of its own: Node itself it shares with the service. After a pass through
 * the pictures and after each of the next ones.
 */
const engineRow = async (lab: Lab, { engine, what, files, maxMb }: Watched): Promise<Row> => {
  const samples: { readonly mb: number }[] = []
  const enough = Promise.withResolvers<void>()
  let results = 0
  const running = await runEngine(lab, {
    manifest: {
      source: { backend: 'images', path: [...files], fps: 1000, pace: 'lossless' },
      pipeline: graphWithTags({ engine, decimate: 1, max_hamming: 2 }),
    },
    map: eightTagMap,
    onResult: () => {
      if (++results % files.length !== 0) return
      samples.push({ mb: ownMb(running.pid) })
      if (samples.length === PASSES) enough.resolve()
    },
  })
  await enough.promise
  await running.stop()
  const who = engine === 'vedette' ? NAMES.own : NAMES.library
  return rowsOver(samples, `${PASSES} passes through ${files.length} pictures`)(
    oneLine`
      memory of an engine at 1280x800 that it shares with no other process, with ${who}, tag36h11, 2 bits corrected,
      ${what}
    `,
    'MB',
    ({ mb }) => mb,
    maxMb === undefined ? undefined : { atMost: maxMb },
  )
}
