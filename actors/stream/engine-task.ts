// From a manifest to all that its engine needs to run.
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { PoseDocument } from '../../machines/localization/pose.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { EngineTask } from '../../native/engine/port.ts'
import { engineSource } from './camera-source.ts'
import type { StreamDevice } from './stream-device.ts'
import { planOf } from './stream-pipeline.ts'

/** The task of an opening, looked up on the device as it is now. mount: by which everything is computed. */
export const engineTask = (
  manifest: CanonicalManifest,
  mount: PoseDocument | null,
  { maps, media, others, ...device }: StreamDevice,
): Effect.Effect<EngineTask, Fault> =>
  Effect.gen(function* () {
    const known = maps()
    const map = known.get(manifest.map_id)
    if (!map) return yield* Effect.fail(mapNotFound(manifest.map_id, [...known.keys()]))
    const plan = yield* planOf(manifest)
    const source = yield* Effect.promise(() => engineSource(manifest, { ...device, all: others() }))
    if (isFault(source)) return yield* Effect.fail(source)
    const { crop = null, intrinsics = null, pose = null, media_grants = [], internal, extcam } = manifest
    const roots = yield* Effect.promise(() => media.roots())
    return {
      source,
      crop,
      media_roots: [...roots.map(({ real }) => real), ...media_grants],
      intrinsics,
      mount,
      true_mount: pose,
      map,
      plan,
      // One that begins to be published later has the control process make them.
      sightings: !internal && extcam?.enabled !== false,
      observations: true,
    }
  })

const mapNotFound = (id: string, known: readonly string[]): Fault => ({
  code: 'map.not_found',
  detail: oneLine`
    There is no field map ${id}; put its file into the maps folder, or set map_id to one of: ${known.join(', ')}.`,
})
