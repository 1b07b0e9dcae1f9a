// What a full scan costs, against bare libapriltag at decimate 1 on one thread, and what it finds: in all real
// pictures, at the size of a camera and at their own, and the time alone in pictures that cost the most. Turn about,
// picture by picture; CPU of the thread.
import { oneLine } from '../../../machines/schema/one-line.ts'
import { holds, type KnownTag, PHOTOGRAPHS, type Photograph, photographs } from '../../support/media/photographs.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import { median, type Row, rowsOver, spread } from '../lab/row.ts'
import { writeHardPictures } from './hard-pictures.ts'
import { type Answers, DEFAULT_BITS, familyIn, looked, PHOTOGRAPHED, type Sighting, type Times } from './searches.ts'

const ROUNDS = 8
const CAMERA = { width_px: 1280, height_px: 800 } as const
const SEED = 1

/** What both took for one picture, round by round. */
interface Timed {
  readonly name: string
  readonly times: readonly Times[]
}

interface Looked extends Timed {
  readonly image: Photograph
  readonly answers: Answers
}

export const scan: Measurement = async (lab) => {
  const images = photographs()
  if (!images) lab.say('the real pictures are not here; left out')
  const rows: Row[] = []
  const all: Timed[] = []
  for (const [where, size] of [['1280x800', CAMERA] as const, ['their own size', undefined] as const]) {
    if (!images) continue
    const found = await lookedAtPhotographs(lab, images, size)
    lab.say(`real pictures at ${where} done`)
    all.push(...found.map((each) => ({ ...each, name: `${each.name} at ${where}` })))
    rows.push(...timeRows(`real pictures at ${where}`, found), ...recallRows(lab, where, found))
  }
  const hard = await lookedAtHardPictures(lab)
  lab.say('hard pictures done')
  rows.push(...timeRows('hard pictures made by code, 1280x800', hard, false), worstRow(lab, [...all, ...hard]))
  return rows
}

const lookedAtPhotographs = async (
  lab: Lab,
  images: readonly Photograph[],
  size: typeof CAMERA | undefined,
): Promise<readonly Looked[]> => {
  const found: Looked[] = []
  for (const family of PHOTOGRAPHED) {
    const some = images.filter((image) => familyIn(image) === family)
    const files = some.map(({ file }) => PHOTOGRAPHS + file)
    const { answers, rounds } = await looked(lab, {
      files,
      family,
      bits: DEFAULT_BITS[family],
      rounds: ROUNDS,
      ...(size && { size }),
    })
    for (const [n, image] of some.entries())
      found.push({ name: image.file, image, answers: answers[n] as Answers, times: timesOf(rounds, n) })
  }
  return found
}

const lookedAtHardPictures = async (lab: Lab): Promise<readonly Timed[]> => {
  const pictures = writeHardPictures(lab.folder, SEED)
  const files = pictures.map(({ file }) => file)
  const { rounds } = await looked(lab, { files, family: 'tag36h11', bits: 1, rounds: ROUNDS })
  return pictures.map(({ name }, n) => ({ name, times: timesOf(rounds, n) }))
}

const timesOf = (rounds: readonly (readonly Times[])[], n: number): readonly Times[] =>
  rounds.map((round) => round[n] as Times)

const timeRows = (what: string, pictures: readonly Timed[], isJudged = true): Row[] => {
  const sums = Array.from({ length: ROUNDS }, (_, round) => {
    const of = (side: 0 | 1) => pictures.reduce((total, { times }) => total + (times[round] as Times)[side], 0)
    return { library_us: of(0) / pictures.length, own_us: of(1) / pictures.length }
  })
  const row = rowsOver(sums, `${ROUNDS} rounds of ${pictures.length} pictures, turn about`)
  return [
    row(
      `full scan against libapriltag at decimate 1, ${what}: CPU of all together`,
      '',
      ({ library_us, own_us }) => own_us / library_us,
      isJudged ? { atMost: 0.4 } : undefined,
    ),
    row('  libapriltag, mean of a picture', 'ms', ({ library_us }) => library_us / 1000),
    row('  our own, mean of a picture', 'ms', ({ own_us }) => own_us / 1000),
  ]
}

