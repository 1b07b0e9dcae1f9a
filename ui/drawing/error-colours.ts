// The colours of predicted errors over a picture: the same error of the same picture has the same colour everywhere.

/** Errors over a picture, from edge to edge. */
export interface ErrorPlaces {
  readonly columns: number
  readonly rows: number
  /** Row by row; null: nobody can tell. */
  readonly error_px: readonly (number | null)[]
}

/** From none to the most that is told apart. Their lightness rises, so that they are told apart without colour too. */
const STOPS = [
  [46, 26, 120],
  [34, 96, 146],
  [28, 152, 138],
  [122, 209, 81],
  [253, 231, 37],
] as const

const SCALE_SHARE = 0.008 // of the width: twice what is poor in the mean, and what corners of usable ones come to

/** The error that has the last colour; so has whatever is larger. */
export const scaleEndPx = (widthPx: number): number => {
  const end = SCALE_SHARE * widthPx
  return end >= 2 ? Math.round(end) : Math.round(10 * end) / 10
}

const FAINTEST = 0.35 // where nothing is wrong, the picture is what one wants to see

type Colour = readonly [red: number, green: number, blue: number]

/** share: of the scale, from 0 to 1. */
const colourAt = (share: number): Colour => {
  const place = Math.min(1, Math.max(0, share)) * (STOPS.length - 1)
  const at = Math.min(STOPS.length - 2, Math.floor(place))
  const [from, to] = [STOPS[at] as Colour, STOPS[at + 1] as Colour]
  return [0, 1, 2].map((each) =>
    Math.round((from[each] as number) + (place - at) * ((to[each] as number) - (from[each] as number))),
  ) as unknown as Colour
}

/** As CSS wants them, for a legend. */
export const LEGEND = `linear-gradient(to right, ${STOPS.map((stop) => `rgb(${stop.join(' ')})`).join(', ')})`

/** The error at a place between those that are known; null: nobody can tell. x, y: from 0 to 1 over the picture. */
export const errorAt = ({ columns, rows, error_px }: ErrorPlaces, x: number, y: number): number | null => {
  const [column, row] = [x * (columns - 1), y * (rows - 1)]
  const [left, upper] = [Math.floor(column), Math.floor(row)]
  const [right, lower] = [Math.min(columns - 1, left + 1), Math.min(rows - 1, upper + 1)]
  const corners = [
    [left, upper],
    [right, upper],
    [left, lower],
    [right, lower],
  ].map(([atColumn, atRow]) => error_px[(atRow as number) * columns + (atColumn as number)] ?? null)
  if (corners.some((each) => each === null)) return null
  const [one, two, three, four] = corners as [number, number, number, number]
  const [across, down] = [column - left, row - upper]
  return (one * (1 - across) + two * across) * (1 - down) + (three * (1 - across) + four * across) * down
}

/** The picture of it, as a canvas takes it: four numbers for each of its pixels. */
export const paintErrors = (
  places: ErrorPlaces,
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  endPx: number,
): Uint8ClampedArray<ArrayBuffer> => {
  const pixels = new Uint8ClampedArray(4 * widthPx * heightPx)
  for (let row = 0; row < heightPx; row += 1)
    for (let column = 0; column < widthPx; column += 1) {
      const error = errorAt(places, column / (widthPx - 1), row / (heightPx - 1))
      if (error === null) continue
      const share = Math.min(1, error / endPx)
      pixels.set([...colourAt(share), 255 * (FAINTEST + (1 - FAINTEST) * share)], 4 * (row * widthPx + column))
    }
  return pixels
}

const FIGURE_PLACES = { across: [0.04, 0.35, 0.65, 0.96], down: [0.06, 0.5, 0.94] } as const

/** Where figures stand over it, with what they say. */
export const errorFigures = (places: ErrorPlaces) =>
  FIGURE_PLACES.down.flatMap((y) => FIGURE_PLACES.across.map((x) => ({ x, y, errorPx: errorAt(places, x, y) })))
