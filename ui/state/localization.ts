// The pose that all cameras of this device give together: its newest round, heard only while somebody looks and the
// page is seen.

import { useEffect, useReducer } from 'react'
import { type Line, openLine } from '../api/line.ts'
import { atBeat } from './beat.ts'
import { gathered } from './gathered.ts'
import type { Solve } from './localization-wire.ts'
import { preference } from './preferences.ts'
import { RecentRounds } from './recent-rounds.ts'
import { extendTrail, type Trail } from './trail.ts'

/** The newest round, with what cameras said just before it. */
export interface SolveSlot {
  readonly solve: Solve
  /** When it came, on the clock of this page (`performance.now`). */
  readonly heardMs: number
}

const OLD_AFTER_MS = 1500
const PER_S = 10
const SMALL_PER_S = 4 // where the network is slow
const FIGURES_EVERY_MS = 250 // nobody reads faster

let newest: SolveSlot | undefined
const trail: Trail = []
const recent = new RecentRounds()

interface Watcher {
  readonly onNew: (slot: SolveSlot) => void
}

const watchers = new Set<Watcher>()
let line: Line | undefined

/** The newest round; undefined: not known yet. */
export const newestSolve = (): SolveSlot | undefined => newest

/** Where the robot was since somebody looks. */
export const jointTrail = (): Trail => trail

/** Whether what is known is old, or nothing is. Without a pose nothing gets old. */
export const isSolveOld = (slot: SolveSlot | undefined): boolean =>
  slot === undefined ||
  (slot.solve.pose !== null && performance.now() - slot.heardMs + (slot.solve.age_ms ?? 0) > OLD_AFTER_MS)

const hear = (solve: Solve): void => {
  const heardMs = performance.now()
  newest = { solve: recent.add(solve, heardMs), heardMs }
  if (solve.pose) extendTrail(trail, solve.pose)
  for (const { onNew } of watchers) onNew(newest)
}

interface Message {
  readonly localization: Solve
}

/** It says at once how it is, and then only what is new. */
const path = (): string => `/v1/results?localization=true&rate=${preference('isBandwidthSmall') ? SMALL_PER_S : PER_S}`

const arrange = (): void => {
  const isWanted = watchers.size > 0 && !document.hidden
  if (isWanted) line ??= openLine(path(), (data) => hear((JSON.parse(data as string) as Message).localization))
  else {
    line?.close()
    line = undefined
    trail.length = 0
    recent.clear()
    if (watchers.size === 0) newest = undefined
  }
}

const arrangeSoon = gathered(arrange)

document.addEventListener('visibilitychange', arrangeSoon)

/** Hears of each round from now on; returns what ends that. */
export const watchSolve = (onNew: Watcher['onNew']): (() => void) => {
  const watcher = { onNew }
  watchers.add(watcher)
  arrangeSoon()
  return () => {
    watchers.delete(watcher)
    arrangeSoon()
  }
}

/**
 * The newest round; the component is drawn again when there is another one. drawing: with the next picture of the
 * screen. figures: four times a second. isWanted: whether it is heard at all.
 */
export const useSolve = (pace: 'drawing' | 'figures', isWanted = true): SolveSlot | undefined => {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (!isWanted) return undefined
    let frame: number | undefined
    let stopWaiting: (() => void) | undefined
    let ageing: ReturnType<typeof setTimeout> | undefined
    const drawNow = () => {
      frame = undefined
      stopWaiting = undefined
      clearTimeout(ageing)
      if (newest?.solve.pose) ageing = setTimeout(draw, OLD_AFTER_MS + 50)
      draw()
    }
    const stop = watchSolve(() => {
      if (pace === 'drawing') frame ??= requestAnimationFrame(drawNow)
      else stopWaiting ??= atBeat(FIGURES_EVERY_MS, drawNow)
    })
    return () => {
      stop()
      if (frame !== undefined) cancelAnimationFrame(frame)
      stopWaiting?.()
      clearTimeout(ageing)
    }
  }, [pace, isWanted])
  return newest
}