/** Of all pictures the one with the worst ratio, in the median of its rounds. */
const worstRow = (lab: Lab, pictures: readonly Timed[]): Row => {
  const ratios = pictures.map(({ name, times }) => ({ name, rounds: times.map(([library, own]) => own / library) }))
  const sorted = ratios.sort((a, b) => median(b.rounds) - median(a.rounds))
  for (const { name, rounds } of sorted.slice(0, 10)) lab.say(`${name}: ${median(rounds).toFixed(3)}`)
  const [first] = sorted as [(typeof sorted)[number]]
  return {
    what: `  the same, worst single picture (${first.name})`,
    unit: '',
    figure: { atMost: 0.8 },
    ...spread(first.rounds),
    from: `${ROUNDS} rounds, of ${pictures.length} pictures`,
  }
}

/** Tags by name: what only one of them finds, and whether the list of what is there has it. */
const recallRows = (lab: Lab, where: string, pictures: readonly Looked[]): Row[] => {
  let [confirmed, byLibrary, byOwn, lost, falseOfLibrary, falseOfNode, falseOfOwn] = [0, 0, 0, 0, 0, 0, 0]
  for (const { name, image, answers } of pictures) {
    const at = (sighting: Sighting, tag: KnownTag) => isAt(inOriginal(sighting, image, answers), tag)
    const sees = (by: readonly Sighting[], tag: KnownTag) => by.some((sighting) => at(sighting, tag))
    for (const tag of image.tags.filter(({ crossChecked }) => crossChecked !== false)) {
      confirmed++
      if (sees(answers.library, tag)) byLibrary++
      if (sees(answers.own, tag)) byOwn++
      if (sees(answers.library, tag) && !sees(answers.own, tag)) lost++
    }
    const known = [...image.tags, ...image.unconfirmed]
    const falseIn = (by: readonly Sighting[]) => by.filter((each) => !known.some((tag) => at(each, tag))).length
    falseOfLibrary += falseIn(answers.library)
    falseOfNode += falseIn(answers.reference)
    falseOfOwn += falseIn(answers.own)
    for (const [who, these, others] of [
      ['libapriltag', answers.library, answers.own],
      ['our detector', answers.own, answers.library],
    ] as const)
      for (const tag of these.filter((each) => !others.some((other) => isSame(each, other))))
        lab.say(
          oneLine`
            ${name} at ${where}: only ${who} finds ${tag.id} at ${tag.cx_px}, ${tag.cy_px} (${tag.hamming} bits, margin
            ${tag.margin}; ${known.some((each) => at(tag, each)) ? 'it is there' : 'nobody knows it'})
          `,
        )
  }
  const one = (what: string, measured: number, figure?: Row['figure']): Row => ({
    what,
    unit: '',
    measured,
    low: measured,
    high: measured,
    from: `${pictures.length} pictures`,
    ...(figure && { figure }),
  })
  return [
    one(`confirmed tags that libapriltag finds and we do not, real pictures at ${where}`, lost, { atMost: 0 }),
    one('  confirmed tags', confirmed),
    one('  found by libapriltag', byLibrary),
    one('  found by our own', byOwn),
    one(
      '  found by our own where there are none that are known, beyond those of libapriltag',
      falseOfOwn - falseOfLibrary,
      {
        atMost: 0,
      },
    ),
    one('  found where there are none that are known: our own', falseOfOwn),
    one('  found where there are none that are known: libapriltag', falseOfLibrary),
    one('  found where there are none that are known: libapriltag, with a border', falseOfNode),
  ]
}

/** In pixels of the picture as it is on the disk. */
const inOriginal = (sighting: Sighting, image: Photograph, { width_px, height_px }: Answers): Sighting => ({
  ...sighting,
  cx_px: (sighting.cx_px * image.width) / width_px,
  cy_px: (sighting.cy_px * image.height) / height_px,
})

const isAt = ({ id, cx_px, cy_px }: Sighting, tag: KnownTag): boolean => id === tag.id && holds(tag, cx_px, cy_px)

const NEAR_PX = 5 // two tags of one id are farther apart
const isSame = (a: Sighting, b: Sighting): boolean =>
  a.id === b.id && Math.hypot(a.cx_px - b.cx_px, a.cy_px - b.cy_px) < NEAR_PX
