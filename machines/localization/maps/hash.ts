// What is in a map as one short text: equal for equal maps, whatever they are called and in whichever form they came.
import type { FieldMap, FieldTag } from '../field-map.ts'
import { poseFromDocument } from '../pose.ts'

/** SHA-256 of a text in UTF-8, as 64 hex digits. */
export type Sha256 = (text: string) => string

/** Of the canonical content of a map. */
export const hashOf = (map: FieldMap, sha256: Sha256): string => sha256(canonicalContent(map))

/**
 * Length, width and tags, those by family and id, as JSON; numbers to 1e-6, rotations as quaternions of which the first
 * part that is not 0 is positive. Names are left out.
 */
export const canonicalContent = ({ length_m, width_m, family, tag_size_m, tags }: FieldMap): string => {
  const rows = tags.map((tag) => canonicalTag({ family, size_m: tag_size_m, ...tag }))
  rows.sort((one, other) => (one.family === other.family ? one.id - other.id : one.family < other.family ? -1 : 1))
  return JSON.stringify({ length_m: rounded(length_m), tags: rows, width_m: rounded(width_m) })
}

const canonicalTag = ({ family, id, size_m, pose }: Required<FieldTag>) => {
  const { x, y, z, qw, qx, qy, qz } = poseFromDocument(pose)
  const turned = [qw, qx, qy, qz].map(rounded)
  const sign = Math.sign(turned.find((part) => part !== 0) ?? 1)
  const [w, i, j, k] = turned.map((part) => rounded(part * sign))
  return {
    family,
    id,
    qw: w,
    qx: i,
    qy: j,
    qz: k,
    size_m: rounded(size_m),
    x: rounded(x),
    y: rounded(y),
    z: rounded(z),
  }
}

/**
 * To 1e-6, and to 1e-9 before that: what lies between two roundings is rounded alike with and without the noise of a
 * computation. Zero has no sign.
 */
const rounded = (value: number): number => Math.round(Math.round(value * 1e9) / 1e3) / 1e6 + 0
