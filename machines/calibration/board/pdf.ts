// Sheets as PDFs in true size: written by hand, since it takes six objects and no library.
import type { BoardDrawing, Box, Caption } from './drawing.ts'
import { LETTER_MM } from './drawing.ts'

const POINTS_PER_MM = 72 / 25.4
const CAPITAL_SHARE = 0.718 // of Helvetica's size

/** A box of one colour: red, green and blue, 0 to 255; none: black. In millimetres from the upper left. */
export interface Fill extends Box {
  readonly colour?: readonly number[]
}

/** What a PDF is made of. All in millimetres. */
export interface Sheet {
  readonly width: number
  readonly height: number
  /** In the order in which they are painted. */
  readonly fills: readonly Fill[]
  readonly captions: readonly Caption[]
}

/** A board as a file, of ASCII alone. */
export const boardPdf = (drawing: BoardDrawing): string => {
  const { unit, left, top } = drawing
  const inMm = (box: Box): Box => ({
    left: left + box.left * unit,
    top: top + box.top * unit,
    width: box.width * unit,
    height: box.height * unit,
  })
  return sheetPdf({ ...drawing, fills: [...drawing.board.map(inMm), ...drawing.rulers] })
}

/** The file, of ASCII alone. */
export const sheetPdf = (drawing: Sheet): string => {
  const content = contentOf(drawing)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${points(drawing.width)} ${points(drawing.height)}]`,
      '/Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    ].join(' '),
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title (${escaped(drawing.captions[0]?.text ?? '')}) /Producer (Vedette) >>`,
  ].map((body, at) => `${at + 1} 0 obj\n${body}\nendobj\n`)
  const head = '%PDF-1.4\n'
  const places = objects.map((_, at) => head.length + objects.slice(0, at).join('').length)
  return [
    head,
    ...objects,
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`,
    ...places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`),
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 6 0 R >>\n`,
    `startxref\n${head.length + objects.join('').length}\n%%EOF\n`,
  ].join('')
}

/** y grows upwards in a PDF. */
const contentOf = ({ height, fills, captions }: Sheet): string => {
  const placed = (box: Box): string =>
    [box.left, height - box.top - box.height, box.width, box.height].map(points).concat('re').join(' ')
  const painted = (box: Fill, at: number): readonly string[] => {
    const [colour, next] = [colourOf(box), fills[at + 1]]
    const isFirst = at === 0 || colourOf(fills[at - 1] as Fill) !== colour
    const isLast = !next || colourOf(next) !== colour
    return [...(isFirst ? [colour] : []), placed(box), ...(isLast ? ['f'] : [])]
  }
  const written = ({ text, left: from, baseline }: Caption): string =>
    [
      `BT /F1 ${points(LETTER_MM / CAPITAL_SHARE)} Tf`,
      `${points(from)} ${points(height - baseline)} Td (${escaped(text)}) Tj ET`,
    ].join(' ')
  const words = captions.map(written)
  const isBlackLast = fills.length === 0 || colourOf(fills.at(-1) as Fill) === BLACK
  return [...fills.flatMap(painted), ...(isBlackLast ? [] : [BLACK]), ...words].join('\n')
}

const BLACK = '0 g'

const colourOf = ({ colour }: Fill): string =>
  colour ? `${colour.map((each) => Number((each / 255).toFixed(4))).join(' ')} rg` : BLACK

const points = (mm: number): string => String(Number((mm * POINTS_PER_MM).toFixed(4)))

const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&')
