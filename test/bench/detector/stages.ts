// Where the time of our own detector goes: what each stage of its design takes
// (docs/decisions/0193-a-detector-of-our-own.md), as a share of what bare libapriltag takes for the same pictures at
// decimate 1 in the same run. For each folder of the real pictures, all of them, and pictures that are hard; at the
// size of a camera, CPU of the thread, turn about picture by picture.
import { dirname } from 'node:path'
import { PHOTOGRAPHS, type Photograph, photographs } from '../../support/media/photographs.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { median, type Row, rowsOver } from '../lab/row.ts'
import { writeHardPictures } from './hard-pictures.ts'
import { DEFAULT_BITS, familyIn, PHOTOGRAPHED, type Photographed, searchProgram } from './searches.ts'

const ROUNDS = 8
const SIZE = ['1280', '800'] as const
const SEED = 1

/** In the order in which the program gives them. atMost: the budget, of all real pictures together. */
const STAGES = [
  { stage: 'black and white', atMost: 0.02 },
  { stage: 'runs', atMost: 0.02 },
  { stage: 'components', atMost: 0.01 },
  { stage: 'borders', atMost: 0.03 },
  { stage: 'points of what is left', atMost: 0.01 },
  { stage: 'quadrilaterals', atMost: 0.05 },
  { stage: 'reading', atMost: 0.02 },
] as const
const ALL_AT_MOST = 0.15

/** CPU of the thread for one picture, us. */
type Times = readonly [library: number, whole: number, ...stages: number[]]

/** Of one picture, what each round took. */
type Timed = readonly Times[]

interface PictureSet {
  readonly name: string
  readonly pictures: readonly Timed[]
}

export const stages: Measurement = async (lab) => {
  const sets: PictureSet[] = []
  const images = photographs()
  if (images) sets.push(...(await photographSets(lab, images)))
  else lab.say('the real pictures are not here; left out')
  const hard = writeHardPictures(lab.folder, SEED).map(({ file }) => file)
  sets.push({ name: 'hard pictures made by code', pictures: await timed(lab, 'tag36h11', hard) })
  for (const line of matrix(sets)) lab.say(line)
  return sets.flatMap(rowsOf)
}

const ALL_REAL = 'all real pictures'

const photographSets = async (lab: Lab, images: readonly Photograph[]): Promise<readonly PictureSet[]> => {
  const folders = new Map<string, Timed[]>()
  for (const family of PHOTOGRAPHED) {
    const some = images.filter((image) => familyIn(image) === family)
    const found = await timed(
      lab,
      family,
      some.map(({ file }) => PHOTOGRAPHS + file),
    )
    for (const [n, { file }] of some.entries()) {
      const folder = dirname(file)
      folders.set(folder, [...(folders.get(folder) ?? []), found[n] as Timed])
    }
  }
  const sets = [...folders.keys()].sort().map((name) => ({ name, pictures: folders.get(name) as readonly Timed[] }))
  return [{ name: ALL_REAL, pictures: sets.flatMap(({ pictures }) => pictures) }, ...sets]
}

const timed = async (lab: Lab, family: Photographed, files: readonly string[]): Promise<readonly Timed[]> => {
  const program = start(lab, await searchProgram('stages'), [
    ...[`${ROUNDS}`, family, `${DEFAULT_BITS[family]}`, ...SIZE],
    ...files,
  ])
  const rounds: Times[][] = []
  while (rounds.length < ROUNDS) rounds.push(JSON.parse(await program.line()) as Times[])
  await program.ended
  return files.map((_, n) => rounds.map((round) => round[n] as Times))
}

/** What each round took for all pictures together: shares of libapriltag's time. */
interface Shares {
  readonly stages: readonly number[]
  readonly whole: number
  readonly library_ms: number
}

const sharesOf = ({ pictures }: PictureSet): readonly Shares[] =>
  Array.from({ length: ROUNDS }, (_, round) => {
    const sum = (of: number) => pictures.reduce((total, each) => total + ((each[round] as Times)[of] as number), 0)
    const library = sum(0)
    return {
      stages: STAGES.map((_, n) => sum(n + 2) / library),
      whole: sum(1) / library,
      library_ms: library / 1000 / pictures.length,
    }
  })

const total = ({ stages }: Shares): number => stages.reduce((sum, share) => sum + share, 0)

const rowsOf = (set: PictureSet): readonly Row[] => {
  const row = rowsOver(sharesOf(set), `${ROUNDS} rounds of ${set.pictures.length} pictures, turn about`)
  const budget = (atMost: number) => (set.name === ALL_REAL ? { atMost } : undefined)
  return [
    row(`our own detector, of libapriltag's time at decimate 1: ${set.name}`, '', ({ whole }) => whole),
    ...STAGES.map(({ stage, atMost }, n) =>
      row(`  ${stage}`, '', (shares) => shares.stages[n] as number, budget(atMost)),
    ),
    row('  all stages, with a clock between them', '', total, budget(ALL_AT_MOST)),
    row('  libapriltag, mean of a picture', 'ms', ({ library_ms }) => library_ms),
  ]
}

/** The medians as a table for docs/benchmarks/detector.md: a set in each row. */
const matrix = (sets: readonly PictureSet[]): readonly string[] => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const head = ['set', 'pictures', 'libapriltag, ms', ...STAGES.map(({ stage }) => stage), 'all stages', 'TagScan']
  return [
    line(head),
    line(head.map(() => '---')),
    ...sets.map((set) => {
      const rounds = sharesOf(set)
      const of = (share: (round: Shares) => number, digits = 3) => median(rounds.map(share)).toFixed(digits)
      const each = STAGES.map((_, n) => of(({ stages }) => stages[n] as number))
      const library = of(({ library_ms }) => library_ms, 1)
      return line([set.name, `${set.pictures.length}`, library, ...each, of(total), of(({ whole }) => whole)])
    }),
  ]
}
