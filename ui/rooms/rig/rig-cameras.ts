// All cameras on the robot: those of this device, and those of the others that it knows.
import { useMemo } from 'react'
import { api, ask, type Documents } from '../../api/client.ts'
import { guessLimits, limitsOfStream, type ViewLimits } from '../../drawing/scene-frustum.ts'
import type { AnglePose } from '../../drawing/scene-pose.ts'
import { peers, rig } from '../../state/device.ts'
import { useKnown, useKnownOf } from '../../state/live.ts'
import { isRemote, type Stream, streams } from '../../state/streams.ts'

/** A camera on the robot. */
export interface RigCamera {
  /** What tells it from all others: its uid; of a peer, that with the peer's id. */
  readonly key: string
  readonly uid: string
  readonly name: string
  /** Whose it is; undefined: this device's. */
  readonly peer: { readonly id: string; readonly name: string; readonly isStale: boolean } | undefined
  /** Whether it is plugged in. */
  readonly isPresent: boolean
  /** The stream that has it; null: none, and nothing can be said of where it sits. */
  readonly streamId: string | null
  readonly revision: number | null
  /** null: nobody has said. */
  readonly pose: AnglePose | null
  readonly limits: ViewLimits
}

const ofDevice = (camera: Documents['LaidOutCamera'], own: readonly Stream[]): RigCamera => {
  const stream = own.find(({ id }) => id === camera.stream_id)
  return {
    key: camera.camera_uid,
    uid: camera.camera_uid,
    name: stream?.spec.alias ?? camera.name,
    peer: undefined,
    isPresent: camera.present,
    streamId: camera.stream_id,
    revision: camera.revision,
    pose: camera.pose,
    limits: stream ? limitsOfStream(stream.status) : guessLimits(),
  }
}

const ofPeer = ({ id, name, stale, rig: entries, streams: known }: Documents['Peer']): readonly RigCamera[] =>
  entries.map(({ camera_uid, stream_id, pose_revision, pose }) => {
    const stream = known.find((each) => each.id === stream_id)
    return {
      key: `${id}:${camera_uid}`,
      uid: camera_uid,
      name: `${stream?.alias ?? camera_uid} on ${name}`,
      peer: { id, name, isStale: stale },
      isPresent: true,
      streamId: stream_id,
      revision: stream_id === null ? null : pose_revision,
      pose: pose ?? null,
      limits: guessLimits(stream?.width_px, stream?.height_px),
    }
  })

/** What the room shows. */
export const useRig = () => {
  const { value: layout, problem } = useKnown(rig)
  const others = useKnownOf(peers, ({ value }) => value)
  const all = useKnownOf(streams, ({ value }) => value)
  const cameras = useMemo(() => {
    const own = (all ?? []).filter((stream): stream is Stream => !isRemote(stream))
    return layout && [...layout.cameras.map((camera) => ofDevice(camera, own)), ...(others ?? []).flatMap(ofPeer)]
  }, [layout, others, all])
  return { layout, cameras, problem }
}

/** Says where a camera sits. expected: the revision that this is based on. */
export const savePose = ({ uid, peer }: RigCamera, pose: AnglePose, expected: number | null) => {
  const body = { ...pose, ...(expected !== null && { expected_revision: expected }) }
  return peer
    ? ask(
        api.PUT('/v1/peers/{peer_id}/rig/cameras/{camera_uid}/pose', {
          params: { path: { peer_id: peer.id, camera_uid: uid } },
          body,
        }),
      )
    : ask(api.PUT('/v1/device/cameras/{camera_uid}/pose', { params: { path: { camera_uid: uid } }, body }))
}

/** Forgets where a camera sits. */
export const forgetPose = ({ uid, peer, revision }: RigCamera) => {
  const body = revision === null ? {} : { expected_revision: revision }
  return peer
    ? ask(
        api.DELETE('/v1/peers/{peer_id}/rig/cameras/{camera_uid}/pose', {
          params: { path: { peer_id: peer.id, camera_uid: uid } },
          body,
        }),
      )
    : ask(api.DELETE('/v1/device/cameras/{camera_uid}/pose', { params: { path: { camera_uid: uid } }, body }))
}
