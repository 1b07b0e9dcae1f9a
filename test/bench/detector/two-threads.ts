// What a second thread does for our own detector: how long a look at a whole picture takes on two threads, and what
// both use together, against one. For all real pictures, at the size of a camera, picture by picture, turn about; of
// each picture the middle of its looks. A second thread needs a processor that nobody else has: looks in which a thread
// had to stand in line for one are told apart.
import { PHOTOGRAPHS, photographs } from '../../support/media/photographs.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { median, type Row, spread } from '../lab/row.ts'
import { DEFAULT_BITS, familyIn, PHOTOGRAPHED, searchProgram } from './searches.ts'

const ROUNDS = 16
const SIZE = ['1280', '800'] as const
const MAX_WAITED = 0.05 // of a look that counts as undisturbed
const MIN_LOOKS = 4 // of those, on one thread and on two, of a picture that counts
const AT_MOST = 0.75

/** wall: what the clock says. cpu: of all threads together. waited: how long they stood in line for a processor. us. */
type Look = readonly [wall: number, cpu: number, waited: number]

/** Looks at one picture. */
interface Looks {
  readonly one: readonly Look[]
  readonly two: readonly Look[]
}

export const twoThreads: Measurement = async (lab): Promise<readonly Row[]> => {
  const rows: Row[] = []
  for (const decimate of [1, 2]) {
    const all = await looks(lab, decimate)
    const undisturbed = all
      .map(({ one, two }) => ({ one: one.filter(isUndisturbed), two: two.filter(isUndisturbed) }))
      .filter(({ one, two }) => Math.min(one.length, two.length) >= MIN_LOOKS)
    if (undisturbed.length === 0) lab.say('others have had the processors all the time')
    rows.push(
      ...rowsOf(`decimate ${decimate}, looks in which no thread waited for a processor`, undisturbed, decimate === 1),
      ...rowsOf(`decimate ${decimate}, all looks`, all),
    )
  }
  return rows
}

const isUndisturbed = ([wall, , waited]: Look): boolean => waited <= MAX_WAITED * wall

const looks = async (lab: Lab, decimate: number): Promise<readonly Looks[]> => {
  const images = photographs()
  if (!images) throw new Error('the real pictures are not here')
  const found: Looks[] = []
  for (const family of PHOTOGRAPHED) {
    const files = images.filter((image) => familyIn(image) === family).map(({ file }) => PHOTOGRAPHS + file)
    const words = [`${ROUNDS}`, family, `${DEFAULT_BITS[family]}`, `${decimate}`, ...SIZE]
    const program = start(lab, await searchProgram('two-threads'), [...words, ...files])
    const rounds: { one: Look; two: Look }[][] = []
    while (rounds.length < ROUNDS) rounds.push(JSON.parse(await program.line()))
    await program.ended
    for (const n of files.keys()) {
      const of = (who: 'one' | 'two') => rounds.map((round) => (round[n] as Record<typeof who, Look>)[who])
      found.push({ one: of('one'), two: of('two') })
    }
  }
  return found
}

/** Ratios of all pictures together by the middle of each one's looks; the spread is that over pictures. */
const rowsOf = (what: string, pictures: readonly Looks[], isJudged = false): readonly Row[] => {
  if (pictures.length === 0) return []
  const number = pictures.reduce((sum, { one, two }) => sum + one.length + two.length, 0)
  const from = `${number} looks at ${pictures.length} pictures, turn about`
  const middle = (of: readonly Look[], n: 0 | 1) => median(of.map((look) => look[n]))
  const sum = (who: 'one' | 'two', n: 0 | 1) => pictures.reduce((total, each) => total + middle(each[who], n), 0)
  const row = (text: string, n: 0 | 1, figure?: Row['figure']): Row => ({
    what: text,
    unit: '',
    from,
    ...(figure && { figure }),
    ...spread(pictures.map(({ one, two }) => middle(two, n) / middle(one, n))),
    measured: sum('two', n) / sum('one', n),
  })
  return [
    row(`time of a whole look on two threads, against one: ${what}`, 0, isJudged ? { atMost: AT_MOST } : undefined),
    row('  CPU of all threads together, against one', 1),
    {
      what: '  mean of a picture on one thread',
      unit: 'ms',
      from,
      ...spread(pictures.map(({ one }) => middle(one, 0) / 1000)),
      measured: sum('one', 0) / 1000 / pictures.length,
    },
  ]
}
