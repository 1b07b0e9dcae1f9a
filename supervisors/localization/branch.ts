// The field maps.
import * as Effect from 'effect/Effect'
import { demoMap, FIELD_MAPS } from '../../machines/localization/field-map.ts'
import { USER_MAPS } from '../../native/field-maps/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { RECORD } from '../composition/tokens.ts'
import { localizationPorts } from './ports.ts'

/** Starts nothing: maps are read when they are asked for. Those that cannot be used are told of at the start. */
export const localizationBranch = branch({
  ports: localizationPorts,
  offers: [
    offer(
      FIELD_MAPS,
      { files: USER_MAPS },
      ({ files }) =>
        () =>
          new Map([[demoMap.id, demoMap], ...files.read().maps]),
    ),
  ],
  needs: { files: USER_MAPS, record: RECORD },
  start: ({ files, record }) =>
    Effect.sync(() => {
      for (const fault of files.read().faults) record(fault)
    }),
})
