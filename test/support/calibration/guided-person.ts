// A person who follows a guided capture of the real service, in front of its synthetic camera.
import assert from 'node:assert/strict'
import type { CaptureStatus } from '../../../machines/calibration/capture/capture.ts'
import type { Place } from '../../../machines/calibration/capture/look.ts'
import { type PoseDocument, poseToDocument } from '../../../machines/localization/pose.ts'
import { until } from '../until.ts'
import { holdBoard, type Service } from './board-camera.ts'
import { HELD_BOARD, type HeldPose, SimulatedHand } from './simulated-hand.ts'
import { TRUE_LENS } from './simulated-set.ts'

/** What the hand sees of the camera. */
const CAMERA = { width_px: 1280, height_px: 800, lens: TRUE_LENS } as const

/** A picture is looked at five times a second: whoever holds a board for nothing longer than this tries again. */
const PATIENCE_MS = 3_000

/** A guided capture under way. */
export class GuidedPerson {
  readonly #daemon: Service
  readonly #stream: string
  readonly #hand: SimulatedHand
  /** How often the board was held somewhere. */
  tries = 0
  id = ''

  constructor(daemon: Service, stream: string, seed: number) {
    this.#daemon = daemon
    this.#stream = stream
    this.#hand = new SimulatedHand(CAMERA, seed)
  }

  /** Begins, with the board in the middle of the picture; the board is seen. */
  async begin(): Promise<CaptureStatus> {
    const { status, body } = await this.#daemon.send<{ id: string }>('POST', '/v1/calibration/captures', {
      stream_id: this.#stream,
      square_width_mm: HELD_BOARD.square_mm,
    })
    assert.equal(status, 201, JSON.stringify(body))
    this.id = body.id
    return this.see('the board', ({ proposal }) => proposal !== null)
  }

  /** How far it is. */
  async look(): Promise<CaptureStatus> {
    return (await this.#daemon.get<{ status: CaptureStatus }>(`/v1/calibration/captures/${this.id}`)).status
  }

  /** How far it is, as soon as that is as it should be. */
  see(what: string, isGood: (status: CaptureStatus) => boolean): Promise<CaptureStatus> {
    return until(what, () => this.look(), isGood)
  }

  /** Holds the board to the outline, as soon as one is shown. */
  async hold(): Promise<void> {
    this.tries++
    const { proposal } = await this.see('an outline', (status) => status.proposal !== null)
    const outline = proposal?.outline as unknown as readonly Place[]
    await holdBoard(this.#daemon, this.#stream, { pose: poseOf(this.#hand.place(outline)) })
  }

  /** Holds the board to the outline until a picture is taken, or it is no use. */
  async follow({ pictures_count }: CaptureStatus): Promise<CaptureStatus> {
    await this.hold()
    const sinceMs = performance.now()
    return this.see(
      'a picture',
      (status) =>
        (status.pictures_count > pictures_count && status.state !== 'accepted') ||
        performance.now() - sinceMs > PATIENCE_MS,
    )
  }
}

/** As the source of the stream takes it: in the axes of the camera body (x forward, y left, z up). */
const poseOf = ({ turn, at }: HeldPose): PoseDocument => {
  const [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = turn
  // the quaternion of a turn of less than half a turn: nobody holds a board upside down
  const qw = Math.sqrt(1 + xx + yy + zz) / 2
  const [x, y, z] = [(yz - zy) / (4 * qw), (zx - xz) / (4 * qw), (xy - yx) / (4 * qw)]
  return poseToDocument({
    x: at[2] / 1000,
    y: -at[0] / 1000,
    z: -at[1] / 1000,
    qw,
    qx: z,
    qy: -x,
    qz: -y,
  })
}
