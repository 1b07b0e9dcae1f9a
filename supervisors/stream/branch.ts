// The streams.
import * as Effect from 'effect/Effect'
import { CAMERA_POWER, CAMERAS } from '../../actors/cameras/tokens.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import { EXTCAM_TABLES } from '../../actors/extcam/tokens.ts'
import { REMOTE_STREAMS } from '../../actors/remote-streams/tokens.ts'
import { settingsWriter } from '../../actors/settings/write-settings.ts'
import { endTrials } from '../../actors/stream/end-trials.ts'
import { tellFigures } from '../../actors/stream/figures-news.ts'
import { freshPicture } from '../../actors/stream/fresh-picture.ts'
import { pipelineOrder } from '../../actors/stream/pipeline-order.ts'
import { StreamRegistry } from '../../actors/stream/stream-registry.ts'
import { FRESH_PICTURE, PIPELINE_ORDER, STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { FIELD_MAPS, MAP_NEWS } from '../../machines/localization/field-map.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import {
  controlChanged,
  localizationSourceChanged,
  pipelineChanged,
  poseChanged,
  streamFigures,
  streamState,
} from '../../machines/stream/events.ts'
import { CAMERAS_PORT } from '../../native/cameras/port.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { ENGINES } from '../../native/engine/port.ts'
import { MEDIA_STORE } from '../../native/media/port.ts'
import { MEDIA_ROOTS } from '../../native/media-roots/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { LOG, ON_BUG, OPTIONS, RECORD, supervision } from '../composition/tokens.ts'
import { whenClockIsSet } from '../composition/when-clock-is-set.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { StreamChildren } from './children.ts'
import { createDemoStream } from './demo.ts'
import { incarnateStream } from './incarnation.ts'
import { streamPorts } from './ports.ts'

/** What publishes a stream to the robot, as health names it. */
const TABLES = ['extcam', 'own-table'] as const

export const streamBranch = branch({
  collections: [streamCollection],
  events: [streamState, pipelineChanged, poseChanged, localizationSourceChanged, controlChanged, streamFigures],
  ports: streamPorts,
  offers: [
    offer(
      STREAM_REGISTRY,
      { directory: DIRECTORY, tables: EXTCAM_TABLES, onBug: ON_BUG },
      ({ directory, tables, onBug }) =>
        new StreamRegistry({
          ...directory,
          tableOf: (id) => tables.tableOf(id),
          tableFaults: (id) => {
            const tables = directory.parts().filter(({ name }) => TABLES.some((table) => name === `${table}/${id}`))
            return tables.flatMap(({ fault }) => fault ?? [])
          },
          onBug,
        }),
    ),
    offer(PIPELINE_ORDER, {}, () => pipelineOrder),
    offer(FRESH_PICTURE, { clock: CLOCK, streams: STREAM_REGISTRY }, freshPicture),
  ],
  needs: {
    ...supervision,
    directory: DIRECTORY,
    options: OPTIONS,
    record: RECORD,
    log: LOG,
    streams: STREAM_REGISTRY,
    engines: ENGINES,
    maps: FIELD_MAPS,
    mapNews: MAP_NEWS,
    media: MEDIA_ROOTS,
    store: MEDIA_STORE,
    cameras: CAMERAS,
    cameraPort: CAMERAS_PORT,
    cameraPower: CAMERA_POWER,
    clock: CLOCK,
    remote: REMOTE_STREAMS,
  },
  start: ({ supervisor, lifecycle, onBug, directory, options, streams, log, record, engines, ...shared }) =>
    Effect.gen(function* () {
      yield* whenClockIsSet(directory.clock, (byMs) => {
        for (const stream of streams.all()) stream.clockSet(byMs)
      })
      yield* Effect.forkScoped(
        Effect.map(engines.endLeft, (pids) => {
          if (pids.length > 0) log('warn', `engines that an earlier service had left were ended: ${pids.join(', ')}`)
        }),
      )
      yield* Effect.forkScoped(tellFigures({ events: directory.events, streams }))
      yield* Effect.forkScoped(endTrials(streams))
      const others = () => streams.all().map(({ manifest }) => manifest)
      const device = { ...shared, others, write: settingsWriter(directory) }
      const incarnate = incarnateStream({ engines, record, device })
      const children = new StreamChildren({ supervisor, streams, incarnate })
      lifecycle.add((event) => children.follow(event))
      if (options.demo)
        yield* createDemoStream({ settings: directory.actor('settings'), streams, record, maps: shared.maps })
      yield* keepAsWanted({ supervisor, lifecycle, onBug }, children)
    }),
})
