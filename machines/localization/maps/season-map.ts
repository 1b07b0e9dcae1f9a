// Official fields from rows of figures, in the inches and degrees of the league's diagrams.
import { type FieldMap, FRC_TAG_SIZE_M } from '../field-map.ts'

/** A tag: its id, x, y and z in inches from the blue corner, yaw and pitch in degrees. */
export type TagRow = readonly [id: number, x: number, y: number, z: number, yaw: number, pitch?: number]

/** How far some tags hang from where they do on the other field of a season, inches. */
export interface Shift {
  readonly ids: readonly number[]
  readonly dx: number
  readonly dy: number
}

/** The rows of a field that differs from another by shifts. */
export const shifted = (rows: readonly TagRow[], shifts: readonly Shift[]): readonly TagRow[] =>
  rows.map(([id, x, y, ...rest]) => {
    const { dx = 0, dy = 0 } = shifts.find(({ ids }) => ids.includes(id)) ?? {}
    return [id, x + dx, y + dy, ...rest]
  })

/** Makes the map of a field. */
export const seasonMap = ({
  tags,
  ...field
}: Pick<FieldMap, 'id' | 'name' | 'length_m' | 'width_m'> & { readonly tags: readonly TagRow[] }): FieldMap => ({
  ...field,
  family: 'tag36h11',
  tag_size_m: FRC_TAG_SIZE_M,
  tags: tags.map(([id, x, y, z, yaw_deg, pitch_deg = 0]) => ({
    id,
    pose: { x_m: metres(x), y_m: metres(y), z_m: metres(z), roll_deg: 0, pitch_deg, yaw_deg },
  })),
})

/** To a ten thousandth of a millimetre: a thousandth of an inch is told exactly. */
const metres = (inches: number): number => Math.round(inches * 0.0254 * 1e7) / 1e7
