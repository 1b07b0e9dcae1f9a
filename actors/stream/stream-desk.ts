// What outlives every incarnation of a stream's actor: its slots, figures and status. Viewers and adapters hold on to this, never to an engine.

import type { Result } from '../../machines/engine/result.ts'
import { Latest } from '../../machines/latest.ts'
import type { OnBug } from '../../machines/listeners.ts'
import { StreamMeter } from '../../machines/stream/meter.ts'
import { PictureBoard } from '../../machines/stream/picture.ts'
import type { StreamStatus, StreamWarning } from '../../machines/stream/status.ts'
import type { EngineOpened } from '../../native/engine/port.ts'

/** The part of a status that the desk cannot know by itself. */
export type StreamCondition = Pick<
  StreamStatus,
  'state' | 'since_ms' | 'applied_revision' | 'fault' | 'restarts' | 'extcam_table'
>

/** One stream's public face. Lives as long as the stream is wanted. */
export class StreamDesk {
  readonly id: string
  readonly results: Latest<Result>
  readonly pictures: PictureBoard
  readonly meter = new StreamMeter()
  /** The answer to the newest opening. */
  readonly opened: Latest<EngineOpened>
  /** Since the newest opening. */
  readonly warnings: Latest<readonly StreamWarning[]>
  readonly condition: Latest<StreamCondition>
  /** The engine's process id; undefined while there is none. */
  enginePid: number | undefined

  /** onBug: told of what a viewer, an adapter or another listener threw. */
  constructor(id: string, nowMs: number, onBug?: OnBug) {
    this.id = id
    this.results = new Latest(onBug)
    this.pictures = new PictureBoard(onBug)
    this.opened = new Latest(onBug)
    this.warnings = new Latest(onBug)
    this.condition = new Latest(onBug)
    this.condition.set({
      state: 'starting',
      since_ms: nowMs,
      applied_revision: null,
      fault: null,
      restarts: 0,
      extcam_table: null,
    })
    this.results.subscribe((result) => this.meter.record(result))
  }

  /** nowUs: CLOCK_MONOTONIC. */
  status(nowUs: number): StreamStatus {
    const condition = this.condition.value as StreamCondition
    const opened = this.opened.value
    const fps = this.meter.fps(nowUs)
    return {
      ...condition,
      warnings: [...(this.warnings.value ?? [])],
      width_px: opened?.width_px ?? null,
      height_px: opened?.height_px ?? null,
      pixel_format: opened?.pixel_format ?? null,
      fps: condition.state === 'live' ? Math.round(fps * 10) / 10 : null,
      viewers: this.pictures.viewers,
    }
  }
}
