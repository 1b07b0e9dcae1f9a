// The tables in which the robot sees the streams.
import { DIRECTORY } from '../../actors/directory.ts'
import { Adapters } from '../../actors/extcam/adapters.ts'
import { ExtcamTables } from '../../actors/extcam/tables.ts'
import { EXTCAM_ADAPTERS, EXTCAM_TABLES } from '../../actors/extcam/tokens.ts'
import { IMU } from '../../actors/imu/tokens.ts'
import { LIGHTING } from '../../actors/lighting/tokens.ts'
import { TAKE_SNAPSHOT } from '../../actors/media/tokens.ts'
import { NT4_LINK, NT4_SETTINGS, NT4_TURNS } from '../../actors/nt4/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { HARDWARE } from '../../actors/system/tokens.ts'
import { FIELD_MAPS } from '../../machines/localization/field-map.ts'
import { STORED_MODELS } from '../../machines/models/stored-models.ts'
import { UNAVAILABLE_NODES } from '../../machines/pipeline/availability.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { RECORD, supervision } from '../composition/tokens.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { ExtcamChildren } from './children.ts'

export const extcamBranch = branch({
  offers: [
    offer(
      EXTCAM_TABLES,
      { directory: DIRECTORY, nt4Settings: NT4_SETTINGS },
      ({ directory, nt4Settings }) =>
        new ExtcamTables(directory.settings, () => nt4Settings().value.emulate_extcam_api),
    ),
    offer(
      EXTCAM_ADAPTERS,
      {
        clock: CLOCK,
        streams: STREAM_REGISTRY,
        tables: EXTCAM_TABLES,
        maps: FIELD_MAPS,
        link: NT4_LINK,
        hardware: HARDWARE,
        directory: DIRECTORY,
        takeSnapshot: TAKE_SNAPSHOT,
        unavailable: UNAVAILABLE_NODES,
        models: STORED_MODELS,
        imu: IMU,
      },
      (parts) => new Adapters(parts),
    ),
  ],
  needs: {
    ...supervision,
    directory: DIRECTORY,
    streams: STREAM_REGISTRY,
    tables: EXTCAM_TABLES,
    adapters: EXTCAM_ADAPTERS,
    record: RECORD,
    takeSnapshot: TAKE_SNAPSHOT,
    unavailable: UNAVAILABLE_NODES,
    models: STORED_MODELS,
    nt4Settings: NT4_SETTINGS,
    turns: NT4_TURNS,
    lights: LIGHTING,
  },
  start: (parts) => keepAsWanted(parts, new ExtcamChildren(parts)),
})
