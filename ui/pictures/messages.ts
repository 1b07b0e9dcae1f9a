// What the page and its worker of pictures tell each other.

import type { Outputs } from '../api/outputs.ts'
import type { OverlayOptions } from '../drawing/overlay.ts'
import type { Fit } from '../drawing/placing.ts'

/** About the frame on the screen. */
export interface FrameFacts {
  /** Its number; undefined where its device does not tell it. */
  readonly seq: number | undefined
  /** On the clock of the samples; undefined where its device does not tell it. */
  readonly capturedUs: number | undefined
  /** When it was taken, Unix time of its device. */
  readonly takenAtMs: number
  /** Of the picture that places in the outputs are of. */
  readonly widthPx: number
  readonly heightPx: number
  /** What was found in it, by the names of the outputs. */
  readonly outputs: Outputs
  /** Whether it is no picture but says in words why none comes. */
  readonly isPlaceholder: boolean
  /** Whether it is one that is held: nothing comes until it is let go. */
  readonly isHeld: boolean
  /** Pictures drawn a second, of late. */
  readonly drawnFps: number
  /** How many came, and how many of them were drawn, since the picture was opened. */
  readonly received: number
  readonly drawn: number
}

/** A frame that is kept, so that it can be shown again. */
export interface KeptFrame {
  /** Its number; undefined where its device does not tell it. */
  readonly seq: number | undefined
  /** When it was taken, Unix time of its device. */
  readonly takenAtMs: number
}

/** A picture that stands still. */
export interface Hold {
  /** Of the frames that are kept, the place of the one that is shown; default the newest. */
  readonly at?: number | undefined
}

/** How a picture is to look. */
export interface Look {
  readonly overlay: OverlayOptions
  readonly fit: Fit
  /** Of the canvas, in pixels of the screen. */
  readonly widthPx: number
  readonly heightPx: number
  /** Pixels of the screen for one of the page. */
  readonly ratio: number
}

/** Where pictures come from. */
export interface PictureSource {
  /** The path and query of the socket. */
  readonly path: string
  /** Where the service says why it refuses them. */
  readonly whyPath: string
  /** After how long without a picture the last one is old. */
  readonly oldAfterMs: number
  /** How often the page is told of the frame on the screen, at most. */
  readonly factsEveryMs: number
  /** So many of the newest frames are kept. */
  readonly keep: number
}

/** To the worker. */
export type Order =
  | { readonly kind: 'open'; readonly id: number; readonly canvas: OffscreenCanvas; readonly look: Look }
  | { readonly kind: 'source'; readonly id: number; readonly source: PictureSource }
  | { readonly kind: 'look'; readonly id: number; readonly look: Look }
  /** Whether anybody sees it. */
  | { readonly kind: 'watch'; readonly id: number; readonly isSeen: boolean }
  /** Whether it stands still; null: it goes on. */
  | { readonly kind: 'hold'; readonly id: number; readonly hold: Hold | null }
  /** The connection is taken for ended, though nobody has closed it. */
  | { readonly kind: 'redial'; readonly id: number }
  | { readonly kind: 'close'; readonly id: number }

/** How a picture is. */
export interface PictureState {
  /**
   * waiting: for the first one. live: as it should be. late: they come, but long after they were taken. old: no more
   * come. placeholder: it says why none comes. held: it stands still because somebody wants it to.
   */
  readonly is: 'waiting' | 'live' | 'late' | 'old' | 'placeholder' | 'held'
  /** Since when it waits or is old, Unix time of this browser. */
  readonly sinceMs: number
  /** Why none come, where that is known. */
  readonly why: string | undefined
  /** Of one that comes late: by how much. */
  readonly lateMs?: number
}

/** From the worker. */
export type Report =
  | { readonly kind: 'frame'; readonly id: number; readonly facts: FrameFacts }
  | { readonly kind: 'state'; readonly id: number; readonly state: PictureState }
  /** The frames that are kept, the newest last: told when it is held. */
  | { readonly kind: 'kept'; readonly id: number; readonly frames: readonly KeptFrame[] }
