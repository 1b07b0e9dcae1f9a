// The tables in which the robot sees the streams.
import { DIRECTORY } from '../../actors/directory.ts'
import { NT4_LINK, NT4_SETTINGS } from '../../actors/nt4/tokens.ts'
import { STREAM_DESKS } from '../../actors/stream/tokens.ts'
import { FIELD_MAPS } from '../../machines/localization/field-map.ts'
import { HARDWARE } from '../../native/hardware/port.ts'
import { ExtcamChildren } from '../children/extcam.ts'
import { branch } from '../composition/branch.ts'
import { supervision } from '../composition/tokens.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { extcamPorts } from './ports.ts'

export const extcamBranch = branch({
  ports: extcamPorts,
  needs: {
    ...{ ...supervision, directory: DIRECTORY, desks: STREAM_DESKS, maps: FIELD_MAPS },
    ...{ link: NT4_LINK, nt4Settings: NT4_SETTINGS, hardware: HARDWARE },
  },
  start: (parts) => keepAsWanted(parts, new ExtcamChildren(parts)),
})
