// What is found in frames, live: of each stream the newest, kept apart from React's state, as it comes many times a
// second. Listened to only while somebody looks and the page is seen.

import { useEffect, useReducer } from 'react'
import { type Line, openLine } from '../api/line.ts'
import type { FrameResults } from '../api/outputs.ts'
import { poseIn } from '../drawing/field-robot.ts'
import { atBeat } from './beat.ts'
import { gathered } from './gathered.ts'
import { preference } from './preferences.ts'
import { extendTrail, type Trail } from './trail.ts'

/** The newest of a stream. */
export interface Slot {
  readonly results: FrameResults
  /** When it came, on the clock of this page (`performance.now`). */
  readonly heardMs: number
}

/** After so long without another frame what is shown is old. */
export const OLD_AFTER_MS = 1500

const SMALL_PER_S = 4 // where the network is slow

interface Watcher {
  readonly streams: readonly string[]
  /** The outputs that it makes something of; undefined: any. */
  readonly outputs: readonly string[] | undefined
  /** So many frames of each are wanted. */
  readonly perS: number
  readonly onNew: () => void
}

const slots = new Map<string, Slot>()
const trails = new Map<string, Trail>()
const watchers = new Set<Watcher>()

/** The newest results of a stream; undefined: none yet. */
export const latestOf = (streamId: string): Slot | undefined => slots.get(streamId)

/** Where the robot was, by a stream, since somebody looks: x and y in metres, the newest last. */
export const trailOf = (streamId: string): readonly (readonly [number, number])[] => trails.get(streamId) ?? []

/** Takes in what was found in a frame, whoever heard of it: also for those who show its picture. */
export const putResults = (streamId: string, results: FrameResults): void => {
  slots.set(streamId, { results, heardMs: performance.now() })
  noteRobot(streamId, results)
  for (const { streams, onNew } of watchers) if (streams.includes(streamId)) onNew()
}

const noteRobot = (streamId: string, { outputs }: FrameResults): void => {
  const robot = poseIn(outputs)?.field_robot
  if (!robot) return
  const trail = trails.get(streamId) ?? []
  extendTrail(trail, robot)
  trails.set(streamId, trail)
}

interface Message extends FrameResults {
  readonly stream_id: string
  readonly ended?: true
}

const hear = (data: string | ArrayBuffer): void => {
  const message = JSON.parse(data as string) as Message
  if (message.ended) forget(message.stream_id)
  else putResults(message.stream_id, message)
}

const forget = (streamId: string): void => {
  slots.delete(streamId)
  trails.delete(streamId)
}

const MAX_NAMED = 48 // so many outputs can be asked for by their names

/** What somebody makes something of, of whatever stream; undefined: ask for all. */
const outputsWanted = (): readonly string[] | undefined => {
  const all: string[] = []
  for (const { outputs } of watchers) {
    if (!outputs) return undefined
    all.push(...outputs)
  }
  const names = [...new Set(all)].toSorted()
  return names.length > 0 && names.length <= MAX_NAMED ? names : undefined
}

const pathOf = (ids: readonly string[], perS: number): string => {
  const named = outputsWanted()?.join()
  const outputs = named === undefined ? '' : `&outputs=${encodeURIComponent(named)}`
  return `/v1/results?streams=${ids.map(encodeURIComponent).join(',')}&rate=${perS}${outputs}`
}

let line: Line | undefined
let linePath: string | undefined

/** Opens the socket for what is wanted, or closes it where nobody wants anything. */
const arrange = (): void => {
  const wanted = [...new Set([...watchers].flatMap(({ streams }) => streams))].toSorted()
  for (const id of slots.keys()) if (!wanted.includes(id)) forget(id)
  const heard = document.hidden ? [] : wanted
  const wantedPerS = Math.max(...[...watchers].map((watcher) => watcher.perS))
  const perS = preference('isBandwidthSmall') ? Math.min(wantedPerS, SMALL_PER_S) : wantedPerS
  const path = heard.length > 0 ? pathOf(heard, perS) : undefined
  if (path === linePath) return
  line?.close()
  linePath = path
  line = path === undefined ? undefined : openLine(path, hear)
}

const arrangeSoon = gathered(arrange)

document.addEventListener('visibilitychange', arrangeSoon)

/** Has the results of streams come from now on, so many a second. onNew: called for each. Returns what ends that. */
const watchResults = (watcher: Watcher): (() => void) => {
  watchers.add(watcher)
  arrangeSoon()
  return () => {
    watchers.delete(watcher)
    arrangeSoon()
  }
}

/** Hears what is found in the frames of a stream, ten times a second at most. Returns what ends that. */
export const listenToResults = (streamId: string, hear: (results: FrameResults) => void): (() => void) =>
  watchResults({
    streams: [streamId],
    outputs: undefined,
    perS: PER_S.drawing,
    onNew: () => {
      const slot = slots.get(streamId)
      if (slot) hear(slot.results)
    },
  })

/**
 * drawing: with the next picture of the screen. figures: four times a second, as nobody reads faster. glance: twice a
 * second, beside much else.
 */
export type Pace = 'drawing' | 'figures' | 'glance'

// A fast robot drives a metre between two of four a second: with fewer its trail would have gaps. Figures stand beside
// a drawing, whose socket they share.
const PER_S = { drawing: 10, figures: 10, glance: 4 } as const satisfies Record<Pace, number>
const EVERY_MS = { drawing: 0, figures: 250, glance: 500 } as const satisfies Record<Pace, number>

/**
 * Draws the component again when something new has come of one of the streams, and when that has become old. outputs:
 * those that it makes something of; default any.
 */
export const useResults = (streams: readonly string[], pace: Pace, outputs?: readonly string[]): void => {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const key = streams.join()
  const named = outputs?.join()
  useEffect(() => {
    const ids = key === '' ? [] : key.split(',')
    let frame: number | undefined
    let stopWaiting: (() => void) | undefined
    let ageing: ReturnType<typeof setTimeout> | undefined
    let isFirst = true
    const drawNow = () => {
      frame = undefined
      stopWaiting = undefined
      isFirst = false
      clearTimeout(ageing)
      ageing = setTimeout(draw, OLD_AFTER_MS + 50)
      draw()
    }
    const onNew = () => {
      if (pace === 'drawing') frame ??= requestAnimationFrame(drawNow)
      else stopWaiting ??= atBeat(isFirst ? 0 : EVERY_MS[pace], drawNow)
    }
    const stop = watchResults({ streams: ids, outputs: named?.split(','), perS: PER_S[pace], onNew })
    return () => {
      stop()
      if (frame !== undefined) cancelAnimationFrame(frame)
      stopWaiting?.()
      clearTimeout(ageing)
    }
  }, [key, pace, named])
}

/** Whether what is known of a stream is old, or nothing is. */
export const isOldNow = (slot: Slot | undefined): boolean =>
  slot === undefined || performance.now() - slot.heardMs > OLD_AFTER_MS
