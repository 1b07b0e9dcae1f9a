// How large a square of the board was measured to be: it stands in the address, so that it is there after a reload.
import { useQueryChoices } from '../../state/query-choices.ts'

/** Sheets, and how large a square of our board is on each of them. */
export const PAPERS = [
  { id: 'a4', name: 'A4', squareMm: 24 },
  { id: 'letter', name: 'Letter', squareMm: 23 },
  { id: 'a3', name: 'A3', squareMm: 36 },
  { id: 'tabloid', name: 'Tabloid', squareMm: 34 },
] as const
export type PaperId = (typeof PAPERS)[number]['id']

/** A square, as it was measured. */
export interface Squares {
  readonly square_width_mm: number
  readonly square_height_mm: number
}

const MIN_MM = 0.1
const MAX_MM = 1000

const sizeIn = (text: string | null): number | undefined => {
  const size = Number(text ?? '')
  return size >= MIN_MM && size <= MAX_MM ? size : undefined
}

/** The paper that was chosen, and the square; a square nobody has measured is as large as it is printed. */
export const useSquares = () => {
  const [query, choose] = useQueryChoices()
  const paper = PAPERS.find(({ id }) => id === query.get('paper')) ?? PAPERS[0]
  const widthMm = sizeIn(query.get('width')) ?? paper.squareMm
  const heightMm = sizeIn(query.get('height')) ?? widthMm
  return {
    paper,
    squares: { square_width_mm: widthMm, square_height_mm: heightMm } satisfies Squares,
    isMeasured: sizeIn(query.get('width')) !== undefined,
    choosePaper: (id: string) => choose('paper', id),
    setWidth: (value: number) => choose('width', String(value)),
    setHeight: (value: number) => choose('height', String(value)),
  }
}
