// The lens of a stream, as much of it as is noted with a calibration: the unit, its mode, and how its lens is set.
import * as Effect from 'effect/Effect'
import type { LensControl } from '../../machines/calibration/calibration.ts'
import type { SolvedFor } from '../../machines/calibration/solved.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { ownCameraOf } from '../../machines/stream/sources/traits.ts'
import type { Cameras } from '../cameras/cameras.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'

/** What moves a lens. */
const LENS_CONTROLS = ['focus_absolute', 'focus_auto', 'zoom_absolute']
const CONTROLS_LIMIT = '2 seconds'

/** Of no stream. */
export const NO_LENS: Effect.Effect<SolvedFor> = Effect.succeed({
  stream_id: null,
  camera_uid: null,
  camera_name: null,
  pixel_format: null,
  lens_controls: [],
})

/** Of a stream as it is now. */
export const lensOfStream = (
  { id, manifest, engine }: Pick<StreamRuntime, 'id' | 'manifest' | 'engine'>,
  cameras: Pick<Cameras, 'units'>,
): Effect.Effect<SolvedFor> =>
  Effect.gen(function* () {
    const camera = ownCameraOf(manifest.source)
    const unit = cameras.units.find(({ camera_uid }) => camera_uid === camera?.camera_uid)
    return {
      stream_id: id,
      camera_uid: camera?.camera_uid ?? null,
      camera_name: unit?.name ?? null,
      pixel_format: camera?.pixel_format ?? null,
      lens_controls: yield* lensControls(engine),
    }
  })

/** None where the camera is not open: nobody can tell. */
const lensControls = ({ controls }: Pick<StreamRuntime['engine'], 'controls'>): Effect.Effect<readonly LensControl[]> =>
  Effect.promise(async () => (await controls.value?.list()) ?? []).pipe(
    Effect.timeoutOption(CONTROLS_LIMIT),
    Effect.map((listed) => {
      const found = listed._tag === 'Some' ? listed.value : []
      if (isFault(found)) return []
      return found
        .filter(({ name }) => LENS_CONTROLS.includes(name))
        .map(({ id, name, value }) => ({ control_id: id, name, value }))
    }),
  )
