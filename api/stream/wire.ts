// The streams' documents on the wire, with the examples that stand in the reference.

import { StreamId } from '../../machines/schema/stream-id.ts'
import Type from '../../machines/schema/type.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { StreamStatus } from '../../machines/stream/status.ts'
import type { View } from '../endpoints/resource.ts'

/** What stands in the paths of a stream. */
export const streamParams = { id: StreamId }

/** Of a stream whose camera can be asked; the example of its own is one that has a real one. */
export const cameraStreamParams = { id: Type.String({ ...StreamId, examples: ['side'] }) }

const PortName = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description:
    "1 to 40 lower-case letters, digits, - and _, beginning with a letter. The name of one of the pipeline's outputs.",
  examples: ['tags'],
})

/** What stands in the paths of an output of a stream. */
export const outputParams = { id: StreamId, port: PortName }

/** A stream on the wire. */
export type StreamView = View<CanonicalManifest, StreamStatus>

export const manifestExample = { id: 'front', alias: 'Front', source: { backend: 'synthetic', fps: 30, seed: 7 } }

export const specExample = {
  id: 'front',
  alias: 'Front',
  internal: false,
  enabled: true,
  priority: 5,
  map_id: 'demo',
  source: {
    backend: 'synthetic',
    width_px: 1280,
    height_px: 800,
    fps: 30,
    seed: 7,
    motion: 'patrol',
    speed_m_s: 0.8,
    noise: 2,
    exposure_us: 4000,
    light: 1,
    vignetting: 0.25,
    occlusion: 0,
    blur_px: 0,
  },
  pipeline: {
    nodes: [
      { id: 'source', type: 'source', params: {} },
      { id: 'tags', type: 'apriltag', params: { families: ['tag36h11'], decimate: 2 } },
    ],
    edges: [{ from: 'source.image', to: 'tags.image' }],
    outputs: [{ port: 'tags', from: 'tags.detections' }],
  },
}

export const streamExample = {
  id: 'front',
  spec: specExample,
  status: {
    state: 'live',
    since_ms: 1_767_225_600_000,
    applied_revision: 1,
    fault: null,
    warnings: [],
    width_px: 1280,
    height_px: 800,
    crop: null,
    lens: {
      source: 'computed',
      width_px: 1280,
      height_px: 800,
      fx_px: 900,
      fy_px: 900,
      cx_px: 639.5,
      cy_px: 399.5,
      distortion: [],
      hfov_deg: 70.83,
      vfov_deg: 47.92,
    },
    pixel_format: 'gray8',
    timestamp_source: 'computed',
    fps: 30,
    viewers: 1,
    restarts: 0,
    pipeline: { slot: null, graph_id: null, fault: null, trial: null },
    extcam_table: 'limelight',
    recording: null,
    guard: null,
    robot: null,
  },
}

export const poseExample = { x_m: 0.25, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: -15, yaw_deg: 0 }
