// What reads a chip, in a process of its own.
//
//   reader.ts bare ROOT        reads the bytes and counts the samples
//   reader.ts fusion ROOT      as the service: found, opened, decoded, fused, kept, and heard by one who listens
//   reader.ts all ROOT PORT    the side-car of a recording and the table on a robot's server as well
//
// For each line on its standard input it prints how many samples, or readings, it had by then.
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createActor } from 'xstate'
import { imuActor } from '../../../actors/imu/imu-actor.ts'
import { ImuView } from '../../../actors/imu/imu-view.ts'
import { ImuFeed } from '../../../actors/own-table/imu-feed.ts'
import { ImuNotes, ImuRecorder } from '../../../actors/recording/imu-recorder.ts'
import { DEFAULT_IMU_SETTINGS } from '../../../machines/imu/settings.ts'
import { IMU_DOCUMENT, imuCollection } from '../../../machines/imu/settings-collection.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import { systemClock } from '../../../native/clock/system.ts'
import { readBytes } from '../../../native/imu/byte-reader.ts'
import { linuxImus } from '../../../native/imu/linux.ts'
import { linuxSystemFiles } from '../../../native/system-files/linux.ts'
import { sessionWith } from '../nt4/session.ts'

const SAMPLE_BYTES = 24
const [mode, root = '', port] = process.argv.slice(2)
let count = 0

const bare = (): void => {
  let bytes = 0
  const told = (more: Uint8Array) => {
    bytes += more.length
    count = Math.floor(bytes / SAMPLE_BYTES)
  }
  readBytes(join(root, 'dev/iio:device0'), told, (why) => console.error(why))
}

const asTheService = (): ImuView => {
  const settings = createSettingsStore()
  const commit = { collection: imuCollection.name, collectionRevision: 1, collectionBase: 0, revision: 1 }
  settings.trigger.committed({ ...commit, id: IMU_DOCUMENT, value: { ...DEFAULT_IMU_SETTINGS, rate_hz: 1_000 } })
  const view = new ImuView((bug) => console.error(bug))
  view.listen((readings) => {
    count += readings.count
  })
  const devices = linuxImus({ root, files: linuxSystemFiles(root), clock: systemClock })
  createActor(imuActor({ devices, settings, view, record: ({ detail }) => console.error(detail) })).start()
  return view
}

const toOthers = async (view: ImuView): Promise<void> => {
  const file = createWriteStream(join(root, 'side-car.ndjson'))
  const notes = new ImuNotes(new ImuRecorder(view), (lines) => {
    file.write(lines)
    return true
  })
  notes.begin(systemClock.monotonicUs())
  const session = await sessionWith({ defer: () => {}, say: (text) => console.error(text) }, Number(port), 'imu')
  const sources = { imu: view, state: () => 'running' as const, onChanged: () => () => {} }
  new ImuFeed(sources, session, { guard: (listener) => listener, send: () => {}, isCurrent: () => true })
}

if (mode === 'bare') bare()
else {
  const view = asTheService()
  if (mode === 'all') await toOthers(view)
}
createInterface({ input: process.stdin }).on('line', () => console.log(count))
process.once('SIGTERM', () => process.exit())
console.log('reads')
