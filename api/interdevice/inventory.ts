// What this device has that others may see and change, all of one moment.

import { isFault } from '../../machines/errors/fault.ts'
import { toOthers } from '../../machines/identity/no-identity.ts'
import { Inventory } from '../../machines/interdevice/inventory.ts'
import { listGroups, selectGroups } from '../../machines/interdevice/listing.ts'
import { LayoutUid } from '../../machines/rig/layout.ts'
import { about } from '../../machines/schema/about.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { StreamId } from '../../machines/schema/stream-id.ts'
import Type from '../../machines/schema/type.ts'
import type { Given } from '../../machines/token.ts'
import type { IdentityPort } from '../../native/identity/port.ts'
import { read } from '../endpoints/read.ts'
import { laidOut, rigNeeds } from '../rig/pose.ts'
import { encoderNeeds, h264Encoder } from '../stream/h264-encoder.ts'
import { poseExample } from '../stream/wire.ts'

/** The needs of the inventory. */
export const inventoryNeeds = { ...encoderNeeds, ...rigNeeds }
type InventoryParts = Given<typeof inventoryNeeds>

/** own: who this device is. */
export const inventoryRow = (parts: InventoryParts, own: Pick<IdentityPort, 'now'>) =>
  read('GET', '/v1/interdevice/resources', {
    summary: 'What other devices may see and change here',
    about: oneLine`
      All of one moment: who then follows the events (\`WS /v1/interdevice/events\`) from that \`epoch\` and \`seq\`
      on misses nothing. Streams that are enabled and not internal, with their pipelines and what these say of places;
      and the cameras. A pipeline and a pose are parts of their stream and have its revision. Who has heard of a
      change asks for what it is about alone: a stream with all its parts, or a camera. What is not there, or none of
      the business of others, is in no list.
    `,
    access: 'peer',
    query: {
      stream_id: Type.Optional(about(StreamId, 'Nothing but this stream and its parts.')),
      camera_uid: Type.Optional(about(LayoutUid, 'Nothing but this camera.')),
    },
    answer: Inventory,
    example: inventoryExample,
    get: async ({ query }) => {
      const encoder = await h264Encoder(parts) // before the moment
      const device = own.now()
      if (isFault(device)) return toOthers(device)
      const { identity, events } = parts.directory
      return {
        device_id: device.device_id,
        epoch: identity.epoch,
        seq: events.last(),
        ...selectGroups(
          listGroups({
            streams: parts.streams.all(),
            rig: laidOut(parts),
            formats: ['mjpeg', 'jpeg', ...(isFault(encoder) ? [] : (['h264'] as const))],
          }),
          query,
        ),
      }
    },
  })

const inventoryExample: Inventory = {
  device_id: '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10',
  epoch: 'k3v9x1',
  seq: 11,
  streams: [
    {
      id: 'front',
      alias: 'Front',
      status: 'live',
      revision: 3,
      camera_uid: 'cam-k3f7q2ma',
      formats: ['mjpeg', 'jpeg'],
      width_px: 1280,
      height_px: 800,
      fps: 30,
      crop: null,
      picture: { width_px: 1280, height_px: 800 },
      fault: null,
      pipeline_fault: null,
      commands: ['set_control', 'set_pose'],
      authority: 'source',
    },
  ],
  pipelines: [{ stream_id: 'front', id: 'tags-near', revision: 3, outputs: [{ id: 'pose', type: 'field_pose' }] }],
  localization_outputs: [{ stream_id: 'front', output_key: 'pose', data_type: 'field_pose' }],
  rig: [{ camera_uid: 'cam-k3f7q2ma', stream_id: 'front', pose_revision: 3, has_pose: true, pose: poseExample }],
}
