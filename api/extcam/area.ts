// The streams as the vendor's camera over HTTP, under the names of their tables.
import { EXTCAM_ADAPTERS } from '../../actors/extcam/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { BANDWIDTH_BUDGET } from '../../machines/bandwidth/budget.ts'
import type { Given } from '../../machines/token.ts'
import { VIEWER_PLACES } from '../../machines/viewers/viewer-places.ts'
import { CODECS } from '../../native/codecs/port.ts'
import { areaOf } from '../endpoints/area.ts'
import { blob } from '../endpoints/blob.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { Previews } from '../stream/preview/preview.ts'
import { preview } from '../stream/preview/preview-row.ts'
import {
  captureRow,
  hardwareReportRow,
  oldCaptureRow,
  orientationRow,
  resultsRow,
  statusRow,
  streamRow,
  switchRow,
} from './rows.ts'
import { vendor } from './vendor-row.ts'
import { tableParams } from './wire.ts'

/** What adapters are served with. */
export const adapterNeeds = {
  adapters: EXTCAM_ADAPTERS,
  streams: STREAM_REGISTRY,
  viewers: VIEWER_PLACES,
  codecs: CODECS,
  budget: BANDWIDTH_BUDGET,
}
export type AdapterNeeds = Given<typeof adapterNeeds>

/** Its viewers outlive their requests, and leave when the server stops. */
export const extcamArea = areaOf(adapterNeeds, ({ adapters, ...parts }) => {
  const previews = new Previews(parts.viewers)
  const adapterOf = ({ params }: { readonly params: { readonly table: string } }) => adapters.find(params.table)
  const params = tableParams
  const table = area('extcam', "Streams as the vendor's camera, for programs that were written for that.", [
    blob('GET', '/extcam/:table/results', { params, ...resultsRow(adapterOf) }),
    read('GET', '/extcam/:table/status', { params, ...statusRow(adapterOf) }),
    vendor('POST', '/extcam/:table/capture-snapshot', adapterOf, { params, ...captureRow }),
    vendor('GET', '/extcam/:table/capturesnapshot', adapterOf, { params, ...oldCaptureRow }),
    vendor('POST', '/extcam/:table/pipeline-switch', adapterOf, { params, ...switchRow }),
    vendor('GET', '/extcam/:table/hwreport', adapterOf, { params, ...hardwareReportRow }),
    vendor('POST', '/extcam/:table/update-robotorientation', adapterOf, { params, ...orientationRow }),
    preview('/extcam/:table/stream.mjpg', parts, previews, { params, ...streamRow(adapterOf) }),
  ])
  return { ...table, close: () => previews.endAll() }
})
