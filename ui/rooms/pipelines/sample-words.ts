// What an output of a pipeline gives just now, in few words: those that stand on a wire.

/** What an output found in a frame, as far as it is told here. */
export interface Found {
  readonly kind: string
  readonly rows: readonly unknown[]
}

const NAMES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  detections: ['tag', 'tags'],
  points: ['tag', 'tags'],
  tag_poses: ['pose', 'poses'],
  contours: ['contour', 'contours'],
  targets: ['target', 'targets'],
  circles: ['circle', 'circles'],
  objects: ['object', 'objects'],
  barcodes: ['code', 'codes'],
}

/** `2 tags`, `1.20 m, 3.40 m, 12.5°`. */
export const wordsOf = ({ kind, rows }: Found): string => {
  const names = NAMES[kind]
  if (names) return rows.length === 0 ? `no ${names[0]}` : `${rows.length} ${rows.length === 1 ? names[0] : names[1]}`
  const [row] = rows as readonly (Readonly<Record<string, unknown>> | undefined)[]
  if (!row) return kind === 'field_pose' ? 'no pose' : 'nothing'
  return (SAYS[kind] ?? figuresOf)(row)
}

const digits = (value: unknown, count: number): string =>
  typeof value === 'number' ? value.toFixed(count).replace('-', '\u2212') : '–'

const of = (value: number | undefined): number => value ?? 0

type Row = Readonly<Record<string, unknown>>

const SAYS: Readonly<Record<string, (row: Row) => string>> = {
  field_pose: ({ field_robot }) => {
    const { x_m, y_m, qw, qx, qy, qz } = field_robot as Readonly<Record<string, number>>
    const yaw = Math.atan2(2 * (of(qw) * of(qz) + of(qx) * of(qy)), 1 - 2 * (of(qy) ** 2 + of(qz) ** 2))
    return `${digits(x_m, 2)} m, ${digits(y_m, 2)} m, ${digits((yaw * 180) / Math.PI, 1)}°`
  },
  classes: ({ label, confidence }) => `${label} ${digits(confidence, 2)}`,
  values: (row) => figuresOf((row.values ?? row) as Row),
}

const MAX_FIGURES = 2

const figuresOf = (row: Row): string =>
  Object.entries(row)
    .filter(([, value]) => ['number', 'string', 'boolean'].includes(typeof value))
    .slice(0, MAX_FIGURES)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${typeof value === 'number' ? shortNumber(value) : value}`)
    .join(', ') || 'nothing'

const shortNumber = (value: number): string => digits(value, Number.isInteger(value) ? 0 : 2)

/** How long something takes, in the unit that says most: `310 µs`, `4.1 ms`. */
export const timeOfStep = (us: number): string => (us < 1000 ? `${Math.round(us)} µs` : `${(us / 1000).toFixed(1)} ms`)
