// What other devices may see and do here. Those who listen outlive their requests, and leave when the server stops.
import { areaOf } from '../endpoints/area.ts'
import { area } from '../endpoints/endpoint.ts'
import { SIGN_IN } from '../session/area.ts'
import { commandRow } from './commands.ts'
import { deviceEvents, eventRow } from './events.ts'
import { graphPatchRow } from './graph-patch.ts'
import { inventoryRow } from './inventory.ts'
import { commandNeeds } from './operations.ts'

export const interdeviceArea = areaOf({ ...commandNeeds, signIn: SIGN_IN }, ({ signIn, ...parts }) => {
  const listeners = deviceEvents(parts.directory.events)
  const table = area('interdevice', 'What other devices that run this service see and do here.', [
    inventoryRow(parts),
    eventRow(listeners),
    commandRow(parts),
    graphPatchRow(parts, signIn),
  ])
  return { ...table, close: () => listeners.close() }
})
