// What following tags costs, against bare libapriltag at decimate 1 on one thread, and what it finds: a camera that
// pans, turns, shakes and is knocked takes pictures of scenes, which are the real pictures with tags, all three looking
// at each picture, turn about. CPU of the thread.
import { oneLine } from '../../../machines/schema/one-line.ts'
import { PHOTOGRAPHS, type Photograph, photographs } from '../../support/media/photographs.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { agreed, quantile, rowsOver, spread } from '../lab/row.ts'
import { searchProgram } from './searches.ts'

const ROUNDS = 3
const PICTURES = 60
const FAMILY = 'tag36h11'

/**
 * Of one picture: CPU, us, and tags of libapriltag, of following, and of looking at all of it; tags of libapriltag that
 * following has not, and those of them that the whole look has.
 */
type Seen = readonly [
  library_us: number,
  following_us: number,
  whole_us: number,
  library: number,
  following: number,
  whole: number,
  lost: number,
  lostByFollowing: number,
]

export const tracked: Measurement = async (lab) => {
  const images = photographs()?.filter(({ families }) => families.includes(FAMILY))
  if (!images) {
    lab.say('the real pictures are not here; left out')
    return []
  }
  const rounds: (readonly (readonly Seen[])[])[] = []
  while (rounds.length < ROUNDS) rounds.push(await filmed(lab, images, 1 + rounds.length))
  for (const [n, { file }] of images.entries()) {
    const all = rounds.flatMap((scenes) => scenes[n] as readonly Seen[])
    lab.say(
      oneLine`
        ${file}: ${(sum(all, 1) / sum(all, 0)).toFixed(3)} of libapriltag's time, tags ${sum(all, 4)}, libapriltag
        ${sum(all, 3)}, whole looks ${sum(all, 5)}
      `,
    )
  }
  const flat = rounds.map((scenes) => scenes.flat())
  const row = rowsOver(
    flat,
    `${ROUNDS} rounds, each of ${images.length} scenes of ${PICTURES} pictures of 1280x800, other ways in each`,
  )
  const worst = flat.map((seen) => quantile(seen.map(ratio), 0.99))
  return [
    agreed(
      row(
        'following tags against libapriltag at decimate 1: CPU of all together',
        '',
        (seen) => sum(seen, 1) / sum(seen, 0),
        { atMost: 0.1 },
      ),
    ),
    {
      what: '  the same, picture by picture: 99 of 100 take at most',
      unit: '',
      figure: { atMost: 0.35 },
      ...spread(worst),
      from: `${ROUNDS} rounds, ${flat.reduce((total, { length }) => total + length, 0)} pictures`,
    },
    row('  against looking at all of each picture', '', (seen) => sum(seen, 1) / sum(seen, 2)),
    row('  tags that it finds, of those that libapriltag finds', '', (seen) => sum(seen, 4) / sum(seen, 3), {
      atLeast: 1,
    }),
    row('  tags that looking at all finds, of those that libapriltag finds', '', (seen) => sum(seen, 5) / sum(seen, 3)),
    row('  of 1,000 tags of libapriltag: not found', '', (seen) => (1000 * sum(seen, 6)) / sum(seen, 3)),
    row('    of them found by looking at all', '', (seen) => (1000 * sum(seen, 7)) / sum(seen, 3)),
  ]
}

const sum = (seen: readonly Seen[], place: number): number =>
  seen.reduce((total, each) => total + (each[place] as number), 0)

const ratio = ([library_us, following_us]: Seen): number => following_us / library_us

/** What was seen of each scene. The same for equal seeds. */
const filmed = async (lab: Lab, images: readonly Photograph[], seed: number): Promise<readonly (readonly Seen[])[]> => {
  const words = [PICTURES, seed, FAMILY, 1].map(String) // as many bits as nodes correct that say nothing of it
  const program = start(lab, await searchProgram('tracked'), [
    ...words,
    ...images.map(({ file }) => PHOTOGRAPHS + file),
  ])
  const scenes: (readonly Seen[])[] = []
  while (scenes.length < images.length) scenes.push(JSON.parse(await program.line()) as readonly Seen[])
  await program.ended
  lab.say(`round of seed ${seed} done`)
  return scenes
}
