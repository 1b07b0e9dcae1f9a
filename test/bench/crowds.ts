// Crowds of viewers of several sizes, before a watched camera of ours and before something that shows the same, turn about. Of both counts all that all their threads
// use while there are viewers, above what they use before and after, when there are none. Where before and after differ by much of that, it says nothing, and is done again.
import { setTimeout as delay } from 'node:timers/promises'
import { SECONDS } from './audience.ts'
import type { Lab } from './lab.ts'
import type { Usage, Watched, WatchedCamera } from './watched-camera.ts'

export const CROWDS = [1, 4, 32]

/** What ours is measured against. unwatched: what it uses in a second while one waits, µs. watchedBy: the same while so many watch; pictures: in a second, to all. */
export interface Reference {
  readonly unwatched: (wait: () => Promise<unknown>) => Promise<number>
  readonly watchedBy: (count: number) => Promise<{ readonly us: number; readonly pictures: number }>
}

/** One crowd in one round. µs of CPU in a second; idle: without viewers. disturbed: how many before it, of that crowd, were done again. */
export interface Turn {
  readonly ours: Watched
  readonly idle: Usage
  readonly theirs: { readonly us: number; readonly pictures: number; readonly idleUs: number }
  readonly disturbed: number
}

/** Of what the reference's viewers cost. */
const MOST_DRIFT = 0.25
const MOST_DISTURBED = 4 // in a row

/** All rounds, by the size of the crowd. */
export const inTurns = async (
  lab: Lab,
  camera: WatchedCamera,
  reference: Reference,
  rounds: number,
): Promise<ReadonlyMap<number, readonly Turn[]>> => {
  const turns = new Map<number, Turn[]>(CROWDS.map((count) => [count, []]))
  const most = Math.max(...CROWDS)
  await camera.watchedBy(most) // warm
  await reference.watchedBy(most)
  let before = await unwatched(camera, reference)

  const undisturbed = async (count: number, disturbed = 0): Promise<Turn> => {
    const [ours, theirs] = [await camera.watchedBy(count), await reference.watchedBy(count)]
    const after = await unwatched(camera, reference)
    const turn = turnOf({ ours, theirs, before, after, disturbed })
    const driftUs = Math.max(Math.abs(after.all - before.all), Math.abs(after.theirsUs - before.theirsUs))
    before = after
    const isQuiet = driftUs <= MOST_DRIFT * (theirs.us - turn.theirs.idleUs)
    const us = [oursUs(turn), theirsUs(turn)].map((each) => each.toFixed(1))
    lab.say(`${count} viewers: ${us[0]} against ${us[1]} µs per picture and viewer${isQuiet ? '' : '; disturbed'}`)
    if (isQuiet) return turn
    if (disturbed === MOST_DISTURBED)
      throw new Error(`${count} viewers: what is used without them moves too much; please measure on a quiet machine`)
    return undisturbed(count, disturbed + 1)
  }

  for (let round = 0; round < rounds; round++) for (const [count, found] of turns) found.push(await undisturbed(count))
  return turns
}

type Unwatched = Awaited<ReturnType<typeof unwatched>>

const turnOf = (seen: {
  readonly ours: Watched
  readonly theirs: Omit<Turn['theirs'], 'idleUs'>
  readonly before: Unwatched
  readonly after: Unwatched
  readonly disturbed: number
}): Turn => {
  const { ours, theirs, before, after, disturbed } = seen
  return {
    ours,
    idle: { all: (before.all + after.all) / 2, control: (before.control + after.control) / 2 },
    theirs: { ...theirs, idleUs: (before.theirsUs + after.theirsUs) / 2 },
    disturbed,
  }
}

/** How many rounds there were, in words. */
export const roundsIn = (turns: readonly Turn[]): string => {
  const disturbed = turns.reduce((sum, turn) => sum + turn.disturbed, 0)
  return `${turns.length} rounds of ${SECONDS} s${disturbed > 0 ? `, ${disturbed} disturbed ones left out` : ''}`
}

/** Both at once. */
const unwatched = async (camera: WatchedCamera, reference: Reference) => {
  const waiting = delay(SECONDS * 1000)
  const [ours, theirsUs] = await Promise.all([camera.usage(() => waiting), reference.unwatched(() => waiting)])
  return { ...ours, theirsUs }
}

/** For each picture and viewer, µs. */
export const oursUs = ({ ours, idle }: Turn): number => (ours.all - idle.all) / ours.pictures
export const theirsUs = ({ theirs: { us, idleUs, pictures } }: Turn): number => (us - idleUs) / pictures

/** Ours of theirs. */
export const ratio = (turn: Turn): number => oursUs(turn) / theirsUs(turn)

/** The same with what both use anyway. */
export const wholeRatio = ({ ours, theirs }: Turn): number => ours.all / ours.pictures / (theirs.us / theirs.pictures)
