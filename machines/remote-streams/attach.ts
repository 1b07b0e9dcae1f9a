// The stream of this device that works on the pictures of a stream of a peer: what it is made with, and what of it
// follows its source.
import type { Static } from 'typebox'
import { DEFAULT_TABLE } from '../extcam/table.ts'
import type { CameraCapture, StreamCapture } from '../interdevice/capture.ts'
import { schemaErrors } from '../schema/errors.ts'
import { freeId, type Taken } from '../schema/free-id.ts'
import Type from '../schema/type.ts'
import { Alias, type CanonicalManifest, MAX_ALIAS_LENGTH, type SentManifest } from '../stream/manifest.ts'
import { attachedStreamOf } from '../stream/sources/traits.ts'

/** What the command `set_compute` takes. */
export const SetCompute = Type.Object(
  {
    compute: Type.Enum(['proxy', 'local_attach'], {
      description:
        'Where its pictures are to be worked on: proxy, on its own device alone; local_attach, here as well.',
    }),
  },
  { additionalProperties: false },
)
export type SetCompute = Static<typeof SetCompute>

/** What is to be attached. peerName: for people. */
export interface Attachment {
  readonly peer_id: string
  readonly peerName: string
  readonly stream_id: string
  readonly capture: StreamCapture
  readonly taken: Taken
}

/**
 * What it is called there, and where that is, as far as people can read that; undefined: nothing of it, so that it is
 * called by its id.
 */
const aliasOf = (alias: string, peerName: string): string | undefined => {
  // not in the middle of a character
  const cut = [...`${alias} (${peerName})`].slice(0, MAX_ALIAS_LENGTH).join('').trim()
  return schemaErrors(Alias, cut).length === 0 ? cut : undefined
}

/**
 * The manifest of the stream that is made for it: with the pipeline that the source runs, which is this device's own
 * from then on.
 */
export const attachedManifest = ({ peer_id, peerName, stream_id, capture, taken }: Attachment): SentManifest => {
  const { alias, fps, intrinsics, pose, map_id, pipeline } = capture
  const id = freeId(`${peer_id}-${stream_id}`, taken, 'remote')
  const called = aliasOf(alias, peerName)
  return {
    id,
    ...(called !== undefined && { alias: called }),
    source: { backend: 'peer', peer_id, stream_id, fps: fps ?? 30 },
    map_id,
    pipeline,
    // not that of the first camera, which the peer's own stream may have on the same robot
    extcam: { table: `${DEFAULT_TABLE}-${id}` },
    ...(intrinsics && { intrinsics }),
    ...(pose && { pose }),
  }
}

/**
 * The same stream with what its source says of the capture: that stays there. While no pictures come there, its lens is
 * not known, and the previous one stays.
 */
export const mirrored = (before: CanonicalManifest, capture: CameraCapture): CanonicalManifest => {
  const attached = attachedStreamOf(before.source)
  if (!attached) return before
  const { peer_id, stream_id, fps } = attached
  const { pose: _, intrinsics: known, ...rest } = before
  const intrinsics = capture.is_live ? capture.intrinsics : (known ?? null)
  return {
    ...rest,
    source: { backend: 'peer', peer_id, stream_id, fps: capture.fps ?? fps },
    ...(intrinsics && { intrinsics }),
    ...(capture.pose && { pose: capture.pose }),
  }
}
