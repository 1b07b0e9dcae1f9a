// Which synthetic tags are found, and how exactly, cell by cell: of one size, blur, noise, contrast and occlusion. The
// same pictures for bare libapriltag at decimate 1 and for our own detector. Two halves, by seed: thresholds may be
// tuned on one, never on the other.
import { oneLine } from '../../../machines/schema/one-line.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import type { Row } from '../lab/row.ts'
import { searchProgram } from './searches.ts'

const TAGS = 100
const SIDES_PX = [8, 9, 10, 11, 12, 13, 14, 17, 20, 25, 32, 50, 80, 120, 200]
const CELLS_OF_SIDE = 32 // 4 of blur, with 3 of noise by 2 of contrast, and 2 of occlusion; as in cells.cc
const HALVES = [
  { name: 'tuned', seed: 1 },
  { name: 'held-out', seed: 7919 },
] as const

/** As cells.cc prints it. */
interface Cell {
  readonly side_px: number
  readonly blur_px: number
  readonly noise: number
  readonly contrast: number
  readonly covered: 'nothing' | 'corner' | 'data'
  readonly tags: number
  readonly reference: number
  readonly own: number
  readonly both: number
  readonly reference_false: number
  readonly own_false: number
  readonly reference_square_px2: number
  readonly own_square_px2: number
}

export const cells: Measurement = async (lab) => {
  const rows: Row[] = []
  for (const { name, seed } of HALVES) {
    const found = await measured(lab, seed)
    lab.say(
      `${name}, seed ${seed}: libapriltag/own found of ${TAGS}, and the corners' rms of both, px\n${shown(found)}`,
    )
    const from = `seed ${seed}, ${TAGS} tags a cell`
    rows.push(...recallRows(lab, `${name}: `, from, found), ...cornerRows(lab, `${name}: `, from, found))
  }
  return rows
}

const measured = async (lab: Lab, seed: number): Promise<readonly Cell[]> => {
  const program = start(lab, await searchProgram('cells'), [seed, TAGS, ...SIDES_PX].map(String))
  const found: Cell[] = []
  while (found.length < SIDES_PX.length * CELLS_OF_SIDE) found.push(JSON.parse(await program.line()) as Cell)
  return found
}

const CHANCE = 0.001 // of hundreds of cells some are worse by chance; one in a thousand is none

const MIN_SHARE = 1 / 3 // of libapriltag's misses, that are found

const recallRows = (lab: Lab, half: string, from: string, all: readonly Cell[]): Row[] => {
  const total = (of: (cell: Cell) => number, some = all) => some.reduce((sum, cell) => sum + of(cell), 0)
  const worse = all.filter((cell) => isLikelyWorse(cell))
  for (const cell of worse) lab.say(`${half}${nameOf(cell)}: ${lostIn(cell)} lost, ${gainedIn(cell)} gained`)
  const partly = all.filter(({ reference, tags }) => reference >= 0.05 * tags && reference <= 0.95 * tags)
  const shares = partly.map(shareOf)
  for (const cell of partly.filter((each) => shareOf(each) < MIN_SHARE))
    lab.say(`${half}${nameOf(cell)}: ${gainedIn(cell)} of ${cell.tags - cell.reference} misses found`)
  const one = (what: string, measured: number, figure?: Row['figure'], [low, high] = [measured, measured]): Row => ({
    what: what.startsWith(' ') ? what : half + what,
    unit: '',
    measured,
    low,
    high,
    from: `${from}, ${all.length} cells`,
    ...(figure && { figure }),
  })
  const third = { atLeast: MIN_SHARE } as const
  return [
    one(`cells in which libapriltag finds more than our own, beyond chance (p < ${CHANCE})`, worse.length, {
      atMost: 0,
    }),
    one(
      '  tags',
      total(({ tags }) => tags),
    ),
    one(
      '  found by libapriltag',
      total(({ reference }) => reference),
    ),
    one(
      '  found by our own',
      total(({ own }) => own),
    ),
    one('  found by libapriltag alone', total(lostIn)),
    one(
      `of the tags that libapriltag misses where it finds 5 to 95 % (${partly.length} cells), the share found`,
      total(gainedIn, partly) / total(({ tags, reference }) => tags - reference, partly),
      third,
      [Math.min(...shares), Math.max(...shares)],
    ),
    one(
      '  share of those cells in which it is a third',
      shares.filter((share) => share >= MIN_SHARE).length / shares.length,
    ),
    one('found where there is no tag, beyond those of libapriltag', total(falseBeyond), { atMost: 0 }),
    one(
      '  found where there is no tag',
      total(({ own_false }) => own_false),
    ),
  ]
}

