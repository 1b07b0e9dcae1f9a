// Under which names the parts of a stream are known to who looks at the robot as a whole.
import type { CanonicalManifest } from './manifest.ts'
import { graphIdOf } from './slots.ts'
import { ownCameraOf } from './sources/traits.ts'

/** Of its camera, where one is plugged in; of pictures that come from elsewhere `stream-` and the id of the stream. */
export const cameraUidOf = ({ id, source }: Pick<CanonicalManifest, 'id' | 'source'>): string =>
  ownCameraOf(source)?.camera_uid ?? `stream-${id}`

/**
 * Of the pipeline that it runs: the stored one of its active slot; `stream-` and the id of the stream: one of its own.
 */
export const pipelineIdOf = (manifest: CanonicalManifest): string => graphIdOf(manifest) ?? `stream-${manifest.id}`
