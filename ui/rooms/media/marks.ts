// What was found in pictures, as the side-car of an item has it, and what of it can be drawn.

/** A place in a picture. */
export interface Place {
  readonly x_px: number
  readonly y_px: number
}

/** Something to be drawn on a picture. */
export interface Mark {
  readonly name: string
  /** The corners of an outline. */
  readonly outline: readonly Place[]
}

/** What was found in one picture. */
export interface PictureMarks {
  /** Since the first picture of the item. */
  readonly atMs: number
  /** Of the picture that places are counted in. */
  readonly widthPx: number
  readonly heightPx: number
  readonly marks: readonly Mark[]
}

interface Row {
  readonly corners?: readonly Place[]
  readonly center?: Place
  readonly radius_px?: number
  readonly width_px?: number
  readonly height_px?: number
  readonly id?: number
  readonly label?: string
  readonly text?: string
}

interface Line {
  readonly pts_us?: number
  readonly width_px?: number
  readonly height_px?: number
  readonly outputs?: Readonly<Record<string, readonly Row[]>>
}

/** What the synthetic camera knows of itself; the same places as those that were found. */
const OF_THE_CAMERA = new Set(['truth', 'visible'])

const around = ({ x_px, y_px }: Place, width: number, height: number): readonly Place[] =>
  [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([right = 0, down = 0]) => ({ x_px: x_px + (right * width) / 2, y_px: y_px + (down * height) / 2 }))

const outlineOf = ({ corners, center, radius_px, width_px, height_px }: Row): readonly Place[] | undefined => {
  if (corners && corners.length > 2) return corners
  if (!center) return undefined
  if (radius_px !== undefined) return around(center, 2 * radius_px, 2 * radius_px)
  return width_px !== undefined && height_px !== undefined ? around(center, width_px, height_px) : undefined
}

const nameOf = ({ id, label, text }: Row): string => label ?? text ?? (id === undefined ? '' : String(id))

const marksOf = (outputs: Line['outputs'] = {}): readonly Mark[] =>
  Object.entries(outputs)
    .filter(([port]) => !OF_THE_CAMERA.has(port))
    .flatMap(([, rows]) => (Array.isArray(rows) ? rows : []))
    .flatMap((row: Row) => {
      const outline = outlineOf(row)
      return outline ? [{ name: nameOf(row), outline }] : []
    })

/** Reads the lines of a side-car; in the order of time. */
export const readMarks = (lines: string): readonly PictureMarks[] =>
  lines
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .flatMap(({ pts_us, width_px, height_px, outputs }) =>
      pts_us === undefined || !width_px || !height_px
        ? []
        : [{ atMs: pts_us / 1000, widthPx: width_px, heightPx: height_px, marks: marksOf(outputs) }],
    )
    .sort((a, b) => a.atMs - b.atMs)

const MAX_OFF_MS = 2 // of one picture: the fastest camera takes the next after 4

/** What was found in the picture of a time; undefined: the pipeline did not look at it. */
export const marksAt = (all: readonly PictureMarks[], atMs: number): PictureMarks | undefined => {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle]?.atMs ?? 0) < atMs - MAX_OFF_MS) low = middle + 1
    else high = middle
  }
  const found = all[low]
  return found && found.atMs <= atMs + MAX_OFF_MS ? found : undefined
}
