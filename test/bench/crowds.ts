// Crowds of viewers of several sizes, before a watched camera of ours and before something that shows the same, turn about. Of both counts all that all their threads
// use while there are viewers, above what they use before and after, when there are none.
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

/** One crowd in one round. µs of CPU in a second; idle: without viewers. */
export interface Turn {
  readonly ours: Watched
  readonly idle: Usage
  readonly theirs: { readonly us: number; readonly pictures: number; readonly idleUs: number }
}

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
  for (let round = 0; round < rounds; round++) {
    for (const [count, found] of turns) {
      const [ours, theirs] = [await camera.watchedBy(count), await reference.watchedBy(count)]
      const after = await unwatched(camera, reference)
      const turn: Turn = {
        ours,
        idle: { all: (before.all + after.all) / 2, control: (before.control + after.control) / 2 },
        theirs: { ...theirs, idleUs: (before.theirsUs + after.theirsUs) / 2 },
      }
      before = after
      found.push(turn)
      const us = [oursUs(turn), theirsUs(turn)].map((each) => each.toFixed(1))
      lab.say(`${count} viewers: ${us[0]} against ${us[1]} µs per picture and viewer`)
    }
  }
  return turns
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