const lostIn = ({ reference, both }: Cell): number => reference - both
const gainedIn = ({ own, both }: Cell): number => own - both
/** Of libapriltag's misses. */
const shareOf = (cell: Cell): number => gainedIn(cell) / (cell.tags - cell.reference)
const falseBeyond = ({ own_false, reference_false }: Cell): number => own_false - reference_false

/**
 * By the sign test: so many tags would be lost, against those that are gained, less often than by chance if both were
 * alike.
 */
const isLikelyWorse = (cell: Cell): boolean => {
  const [lost, gained] = [lostIn(cell), gainedIn(cell)]
  const coins = lost + gained
  let [ways, tail] = [1, 0] // of coins that fall n times on one side
  for (let n = 0; n <= gained; n++) {
    tail += ways / 2 ** coins
    ways = (ways * (coins - n)) / (n + 1)
  }
  return lost > gained && tail < CHANCE
}

const MIN_SIDE_PX = 20
const MIN_PAIRS = 30 // that an rms says something

/** Of whole tags. */
const cornerRows = (lab: Lab, half: string, from: string, all: readonly Cell[]): Row[] => {
  const judged = all.filter(
    ({ side_px, both, covered }) => side_px >= MIN_SIDE_PX && both >= MIN_PAIRS && covered === 'nothing',
  )
  const kinds: readonly (readonly [string, (cell: Cell) => boolean, number])[] = [
    ['ideal', ({ blur_px, noise }) => blur_px === 0 && noise === 0, 0.5],
    ['noisy', ({ blur_px, noise }) => blur_px === 0 && noise > 0, 1],
    ['blurred', ({ blur_px }) => blur_px > 0, 1],
  ]
  return kinds.flatMap(([kind, isOfKind, atMost]) => {
    const some = judged.filter(isOfKind)
    const ratios = some.map(ratioOf)
    const worst = Math.max(...ratios)
    for (const cell of some)
      if (ratioOf(cell) > atMost) lab.say(`${half}${nameOf(cell)}: corners ${ratioOf(cell).toFixed(3)}`)
    const tags = some.reduce((sum, { both }) => sum + both, 0)
    const pooled = (of: (cell: Cell) => number) => Math.sqrt(some.reduce((sum, cell) => sum + of(cell), 0) / tags)
    const [reference, own] = [pooled((cell) => cell.reference_square_px2), pooled((cell) => cell.own_square_px2)]
    const where = { from: `${from}, ${some.length} cells of ${MIN_SIDE_PX} to 200 px` }
    const px = { unit: 'px', ...where }
    return [
      {
        what: `${half}rms error of corners against libapriltag's, ${kind}: worst cell`,
        unit: '',
        figure: { atMost },
        measured: worst,
        low: Math.min(...ratios),
        high: worst,
        ...where,
      },
      {
        what: `  libapriltag's, all ${kind} cells together`,
        measured: reference,
        low: reference,
        high: reference,
        ...px,
      },
      { what: `  our own, all ${kind} cells together`, measured: own, low: own, high: own, ...px },
    ]
  })
}

const ratioOf = ({ own_square_px2, reference_square_px2 }: Cell): number =>
  Math.sqrt(own_square_px2 / reference_square_px2)

const nameOf = ({ side_px, ...cell }: Cell): string => `${side_px} px, ${conditionOf(cell)}`

const conditionOf = ({ blur_px, noise, contrast, covered }: Omit<Cell, 'side_px'>): string =>
  `blur ${blur_px}, noise ${noise}, contrast ${contrast}${covered === 'nothing' ? '' : `, ${covered} covered`}`

/** A line for each condition, and in it each size that either of them finds. */
const shown = (all: readonly Cell[]): string => {
  const byCondition = Map.groupBy(all, conditionOf)
  return [...byCondition]
    .map(([condition, some]) => {
      const words = some.filter(({ reference, own }) => reference + own > 0).map(wordOf)
      return `  ${condition}: ${words.join('; ') || 'none'}`
    })
    .join('\n')
}

const wordOf = (cell: Cell): string => {
  const { side_px, reference, own, both, reference_square_px2, own_square_px2 } = cell
  const rms = (square: number) => Math.sqrt(square / both).toFixed(3)
  const lost = lostIn(cell) > 0 ? ` (${lostIn(cell)} lost)` : ''
  return oneLine`
    ${side_px} px ${reference}/${own}${lost}${both > 0 ? ` ${rms(reference_square_px2)}/${rms(own_square_px2)}` : ''}
  `
}
