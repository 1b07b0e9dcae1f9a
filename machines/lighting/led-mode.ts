// What a robot asks for by the ledMode of its camera.
import type { LightingConfig } from './config.ts'
import type { Picture, Track } from './frame.ts'
import { type BlinkTimes, blinking, type ShownWord, steady, WHITE } from './show.ts'

/** What is shown, and what to call it. */
export interface LedPicture {
  readonly picture: Picture
  readonly shows: ShownWord
  /** For people: what the robot asked for. */
  readonly why: string
}

/**
 * 1 off, 2 blink, 3 on, 4 the left half, 5 the right half, 6 the halves by turns, 7 the left half blinks, 8 the right
 * one; null: the robot leaves it to the device (0), or asks for what there is not. Halves are the groups `left` and
 * `right`; where there are none, all lights do what the halves would.
 */
export const ledPicture = (
  mode: number,
  { groups, blink }: Pick<LightingConfig, 'groups' | 'blink'>,
): LedPicture | null => {
  const hasHalves = ['left', 'right'].every((half) => groups.some(({ name }) => name === half))
  const made = (words: string, shows: ShownWord, picture: Picture): LedPicture => ({
    picture,
    shows,
    why: `A robot program has set ledMode to ${mode}: ${words}.`,
  })
  if (mode === 1) return made('off', 'off', steady(WHITE, 0))
  if (mode === 2) return made('blink', 'blink', blinking(blink))
  if (mode === 3) return made('on', 'on', steady(WHITE, 1))
  if (mode === 4 || mode === 5) {
    const half = mode === 4 ? 'left' : 'right'
    return made(`${half} half on`, 'on', steady(WHITE, 1, hasHalves ? half : null))
  }
  if (mode === 6) return made('halves by turns', 'blink', hasHalves ? byTurns(blink) : blinking(blink))
  if (mode !== 7 && mode !== 8) return null
  const half = mode === 7 ? 'left' : 'right'
  return made(`${half} half blinks`, 'blink', hasHalves ? of(half, blinking(blink)) : blinking(blink))
}

const of = (group: string, picture: Picture): Picture => ({
  ...picture,
  tracks: picture.tracks.map((track) => ({ ...track, group })),
})

/** The left half is on while the right one is off. */
const byTurns = (blink: BlinkTimes): Picture => {
  const left = of('left', blinking(blink))
  const right = left.tracks.map(
    (track): Track => ({
      ...track,
      group: 'right',
      keyframes: track.keyframes.map((keyframe) => ({ ...keyframe, level: 1 - keyframe.level })),
    }),
  )
  return { ...left, tracks: [...left.tracks, ...right] }
}
