// Poses of cameras that are not here: they came with a profile, and wait for a stream that has the camera.
import type { Static } from 'typebox'
import { PoseDocument } from '../localization/pose.ts'
import { quote } from '../schema/quote.ts'
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { deleteOrder, mergeOrder, type PartOrder } from '../settings/commit.ts'
import type { StoredValue } from '../settings/store.ts'
import { streamCollection } from '../stream/collection.ts'
import type { CanonicalManifest } from '../stream/manifest.ts'
import { cameraUidOf } from '../stream/part-names.ts'
import { pendingPoseChanged } from './events.ts'
import { LayoutUid } from './layout.ts'

/** Where a camera is to sit. */
export const PendingPose = Type.Object(
  { name: Type.String({ maxLength: 200 }), pose: PoseDocument },
  { additionalProperties: false },
)
export type PendingPose = Static<typeof PendingPose>

/** By the uid of the camera. */
export const pendingPoseCollection = collection({
  name: 'pending_poses',
  id: LayoutUid,
  schema: PendingPose,
  limit: 64,
  changed: pendingPoseChanged,
  notFound: (uid) => ({ code: 'document.unknown', detail: `no pose waits for the camera ${quote(uid)}` }),
})

/**
 * The orders that give poses to streams that have come; one for each, since they have nothing to do with one another. A
 * stream whose pose somebody has said keeps that.
 */
export const placements = (
  pending: Readonly<Record<string, StoredValue<PendingPose>>>,
  streams: readonly CanonicalManifest[],
): readonly (readonly PartOrder[])[] =>
  Object.entries(pending).flatMap(([uid, { value }]) => {
    const stream = streams.find((each) => cameraUidOf(each) === uid)
    if (!stream) return []
    const forget = deleteOrder(pendingPoseCollection, uid)
    return [stream.pose ? [forget] : [mergeOrder(streamCollection, stream.id, { pose: value.pose }), forget]]
  })
