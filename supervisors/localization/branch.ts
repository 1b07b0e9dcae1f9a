// The field maps.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { untilSettings } from '../../actors/settings/until-settings.ts'
import { localizationCollection } from '../../machines/localization/config-collection.ts'
import { fieldMapsChanged } from '../../machines/localization/events.ts'
import { FIELD_MAPS, KEEP_MAP, LOOK_FOR_MAPS, MAP_HASH, MAP_NEWS } from '../../machines/localization/field-map.ts'
import { importedMapCollection } from '../../machines/localization/maps/imported.ts'
import { documentsOf } from '../../machines/settings/store.ts'
import { token } from '../../machines/token.ts'
import { USER_MAPS } from '../../native/localization/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, RECORD } from '../composition/tokens.ts'
import { keepImportedMaps } from './imported-maps.ts'
import { MapReader } from './map-reader.ts'
import { localizationPorts } from './ports.ts'

const MAP_READER = token<MapReader>('map-reader')

/** Where the system does not tell of changes, what is known of the maps, and told in the error history, is so old. */
const LOOK_EVERY = '10 seconds'

/** Maps are read at the start, and looked at now and then and on request. */
export const localizationBranch = branch({
  collections: [localizationCollection, importedMapCollection],
  events: [fieldMapsChanged],
  ports: localizationPorts,
  offers: [
    offer(MAP_HASH, { files: USER_MAPS }, ({ files }) => files.hash),
    offer(
      MAP_READER,
      { files: USER_MAPS, record: RECORD, directory: DIRECTORY, onBug: ON_BUG },
      ({ directory: { events, settings }, onBug, ...parts }) => {
        const imported = () => documentsOf(settings, importedMapCollection)
        const reader = new MapReader({ ...parts, imported, onBug: onBug('localization') })
        reader.news.add(() => void events.publish(fieldMapsChanged, { resource_ref: {} }))
        return reader
      },
    ),
    offer(
      KEEP_MAP,
      { reader: MAP_READER },
      ({ reader }) =>
        (map, isReplacing) =>
          reader.keep(map, isReplacing),
    ),
    offer(MAP_NEWS, { reader: MAP_READER }, ({ reader }) => reader.news),
    offer(
      FIELD_MAPS,
      { reader: MAP_READER },
      ({ reader }) =>
        () =>
          reader.maps(),
    ),
    offer(
      LOOK_FOR_MAPS,
      { reader: MAP_READER },
      ({ reader }) =>
        () =>
          reader.look(),
    ),
  ],
  needs: { reader: MAP_READER, directory: DIRECTORY, record: RECORD },
  start: ({ reader, ...parts }) => {
    const { settings } = parts.directory
    const imported = () => documentsOf(settings, importedMapCollection)
    return Effect.gen(function* () {
      let known = imported()
      const look = Effect.suspend(() => {
        known = imported()
        const keep = keepImportedMaps({ ...parts, store: (map) => reader.store(map) })
        return Effect.andThen(
          keep,
          Effect.promise(() => reader.look()),
        )
      })
      yield* look
      yield* Effect.acquireRelease(
        Effect.sync(() => reader.watch()),
        (stop) => Effect.sync(stop),
      )
      const others = untilSettings(settings, () =>
        Object.entries(imported()).some(([id, { revision }]) => known[id]?.revision !== revision),
      )
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.raceFirst(Effect.sleep(LOOK_EVERY), others), look)))
    })
  },
})
