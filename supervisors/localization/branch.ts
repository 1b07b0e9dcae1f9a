// The field maps.
import * as Effect from 'effect/Effect'
import { demoMap, FIELD_MAPS, LEFT_OUT_MAPS } from '../../machines/localization/field-map.ts'
import { token } from '../../machines/token.ts'
import { USER_MAPS } from '../../native/localization/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { RECORD } from '../composition/tokens.ts'
import { MapReader } from './map-reader.ts'
import { localizationPorts } from './ports.ts'

const MAP_READER = token<MapReader>('map-reader')

/** How long a file that cannot be used may lie there before the error history has it, when nobody asks for maps. */
const LOOK_EVERY = '2 seconds'

/** Maps are read when they are asked for. Files that cannot be used are told of at the start, and when they change. */
export const localizationBranch = branch({
  ports: localizationPorts,
  offers: [
    offer(MAP_READER, { files: USER_MAPS, record: RECORD }, (parts) => new MapReader(parts)),
    offer(
      FIELD_MAPS,
      { reader: MAP_READER },
      ({ reader }) =>
        () =>
          new Map([[demoMap.id, demoMap], ...reader.maps()]),
    ),
    offer(
      LEFT_OUT_MAPS,
      { reader: MAP_READER },
      ({ reader }) =>
        () =>
          reader.leftOut(),
    ),
  ],
  needs: { reader: MAP_READER },
  start: ({ reader }) =>
    Effect.gen(function* () {
      yield* Effect.sync(() => reader.maps())
      const look = Effect.promise(() => reader.look())
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(LOOK_EVERY), look)))
    }),
})
