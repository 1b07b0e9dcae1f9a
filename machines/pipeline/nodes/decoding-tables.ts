// The tables by which libapriltag corrects bits, which the service's own detector has not: one slot for each way in
// which a tag of the family may be misread, and two empty ones.

import { FAMILY_SIZES, type TagFamily } from '../../engine/tag-families.ts'
import { oneLine } from '../../schema/one-line.ts'
import { type ArucoDictionary, markersOf, maxBitsOf } from './aruco-dictionaries.ts'

/** Of all families of a detector. The three classic ones with two bits take 38 MB; a device runs several detectors. */
export const MAX_TABLE_MB = 40

const BYTES_OF_A_READING = 3 * 16

/** Tags of a family; name: of what the user chose. */
interface Chosen {
  readonly name: string
  readonly family: TagFamily
  readonly tags: number
}

const tableMb = ({ family, tags }: Chosen, bits: number): number => {
  const { bits: width } = FAMILY_SIZES[family]
  const readings = 1 + (bits >= 1 ? width : 0) + (bits >= 2 ? width * (width - 1) : 0)
  return (BYTES_OF_A_READING * tags * readings) / 1e6
}

const tablesMb = (chosen: readonly Chosen[], bits: number): number =>
  chosen.reduce((sum, each) => sum + tableMb(each, bits), 0)

/** What is said of a detector whose tables would be too large. The defaults of all families together are not. */
const refusalOf = (chosen: readonly Chosen[], bits: number) => {
  if (tablesMb(chosen, bits) <= MAX_TABLE_MB) return undefined
  const fitting = bits > 1 && tablesMb(chosen, 1) <= MAX_TABLE_MB ? 1 : 0
  const names = chosen.map(({ name }) => name).join(', ')
  return {
    param: 'max_hamming',
    message: oneLine`
      must be at most ${fitting} with ${names}: the tables for correcting ${bits === 1 ? 'a bit' : `${bits} bits`} take
      ${Math.round(tablesMb(chosen, bits))} MB, and a detector has ${MAX_TABLE_MB} MB for them. null: as many as are
      right for each
    `,
  }
}

type Params = Readonly<Record<string, unknown>>

/** Of the node `apriltag`. */
export const familiesRefusal = ({ engine, families, max_hamming }: Params) => {
  const named = (families as readonly TagFamily[]).map((family) => ({ name: family, family, ...FAMILY_SIZES[family] }))
  return max_hamming === null || engine === 'vedette' ? undefined : refusalOf(named, max_hamming as number)
}

/** Of the node `aruco`, whose dictionaries also may have too many markers for so many bits. */
export const dictionariesRefusal = ({ engine, dictionaries, max_hamming }: Params) => {
  if (max_hamming === null) return undefined
  const named = dictionaries as readonly ArucoDictionary[]
  const dense = named.find((name) => (max_hamming as number) > maxBitsOf(name))
  if (dense !== undefined)
    return {
      param: 'max_hamming',
      message: oneLine`
        must be at most ${maxBitsOf(dense)} with ${dense}: with more wrong bits one of its markers may be another. null:
        as many as are right for each
      `,
    }
  if (engine === 'vedette') return undefined
  return refusalOf(
    named.map((name) => ({ name, ...markersOf(name) })),
    max_hamming as number,
  )
}
