// What the cameras of the benchmark look at.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FieldMap } from '../../../machines/localization/field-map.ts'
import type { PoseDocument } from '../../../machines/localization/pose.ts'
import type { Intrinsics, StreamManifest } from '../../../machines/stream/manifest.ts'
import type { SyntheticSource } from '../../../machines/stream/sources/synthetic.ts'
import { type RunningEngine, runEngine } from './engine.ts'
import type { Lab } from './lab.ts'

/** Where the camera of the demo sits on its robot. */
export const MOUNT: PoseDocument = { x_m: 0.25, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }

/** Two rows of four tags on one wall. */
export const eightTagMap: FieldMap = {
  id: 'eight',
  name: 'Eight tags on a wall',
  length_m: 16.54,
  width_m: 8.07,
  family: 'tag36h11',
  tag_size_m: 0.1651,
  tags: [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({
    id,
    pose: { x_m: 0, y_m: 3.3 + 0.45 * ((id - 1) % 4), z_m: id > 4 ? 1.3 : 0.85, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 },
  })),
}

/** A camera about 3 m in front of all eight, still but for its noise. */
export const eightTagSource: SyntheticSource = {
  backend: 'synthetic',
  motion: 'still',
  pose: { x_m: 3.2, y_m: 4, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 },
}

const QUALITY = 85 // about what a camera makes

interface Rendering {
  readonly manifest: StreamManifest
  readonly map?: FieldMap
  readonly name: string
  readonly count: number
}

/** Has the engine render `count` pictures of a synthetic stream into JPEG files; returns their paths. */
export const renderJpegs = async (lab: Lab, rendering: Rendering): Promise<readonly string[]> =>
  (await renderCamera(lab, rendering)).files

/** The same with the intrinsics of the camera that took them. */
export const renderCamera = async (
  lab: Lab,
  { manifest, map, name, count }: Rendering,
): Promise<{ readonly files: readonly string[]; readonly intrinsics: Intrinsics | null }> => {
  const folder = join(lab.folder, name)
  mkdirSync(folder, { recursive: true })
  const files: string[] = []
  const kind = { key: 'file', max_width_px: 0, quality: QUALITY, overlay: false, fps: 0 }
  const engine = await new Promise<RunningEngine>((resolve, reject) => {
    const running = runEngine(lab, {
      manifest,
      ...(map && { map }),
      kinds: [kind],
      onPicture: ({ jpeg }) => {
        if (files.length === count) return
        const file = join(folder, `${String(files.length).padStart(3, '0')}.jpg`)
        writeFileSync(file, jpeg)
        files.push(file)
        if (files.length === count) resolve(running)
      },
    })
    running.catch(reject)
  })
  await engine.stop()
  return { files, intrinsics: engine.opened.intrinsics }
}
