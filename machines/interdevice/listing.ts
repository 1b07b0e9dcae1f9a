// The entries of a device's inventory. Internal streams are its own business: they are not listed, and nothing of them
// is served to other devices.
import { DEVICE, SOLVE } from '../localization/peer-key.ts'
import type { LaidOut } from '../rig/layout.ts'
import type { StoredValue } from '../settings/store.ts'
import type { CanonicalManifest } from '../stream/manifest.ts'
import { localizationOutputsOf, outputsOf } from '../stream/outputs.ts'
import { cameraUidOf, pipelineIdOf } from '../stream/part-names.ts'
import { attachedStreamOf } from '../stream/sources/traits.ts'
import type { StreamStatus } from '../stream/status.ts'
import { SOURCE_COMMANDS } from './command.ts'
import { type Inventory, type RemoteStream, remoteFault } from './inventory.ts'

/** A stream as it is stored, and what is the case with it. */
export interface Listable {
  readonly stored: StoredValue<CanonicalManifest>
  readonly status: () => Pick<StreamStatus, 'state' | 'width_px' | 'height_px' | 'crop' | 'fault' | 'pipeline'>
  readonly engine: { readonly opened: { readonly value: { readonly fps: number } | undefined } }
}

/** What a device has. formats: in which the pictures of its streams can be had. */
export interface Holdings {
  readonly streams: readonly Listable[]
  readonly rig: readonly LaidOut[]
  readonly formats: RemoteStream['formats']
}

/**
 * Whether other devices may know of a stream. What comes from another one is to be had there: passed on in a ring it
 * would never end.
 */
export const isShared = ({ internal, source }: Pick<CanonicalManifest, 'internal' | 'source'>): boolean =>
  !internal && attachedStreamOf(source) === undefined

/** Where this device sees the robot by all its cameras: of no stream, but older devices insist on the name of one. */
const OF_ALL_CAMERAS = { stream_id: DEVICE, output_key: SOLVE, data_type: SOLVE } as const

/**
 * The groups of the inventory: of the streams that are shared and enabled, and of the cameras of all but internal ones.
 */
export const listGroups = ({
  streams: all,
  rig,
  formats,
}: Holdings): Pick<Inventory, 'streams' | 'pipelines' | 'localization_outputs' | 'rig'> => {
  const shown = all.filter(({ stored: { value } }) => isShared(value) && value.enabled)
  const stored = shown.map((stream) => stream.stored)
  return {
    streams: shown.map((stream) => streamEntry(stream, formats)),
    pipelines: stored.map(({ revision, value }) => ({
      stream_id: value.id,
      id: pipelineIdOf(value),
      revision,
      outputs: outputsOf(value).map(({ port, kind }) => ({ id: port, type: kind })),
    })),
    localization_outputs: [
      OF_ALL_CAMERAS, // first, since streams come and go behind it
      ...stored.flatMap(({ value }) =>
        localizationOutputsOf(value).map(({ port, kind }) => ({
          stream_id: value.id,
          output_key: port,
          data_type: kind,
        })),
      ),
    ],
    rig: rig
      .filter(({ stream }) => !stream || isShared(stream.value))
      .map(({ camera_uid, stream, pose }) => ({
        camera_uid,
        stream_id: stream?.value.id ?? null,
        pose_revision: stream?.revision ?? 0,
        has_pose: pose !== null,
        pose,
      })),
  }
}

type Groups = ReturnType<typeof listGroups>

/** What of a device is asked for; nothing said: all of it. */
export interface Asked {
  readonly stream_id?: string
  readonly camera_uid?: string
}

/** The groups, without what was not asked for. A stream comes with all its parts. */
export const selectGroups = (groups: Groups, { stream_id, camera_uid }: Asked): Groups => {
  if (stream_id === undefined && camera_uid === undefined) return groups
  const isOf = (entry: { readonly stream_id: string | null }) =>
    entry.stream_id !== null && entry.stream_id === stream_id
  return {
    streams: groups.streams.filter(({ id }) => id === stream_id),
    pipelines: groups.pipelines.filter(isOf),
    localization_outputs: groups.localization_outputs.filter(isOf),
    rig: groups.rig.filter((entry) => isOf(entry) || entry.camera_uid === camera_uid),
  }
}

const streamEntry = (stream: Listable, formats: RemoteStream['formats']): RemoteStream => {
  const { stored } = stream
  const { id, alias, crop = null } = stored.value
  const { state, width_px, height_px, crop: applied, fault, pipeline } = stream.status()
  const present = width_px === null || height_px === null ? null : { width_px, height_px }
  // what comes at present is another number each second, of which nobody is told
  const fps = stream.engine.opened.value?.fps ?? null
  return {
    id,
    alias,
    status: state,
    revision: stored.revision,
    camera_uid: cameraUidOf(stored.value),
    formats,
    width_px,
    height_px,
    fps,
    crop,
    picture: applied?.picture ?? present,
    fault: remoteFault(fault),
    pipeline_fault: remoteFault(pipeline.fault),
    commands: [...SOURCE_COMMANDS],
    authority: 'source',
  }
}
