// A camera of the real service with a lens that nobody is told of, and a person who holds a board in front of it.
import assert from 'node:assert/strict'
import type { SolvedCalibration } from '../../../machines/calibration/calibration.ts'
import type { MediaItem } from '../../../machines/media/item.ts'
import type { HeldBoard } from '../../../machines/stream/sources/synthetic-board.ts'
import type { Daemon } from '../processes/daemon.ts'
import { until } from '../until.ts'
import { TRUE_LENS } from './simulated-set.ts'

const [fx_px, fy_px, cx_px, cy_px, ...distortion] = TRUE_LENS

/** The lens, of 1280x800. */
export const HIDDEN_LENS = { fx_px, fy_px, cx_px, cy_px, distortion }

/** A running service, as far as one speaks to it. */
export type Service = Pick<Daemon, 'send' | 'get'>

const FPS = 8

/** Another view in each picture. */
const HAND = { hold_ms: 1000 / FPS, move_ms: 0 }

/** The camera; with a board it needs neither a field nor a pipeline. */
export const boardCamera = (board: HeldBoard) => ({
  source: {
    backend: 'synthetic' as const,
    width_px: 1280,
    height_px: 800,
    fps: FPS,
    motion: 'still' as const,
    blur_px: 0.7,
    faults: { lens: HIDDEN_LENS },
    board: { ...HAND, ...board },
  },
  pipeline: { nodes: [{ id: 'source', type: 'source' }], edges: [], outputs: [] },
})

/** Changes a stream by a merge patch (RFC 7396). */
export const patchStream = async (daemon: Service, id: string, patch: object): Promise<void> => {
  const { status, body } = await daemon.send('PATCH', `/v1/streams/${id}`, { patch })
  assert.ok(status < 300, JSON.stringify(body))
}

/** Has another board held, or the same in another way; what is not said stays as it is. */
export const holdBoard = (daemon: Service, id: string, board: HeldBoard): Promise<void> =>
  patchStream(daemon, id, { source: { backend: 'synthetic', board } })

/** So many pictures that are kept, each of another view; their names. */
export const takePictures = async (daemon: Service, id: string, count: number): Promise<readonly string[]> => {
  const names: string[] = []
  let seq: unknown
  while (names.length < count) {
    const { body } = await until(
      'another picture',
      () => daemon.send<MediaItem>('POST', `/v1/streams/${id}/snapshot`),
      ({ status, body: item }) => status === 201 && item.metadata.seq !== seq,
    )
    seq = body.metadata.seq
    names.push(body.name)
  }
  return names
}

/** What comes of solving for the lens. */
export interface Solved {
  readonly job_id: string
  readonly calibration: SolvedCalibration
}

/** Solves for the lens of pictures that are kept. */
export const solvePictures = async (daemon: Service, media_ids: readonly string[], square_mm = 24): Promise<Solved> => {
  const { status, body } = await daemon.send<Solved>('POST', '/v1/calibration/solve', {
    media_ids,
    square_width_mm: square_mm,
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
