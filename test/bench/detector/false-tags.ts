// What is found where there is no tag: in textures and noise made by code, in real pictures, and in tags of other
// families. Every family of AprilTags, with as many corrected bits as nodes allow that say nothing of it; tag36h11 with
// up to two.
import { APRILTAG_FAMILIES, type TagFamily } from '../../../machines/engine/tag-families.ts'
import { forEach } from '../../../machines/pipeline/default-each.ts'
import { tagDetectors } from '../../../machines/pipeline/nodes/tag-detectors.ts'
import { PHOTOGRAPHS, photographs } from '../../support/media/photographs.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import type { Row } from '../lab/row.ts'
import { writeHardPictures } from './hard-pictures.ts'
import { looked } from './searches.ts'

const SEEDS = [1, 2, 3]

export const falseTags: Measurement = async (lab) => {
  const made = SEEDS.flatMap((seed) => writeHardPictures(lab.folder, seed).map(({ file }) => file))
  if (!photographs()) lab.say('the real pictures are not here; left out')
  const rows: Row[] = []
  for (const family of APRILTAG_FAMILIES)
    for (const bits of bitsOf(family))
      rows.push(...(await counted(lab, family, bits, [...made, ...realWithout(family)])))
  return rows
}

const bitsOf = (family: TagFamily): readonly number[] => {
  if (family === 'tag36h11') return [0, 1, 2]
  const params = { families: [family], min_margin: null, max_hamming: null }
  const { max_hamming } = forEach(tagDetectors.apriltag.params.properties, params) as { max_hamming: readonly number[] }
  return max_hamming
}

/** Their tags, if they have any, are of other families. */
const realWithout = (family: TagFamily): readonly string[] =>
  (photographs() ?? []).filter(({ families }) => !families.includes(family)).map(({ file }) => PHOTOGRAPHS + file)

const counted = async (
  lab: Lab,
  family: TagFamily,
  bits: number,
  files: readonly string[],
): Promise<readonly Row[]> => {
  const { answers } = await looked(lab, { files, family, bits, rounds: 0 })
  const all = { library: 0, reference: 0, own: 0 }
  for (const [n, { library, reference, own }] of answers.entries()) {
    all.library += library.length
    all.reference += reference.length
    all.own += own.length
    for (const { id, cx_px, cy_px, hamming, margin } of own)
      lab.say(`${family}, ${bits} bits: ${files[n]}: ${id} at ${cx_px}, ${cy_px} (${hamming} bits, margin ${margin})`)
  }
  const one = (what: string, measured: number, atMost?: number): Row => ({
    what,
    unit: '',
    measured,
    low: measured,
    high: measured,
    from: `${files.length} pictures`,
    ...(atMost !== undefined && { figure: { atMost } }),
  })
  const maxAllowed = family === 'tag36h11' ? 0 : all.library
  return [
    one(`tags of ${family} found where there is none, ${bits} bits corrected`, all.own, maxAllowed),
    one('  by libapriltag', all.library),
    one('  by libapriltag, with a border as the node asks for', all.reference),
  ]
}
