// A kind of picture that is watched over the network, as one look after the other finds it.

import { EVERYTHING, type Grant, type Preview } from '../../machines/bandwidth/ladder.ts'
import { type KnownSize, sizesOf, smallerWidths, withSeen } from '../../machines/bandwidth/picture-size.ts'
import type { StreamBandwidth } from '../../machines/bandwidth/report.ts'
import { decaySlowly } from '../../machines/bandwidth/slow-decay.ts'
import type { MeteredKind, PictureGrant } from '../../machines/stream/picture.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'

/** Until a camera has said what it gives. */
const DEFAULT = { width_px: 1280, height_px: 720, fps: 30 }

/**
 * With each look, once a second: a camera in the dark gives half as many for minutes, a machine that is busy for a
 * moment.
 */
const FPS_FALL = 0.05

/** A picture may be on its way while the next ones are made otherwise. */
const UNDER_WAY_US = 100_000

type Viewer = MeteredKind['viewers'][number]

/** What one look found. asked: the size without any limit. sentBytes: since the look before. */
export class FollowedKind {
  readonly stream: StreamRuntime
  readonly kind: MeteredKind
  readonly preview: Preview
  readonly sentBytes: number
  readonly #asked: { readonly width_px: number; readonly height_px: number }
  readonly #size: KnownSize
  readonly #sent: ReadonlyMap<Viewer, number>
  #grant = EVERYTHING
  #grantedUs: number

  /** before: what the last look found of it. */
  constructor(stream: StreamRuntime, kind: MeteredKind, nowUs: number, before: FollowedKind | undefined) {
    const { width_px, height_px, fps } = stream.engine.opened.value ?? DEFAULT
    const scale = kind.max_width_px > 0 ? Math.min(1, kind.max_width_px / width_px) : 1
    const sent = kind.viewers.map((viewer) => ({ viewer, ...viewer.sent() }))
    const newest_bytes = Math.max(0, ...sent.map(({ picture_bytes }) => picture_bytes ?? 0)) || kind.newest?.jpeg.length
    const sentBefore = before ? before.#sent : undefined
    this.stream = stream
    this.kind = kind
    this.#asked = { width_px: Math.round(scale * width_px), height_px: Math.round(scale * height_px) }
    this.#size = before?.sizeWith(newest_bytes, nowUs) ?? {}
    this.#sent = new Map(sent.map(({ viewer, bytes }) => [viewer, bytes]))
    this.#grantedUs = nowUs
    this.sentBytes = sent.reduce(
      (sum, { viewer, bytes }) => sum + Math.max(0, bytes - (sentBefore?.get(viewer) ?? bytes)),
      0,
    )
    this.preview = {
      id: idOf(stream, kind),
      priority: stream.manifest.priority,
      source_fps: decaySlowly(before?.preview.source_fps ?? fps, shownFps(stream, nowUs) || fps, FPS_FALL),
      viewers: kind.viewers.map((viewer) => viewer.fps || Number.POSITIVE_INFINITY),
      sizes_bytes: sizesOf(this.#size, this.#asked),
    }
    if (before) [this.#grant, this.#grantedUs] = [before.#grant, before.#grantedUs]
  }

  /** What is known of its size with the newest picture, when that is one of the present grant. */
  sizeWith(bytes: number | undefined, nowUs: number): KnownSize {
    const slow_us = 2e6 / Math.min(this.#grant.fps, this.preview.source_fps)
    if (!bytes || nowUs - this.#grantedUs < slow_us + UNDER_WAY_US) return this.#size
    return withSeen(this.#size, { width_px: this.#smallerPx(this.#grant), bytes }, this.#asked.width_px)
  }

  /** From now on its viewers get that. */
  grant(grant: Grant, nowUs: number): PictureGrant {
    if (grant.fps !== this.#grant.fps || grant.size !== this.#grant.size)
      [this.#grant, this.#grantedUs] = [grant, nowUs]
    return { fps: grant.fps, max_width_px: this.#smallerPx(grant) ?? 0 }
  }

  /** For people. */
  get figures(): StreamBandwidth['previews'][number] {
    const { output, max_width_px, quality, overlay, viewers } = this.kind
    const fps = Math.min(this.preview.source_fps, Math.max(...this.preview.viewers))
    return {
      output,
      max_width_px,
      quality,
      overlay,
      viewers: viewers.length,
      fps,
      granted_fps: Math.min(fps, this.#grant.fps),
      width_px: this.#asked.width_px,
      granted_width_px: this.#smallerPx(this.#grant) ?? this.#asked.width_px,
    }
  }

  /** null: as it was asked for. */
  #smallerPx({ size }: Grant): number | null {
    return size === 0 ? null : (smallerWidths(this.#asked.width_px)[size - 1] ?? null)
  }
}

/** Of its pictures. Of those that a robot wants left out there is no result, and they are shown all the same. */
const shownFps = ({ robot, meter, engine }: StreamRuntime, nowUs: number): number =>
  (robot.live.value?.skip ?? 0) > 0 ? (engine.opened.value?.fps ?? 0) : meter.fps(nowUs)

/** By which looks know it again. */
export const idOf = (stream: StreamRuntime, kind: MeteredKind): string => `${stream.id} ${kind.key}`
