// The tables in which robots and their tools find the streams under our own name.
import { DIRECTORY } from '../../actors/directory.ts'
import { IMU } from '../../actors/imu/tokens.ts'
import { LOCALIZATION } from '../../actors/localization/tokens.ts'
import { NT4_LINK, NT4_SETTINGS, NT4_TURNS } from '../../actors/nt4/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { FIELD_MAPS } from '../../machines/localization/field-map.ts'
import { branch } from '../composition/branch.ts'
import { RECORD, supervision } from '../composition/tokens.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { OwnTableChildren } from './children.ts'

export const ownTableBranch = branch({
  needs: {
    ...supervision,
    directory: DIRECTORY,
    streams: STREAM_REGISTRY,
    maps: FIELD_MAPS,
    localization: LOCALIZATION,
    imu: IMU,
    settings: NT4_SETTINGS,
    link: NT4_LINK,
    turns: NT4_TURNS,
    record: RECORD,
  },
  start: (parts) => keepAsWanted(parts, new OwnTableChildren(parts)),
})
