// One stream as the vendor's camera at the root of a port of its own, for clients that cannot be told of a path.
import type { OnBug } from '../../machines/listeners.ts'
import type { PortField } from '../../machines/stream/extcam-ports.ts'
import { type AreaMaker, areaOf } from '../endpoints/area.ts'
import { blob } from '../endpoints/blob.ts'
import { area } from '../endpoints/endpoint.ts'
import { feed } from '../endpoints/feed.ts'
import { read } from '../endpoints/read.ts'
import { Previews } from '../stream/preview/preview.ts'
import { preview } from '../stream/preview/preview-row.ts'
import { type AdapterNeeds, adapterNeeds } from './area.ts'
import { ResultsPush } from './results-push.ts'
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
import { ExtcamResults, resultsExample } from './wire.ts'

const ABOUT = "A stream as the vendor's camera."

/** What one sort of port serves, of the stream with a table. */
const AREAS = {
  results_port: (find) => {
    return area('extcam-results', ABOUT, [
      blob('GET', '/results', resultsRow(find)),
      read('GET', '/status', statusRow(find)),
      vendor('POST', '/capture-snapshot', find, captureRow),
      vendor('GET', '/capturesnapshot', find, oldCaptureRow),
      vendor('POST', '/pipeline-switch', find, switchRow),
      vendor('GET', '/hwreport', find, hardwareReportRow),
      vendor('POST', '/update-robotorientation', find, orientationRow),
    ])
  },
  stream_port: (find, parts) => {
    const previews = new Previews(parts.viewers)
    const table = area('extcam-stream', ABOUT, [
      preview('/', parts, previews, streamRow(find)),
      preview('/stream.mjpg', parts, previews, streamRow(find)),
    ])
    return { ...table, close: () => previews.endAll() }
  },
  push_port: (find, _, onBug) => {
    const push = new ResultsPush(find, onBug)
    const table = area('extcam-push', ABOUT, [
      feed('GET', '/', {
        ignoresOtherQueries: true,
        summary: 'The results of each frame, as the vendor has them',
        about: 'One who is slow misses frames. Eight can listen at once.',
        messages: [{ name: 'results', schema: ExtcamResults, example: resultsExample }],
        admit: () => {
          const adapter = find()
          return 'code' in adapter ? adapter : push.full()
        },
        accept: (_, socket) => push.accept(socket),
        faults: ['extcam.not_found', 'viewer.too_many'],
      }),
    ])
    return { ...table, close: () => push.close() }
  },
} as const satisfies Record<PortField, RootMaker>

type Find = () => ReturnType<AdapterNeeds['adapters']['find']>
type RootMaker = (find: Find, parts: AdapterNeeds, onBug: OnBug) => ReturnType<AreaMaker>

/** The area of a port, for one server. onBug: told of what is thrown where no request is answered. */
export const rootArea = (field: PortField, table: string, onBug: OnBug): AreaMaker =>
  areaOf(adapterNeeds, (parts) => AREAS[field](() => parts.adapters.find(table), parts, onBug))
