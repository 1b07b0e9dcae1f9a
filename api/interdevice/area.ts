// What other devices may see and do here. Those who listen and watch outlive their requests, and leave when the server
// stops.
import { EVENT_KINDS } from '../../machines/events/kind.ts'
import { isShared } from '../../machines/interdevice/listing.ts'
import type { LaidOut } from '../../machines/rig/layout.ts'
import { IDENTITY } from '../../native/identity/port.ts'
import { areaOf } from '../endpoints/area.ts'
import { area } from '../endpoints/endpoint.ts'
import { poseRows } from '../rig/pose.ts'
import { SIGN_IN } from '../session/area.ts'
import { Previews } from '../stream/preview/preview.ts'
import { captureNeeds, captureRow } from './capture.ts'
import { commandRow } from './commands.ts'
import { deviceEvents, eventRow } from './events.ts'
import { graphPatchNeeds, graphPatchRow } from './graph-patch.ts'
import { inventoryNeeds, inventoryRow } from './inventory.ts'
import { commandNeeds } from './operations.ts'
import { outputNeeds, outputRow } from './outputs.ts'
import { devicePictureNeeds, devicePictureRows } from './pictures.ts'
import { deviceResultNeeds, deviceResultsRow } from './results.ts'
import { streamPartNeeds, streamPartRows } from './stream-parts.ts'

export const interdeviceArea = areaOf(
  {
    ...captureNeeds,
    ...inventoryNeeds,
    ...graphPatchNeeds,
    ...streamPartNeeds,
    ...devicePictureNeeds,
    ...deviceResultNeeds,
    ...outputNeeds,
    ...commandNeeds,
    signIn: SIGN_IN,
    identity: IDENTITY,
    kinds: EVENT_KINDS,
  },
  ({ signIn, identity: own, kinds, ...parts }) => {
    const listeners = deviceEvents(parts.directory.events)
    const previews = new Previews(parts.viewers)
    const results = deviceResultsRow(parts)
    const table = area('interdevice', 'What other devices that run this service see and do here.', [
      inventoryRow(parts, own),
      eventRow(listeners, kinds, parts.directory.clock),
      captureRow(parts),
      commandRow(parts),
      graphPatchRow(parts, signIn),
      ...streamPartRows(parts, isSharedCamera),
      ...devicePictureRows(parts, previews),
      results.row,
      outputRow(parts),
      ...poseRows(parts, '/v1/interdevice/rig/cameras', { access: 'peer', isShown: isSharedCamera }),
    ])
    const close = () => {
      listeners.close()
      previews.endAll()
      results.close()
    }
    return { ...table, close }
  },
)

/** The camera of an internal stream is that stream's business. */
const isSharedCamera = ({ stream }: LaidOut): boolean => !stream || isShared(stream.value)
