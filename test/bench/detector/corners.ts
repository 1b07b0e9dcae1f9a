// What a whole look costs as a user gets it, corners refined from all that is printed, against bare libapriltag,
// which refines its own, both at one decimate: all real pictures, and pictures full of tags, at two sizes. Turn
// about, picture by picture; CPU of the thread.
import { PHOTOGRAPHS, photographs } from '../../support/media/photographs.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { median, type Row, rowsOver, spread } from '../lab/row.ts'
import { DEFAULT_BITS, familyIn, PHOTOGRAPHED, searchProgram } from './searches.ts'

const ROUNDS = 8
const SIZES = [
  { width_px: 1280, height_px: 800, atMost: 0.25 },
  { width_px: 640, height_px: 480, atMost: 0.4 },
] as const
const DECIMATES = [1, 2] as const
const WORST_AT_MOST = 0.8

/** CPU of the thread, us. own: all of our own; corners: what of that refining them took. */
type Times = readonly [library: number, own: number, corners: number]

/** Of one picture, round by round, at each decimate. */
interface Looked {
  readonly name: string
  readonly tags: number
  readonly times: readonly (readonly Times[])[]
}

export const corners: Measurement = async (lab) => {
  const rows: Row[] = []
  for (const { atMost, ...size } of SIZES) {
    const where = `${size.width_px}x${size.height_px}`
    const real = await ofPhotographs(lab, size)
    const full = await look(lab, ['tag36h11', '1'], size, [])
    lab.say(`${where} done`)
    for (const [n, decimate] of DECIMATES.entries()) {
      const at = `${where}, decimate ${decimate}`
      if (real.length > 0) rows.push(...together(`real pictures, ${at}`, real, n, atMost))
      rows.push(...together(`pictures full of tags, ${at}`, full, n), worst(lab, at, [...real, ...full], n))
    }
  }
  return rows
}

type Size = { readonly width_px: number; readonly height_px: number }

const ofPhotographs = async (lab: Lab, size: Size): Promise<readonly Looked[]> => {
  const images = photographs()
  if (!images) lab.say('the real pictures are not here; left out')
  const all: Looked[] = []
  for (const family of PHOTOGRAPHED) {
    const files = (images ?? []).filter((image) => familyIn(image) === family).map(({ file }) => PHOTOGRAPHS + file)
    if (files.length > 0) all.push(...(await look(lab, [family, String(DEFAULT_BITS[family])], size, files)))
  }
  return all
}

const look = async (
  lab: Lab,
  sought: readonly [family: string, bits: string],
  { width_px, height_px }: Size,
  files: readonly string[],
): Promise<readonly Looked[]> => {
  const words = [ROUNDS, ...sought, width_px, height_px].map(String)
  const program = start(lab, await searchProgram('corners'), [...words, ...files])
  const pictures = JSON.parse(await program.line()) as { readonly name: string; readonly tags: number }[]
  const rounds: Times[][][] = []
  while (rounds.length < ROUNDS) rounds.push(JSON.parse(await program.line()) as Times[][])
  await program.ended
  return pictures.map((picture, n) => ({ ...picture, times: rounds.map((round) => round[n] as Times[]) }))
}

const together = (what: string, pictures: readonly Looked[], decimate: number, atMost?: number): readonly Row[] => {
  const sums = Array.from({ length: ROUNDS }, (_, round) => {
    const of = (part: 0 | 1 | 2) =>
      pictures.reduce((sum, { times }) => sum + (times[round]?.[decimate]?.[part] as number), 0)
    return { library_us: of(0), own_us: of(1), corners_us: of(2) }
  })
  const tags = pictures.reduce((sum, picture) => sum + picture.tags, 0)
  const row = rowsOver(sums, `${ROUNDS} rounds of ${pictures.length} pictures with ${tags} tags, turn about`)
  return [
    row(
      `whole detection, corners refined, against libapriltag, ${what}: CPU of all together`,
      '',
      ({ library_us, own_us }) => own_us / library_us,
      atMost === undefined ? undefined : { atMost },
    ),
    row('  without refining', '', ({ library_us, own_us, corners_us }) => (own_us - corners_us) / library_us),
    row('  refining, a tag', 'us', ({ corners_us }) => corners_us / tags),
  ]
}

/** The picture with the worst ratio, in the median of its rounds. */
const worst = (lab: Lab, at: string, pictures: readonly Looked[], decimate: number): Row => {
  const ratios = pictures.map(({ name, times }) => ({
    name,
    rounds: times.map((round) => {
      const [library, own] = round[decimate] as Times
      return own / library
    }),
  }))
  const sorted = ratios.sort((a, b) => median(b.rounds) - median(a.rounds))
  for (const { name, rounds } of sorted.slice(0, 5)) lab.say(`${at}, ${name}: ${median(rounds).toFixed(3)}`)
  const [first] = sorted as [(typeof sorted)[number]]
  return {
    what: `  worst single picture, ${at} (${first.name.split('/').at(-1)})`,
    unit: '',
    figure: { atMost: WORST_AT_MOST },
    ...spread(first.rounds),
    from: `${ROUNDS} rounds, of ${pictures.length} pictures`,
  }
}
