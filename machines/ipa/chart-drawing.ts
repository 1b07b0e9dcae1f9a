// The chart on its sheet: 24 patches in a black frame, four markers beside it by which the device finds it, and words
// that say what a print is worth.
import { PAPERS, type Paper } from '../calibration/board/board.ts'
import type { Box, Caption } from '../calibration/board/drawing.ts'
import { whiteModules } from '../calibration/board/marker-codes.ts'
import type { Fill, Sheet } from '../calibration/board/pdf.ts'
import { type Bitmap, betweenPixels, letterBoxes } from '../calibration/board/raster.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { COLUMNS, type Edition, EditionQuery, PATCHES, ROWS } from './chart.ts'
import { linearOfLab, screenColour } from './colour-space.ts'

/** What a chart is drawn by, in a query. */
export const chartQuery = {
  paper: Type.Optional(
    Type.Enum(Object.keys(PAPERS) as Paper[], { default: 'a4', description: 'The sheet, on its long side.' }),
  ),
  edition: Type.Optional(EditionQuery),
}

/** The markers, clockwise from the upper left: of aruco_4x4, beyond those of boards for calibration. */
export const CHART_MARKERS = [44, 45, 46, 47] as const

// All in steps from patch to patch, from the upper left of the lattice; chart_markers.h has the same.
const SIDE = 1 / 1.15 // of a patch
const FRAME = 0.15 // beyond the lattice
const MARKER = 0.75
const BESIDE_FRAME = 0.2

const MARKER_MODULES = 6
const AROUND_MM = { width: 24, height: 40 }
const TOP_MM = 12
const LEFT_MM = 17
const BASELINES_MM = [18, 13, 8] as const // from the lower edge
const PIXELS_PER_MM = 150 / 25.4

const WORDS = [
  oneLine`
    Colour chart of 24 patches, of the edition EDITION, in sRGB. Four markers of aruco_4x4 (44-47).
  `,
  'A printer has other inks and a screen other light: this is no reference. It is good for trying the procedure.',
  'For a matrix that is to be kept take a chart that was bought, in even light, and say which edition it is.',
]

/** Where the markers are: left and top, clockwise from the upper left, in steps. */
const markerPlaces = (): readonly (readonly [left: number, top: number])[] => {
  const left = -FRAME - BESIDE_FRAME - MARKER
  const right = COLUMNS + FRAME + BESIDE_FRAME
  const [top, bottom] = [-FRAME, ROWS + FRAME - MARKER]
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]
}

/** The black modules of a marker, in runs. */
const markerBoxes = (id: number, [left, top]: readonly [number, number]): readonly Box[] => {
  const module = MARKER / MARKER_MODULES
  const inside = whiteModules('aruco_4x4', id)
  return Array.from({ length: MARKER_MODULES ** 2 }, (_, at) => ({
    column: at % MARKER_MODULES,
    row: Math.floor(at / MARKER_MODULES),
  }))
    .filter(({ column, row }) => !inside[row - 1]?.[column - 1])
    .map(({ column, row }) => ({
      left: left + column * module,
      top: top + row * module,
      width: module,
      height: module,
    }))
}

/** The sheet. */
export const drawChart = (paper: Paper, edition: Edition): Sheet => {
  const { width_mm: width, height_mm: height } = PAPERS[paper]
  const across = COLUMNS + 2 * (FRAME + BESIDE_FRAME + MARKER)
  const step = Math.min((width - AROUND_MM.width) / across, (height - AROUND_MM.height) / (ROWS + 2 * FRAME))
  const [left, top] = [(width - COLUMNS * step) / 2, TOP_MM + FRAME * step]
  const inMm = (box: Box): Box => ({
    left: left + box.left * step,
    top: top + box.top * step,
    width: box.width * step,
    height: box.height * step,
  })
  const frame = { left: -FRAME, top: -FRAME, width: COLUMNS + 2 * FRAME, height: ROWS + 2 * FRAME }
  const markers = markerPlaces().flatMap((place, at) => markerBoxes(CHART_MARKERS[at] as number, place))
  const patches = PATCHES.map(({ lab }, at): Fill => {
    const [column, row] = [at % COLUMNS, Math.floor(at / COLUMNS)]
    const box = { left: column + (1 - SIDE) / 2, top: row + (1 - SIDE) / 2, width: SIDE, height: SIDE }
    return { ...inMm(box), colour: screenColour(linearOfLab(lab[edition])) }
  })
  const captions = WORDS.map(
    (text, at): Caption => ({
      text: text.replace('EDITION', edition === 'after_2014' ? 'after November 2014' : 'before November 2014'),
      left: LEFT_MM,
      baseline: height - (BASELINES_MM[at] as number),
    }),
  )
  return { width, height, fills: [...markers.map(inMm), inMm(frame), ...patches], captions }
}

const WHITE = [255, 255, 255]
const BLACK = [0, 0, 0]

/** The sheet in pixels, at 150 to an inch. */
export const rasterChart = ({ width, height, fills, captions }: Sheet): Bitmap => {
  const toPixels = (mm: number) => Math.round(mm * PIXELS_PER_MM)
  const [columns, lines] = [toPixels(width), toPixels(height)]
  const colours = fills.flatMap(({ colour }) => (colour ? [colour] : []))
  const palette = [WHITE, BLACK, ...colours]
  const numbered = fills.map((fill) => ({
    box: betweenPixels(fill, toPixels),
    number: fill.colour ? 2 + colours.indexOf(fill.colour) : 1,
  }))
  const letters = letterBoxes(captions, PIXELS_PER_MM).map((box) => ({ box, number: 1 }))
  const rows = Array.from({ length: lines }, () => new Uint8Array(columns))
  for (const { box, number } of [...numbered, ...letters])
    for (const row of rows.slice(box.top, box.top + box.height)) row.fill(number, box.left, box.left + box.width)
  return { width: columns, height: lines, pixelsPerMm: PIXELS_PER_MM, rows, palette }
}
