// The lenses of the cameras, checked while the robot drives about.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { LENS_CHECKS, LOCALIZATION } from '../../actors/localization/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { localizationConfigIn } from '../../machines/localization/config-collection.ts'
import { FIELD_MAPS } from '../../machines/localization/field-map.ts'
import { LensChecks } from '../../machines/localization/lens-checks.ts'
import { lensKeyOf } from '../../machines/stream/lens-key.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'

/** It only listens to the rounds that are solved anyway. */
export const lensCheckBranch = branch({
  offers: [offer(LENS_CHECKS, {}, () => new LensChecks())],
  needs: {
    checks: LENS_CHECKS,
    localization: LOCALIZATION,
    streams: STREAM_REGISTRY,
    directory: DIRECTORY,
    maps: FIELD_MAPS,
  },
  start: ({ checks, localization, streams, directory, maps }) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() =>
          localization.rounds.subscribe((round) =>
            checks.take(round, (mapId) => {
              const map = maps().get(mapId)
              return (
                map && {
                  map,
                  errors: localizationConfigIn(directory.settings).value.errors,
                  lensOf: (id) => lensKeyOf(streams.get(id)?.manifest),
                }
              )
            }),
          ),
        ),
        (stop) => Effect.sync(stop),
      ),
    ),
})
