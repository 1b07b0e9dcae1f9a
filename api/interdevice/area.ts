// What other devices may see and do here.
import { areaOf } from '../endpoints/area.ts'
import { area } from '../endpoints/endpoint.ts'
import { streamNeeds } from '../streams/parts.ts'
import { inventoryRow } from './inventory.ts'

export const interdeviceArea = areaOf(streamNeeds, (parts) =>
  area('interdevice', 'What other devices that run this service see and do here.', [inventoryRow(parts)]),
)
