// Crowds of viewers of several sizes, before a watched camera of ours and before something that shows the same, turn
// about. While one is watched the other is there and is not: readers, kernel and caches have the same to do in both
// periods, and what a viewer costs is the difference between the two. No round is left out.
//
// Of the reference all threads count, but for one that only keeps it company (send.cc). Of ours those that are given
// pictures (watched-camera.ts); could what is used for viewers hide in the others? What these use more while there are
// viewers is a row of its own, with its bounds. There is no figure where the largest crowd, for which they are the
// narrowest, shows that something hides there, or where they are so wide that much could.
import { oneLine } from '../../../machines/schema/one-line.ts'
import type { Lab } from '../lab/lab.ts'
import { median, quantile, type Row } from '../lab/row.ts'
import { type Moment, momentsWhile, usedByThose } from '../lab/usage.ts'
import { SECONDS, seenBy } from './audience.ts'
import type { Usage, Watched, WatchedCamera } from './watched-camera.ts'

export const CROWDS = [1, 4, 32]

/** What ours is measured against. */
export interface Reference {
  /** Of its pictures. */
  readonly path: string
  /** A process that serves so many, until it is closed. */
  readonly open: (count: number) => Promise<{
    readonly pid: number
    readonly port: string
    readonly close: () => Promise<void>
  }>
}

/**
 * One crowd in one round. µs of CPU in a second; idle: while the crowd watches the other. pictures: in a second, to
 * all.
 */
export interface Turn {
  readonly ours: Watched
  readonly idle: Usage
  readonly theirs: { readonly us: number; readonly pictures: number; readonly idleUs: number }
}

/**
 * Of what the reference's viewers cost: what the threads that are not counted may be shown to use more, and what they
 * could without it being seen.
 */
const [MAX_SHOWN, MAX_POSSIBLE] = [0.05, 0.25]
const COMPANY = 'beside' // the name of a thread (send.cc)

/** All rounds, by the size of the crowd. Fails where what is counted may not be all. */
export const inTurns = async (
  lab: Lab,
  camera: WatchedCamera,
  reference: Reference,
  rounds: number,
): Promise<ReadonlyMap<number, readonly Turn[]>> => {
  const turns = new Map<number, Turn[]>(CROWDS.map((count) => [count, []]))
  const before = {
    ours: async (count: number): Promise<Watched> => {
      const { pid, close } = await reference.open(0)
      const watched = await camera.watchedBy(count, (wait) => usedBy(pid, wait))
      await close()
      return watched
    },
    theirs: async (count: number) => {
      const { pid, port, close } = await reference.open(count)
      const { measured, parts } = await seenBy(lab, { port, path: reference.path, count }, (wait) =>
        Promise.all([camera.usage(wait), usedBy(pid, wait)]),
      )
      await close()
      return { idle: measured[0], us: measured[1], pictures: parts / SECONDS }
    },
  }
  const most = Math.max(...CROWDS)
  await before.ours(most) // warm
  await before.theirs(most)
  for (let round = 0; round < rounds; round++)
    for (const [count, found] of turns) {
      const first = round % 2 === 0 ? await before.ours(count) : undefined
      const { idle, ...theirs } = await before.theirs(count)
      const ours = first ?? (await before.ours(count))
      const turn = { ours, idle, theirs: { ...theirs, idleUs: ours.besideUs } }
      const us = [oursUs(turn), theirsUs(turn)].map((each) => each.toFixed(1))
      lab.say(`${count} viewers: ${us[0]} against ${us[1]} µs per picture and viewer`)
      found.push(turn)
    }
  refuseWhatMayHide(turns.get(most) ?? [])
  return turns
}

/** What a reference uses in a second while one waits, µs. */
const usedBy = async (pid: number, wait: () => Promise<unknown>): Promise<number> => {
  const moments = await momentsWhile(pid, wait)
  const [first, last] = [moments[0], moments.at(-1)] as [Moment, Moment]
  const us = usedByThose(first.usage, last.usage, (_, name) => name !== COMPANY)
  return (us * 1000) / (last.atMs - first.atMs)
}

/** Fails where threads that are not counted use more with viewers, or might. turns: of the largest crowd. */
export const refuseWhatMayHide = (turns: readonly Turn[]): void => {
  const { low, high } = othersUs(turns)
  const theirs = median(turns.map(theirsUs))
  if (low <= MAX_SHOWN * theirs && high <= MAX_POSSIBLE * theirs) return
  const found = oneLine`
    the threads that are not counted use ${low.toFixed(2)} to ${high.toFixed(2)} µs more per picture and viewer
  `
  throw new Error(`${found}, of ${theirs.toFixed(2)} that the reference uses; there is no figure`)
}

// of a median, of the distance of the quartiles by the root of the count (McGill, Tukey and Larsen 1978)
const STANDARD_ERROR = 0.926

/**
 * What all threads that are not counted use more with viewers than without, for each picture and viewer, µs: of the
 * medians over seconds. low, high: two standard errors to either side.
 */
export const othersUs = (turns: readonly Turn[]): Pick<Row, 'measured' | 'low' | 'high'> => {
  const [watched, idle] = [turns.flatMap(({ ours }) => ours.others), turns.flatMap(({ idle }) => idle.others)]
  const error = Math.hypot(...[watched, idle].map(standardError))
  const pictures = median(turns.map(({ ours }) => ours.pictures))
  const more = median(watched) - median(idle)
  return { measured: more / pictures, low: (more - 2 * error) / pictures, high: (more + 2 * error) / pictures }
}

const standardError = (values: readonly number[]): number =>
  (STANDARD_ERROR * (quantile(values, 0.75) - quantile(values, 0.25))) / Math.sqrt(values.length)

/** What stands beside the figure, of a crowd. */
export const rowsOfOthers = (turns: readonly Turn[]): readonly Row[] => [
  {
    what: '  all threads of ours that are not counted, more than without viewers, by the medians of seconds',
    unit: 'µs',
    from: oneLine`
      ${turns.flatMap(({ ours }) => ours.others).length} seconds with viewers and as many without; two standard errors
    `,
    ...othersUs(turns),
  },
]

/** How many rounds there were, in words. */
export const roundsIn = (turns: readonly Turn[]): string => `${turns.length} rounds of ${SECONDS} s`

/** For each picture and viewer, µs. */
export const oursUs = ({ ours, idle }: Turn): number => (ours.counted - idle.counted) / ours.pictures
export const theirsUs = ({ theirs: { us, idleUs, pictures } }: Turn): number => (us - idleUs) / pictures

/**
 * Of ours the threads that write alone: where nothing is looked for in the pictures no other does anything with them,
 * but for one a second.
 */
export const writingUs = ({ ours, idle }: Turn): number => (ours.writing - idle.writing) / ours.pictures

/** Ours of theirs. ours: what is counted of it. */
export const ratio =
  (ours: (turn: Turn) => number) =>
  (turn: Turn): number =>
    ours(turn) / theirsUs(turn)

/** The same with what all threads of both use anyway. */
export const wholeRatio = ({ ours, theirs }: Turn): number => ours.all / ours.pictures / (theirs.us / theirs.pictures)

/** What the control process reads and writes more than without viewers, for each picture and viewer. */
export const controlBytes = ({ ours, idle }: Turn): number => (ours.controlBytes - idle.controlBytes) / ours.pictures
