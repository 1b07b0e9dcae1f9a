// The port of the user's field maps.
import { join } from 'node:path'
import { FakeFieldMaps } from '../../native/localization/fake.ts'
import { fieldMapFiles } from '../../native/localization/files.ts'
import { USER_MAPS } from '../../native/localization/port.ts'
import { solveHere } from '../../native/rig/fake.ts'
import { SURVEY_SOLVER } from '../../native/rig/port.ts'
import { solveInThread } from '../../native/rig/thread.ts'
import { port } from '../composition/branch.ts'

export const localizationPorts = [
  port(USER_MAPS, { device: ({ dataDir }) => fieldMapFiles(join(dataDir, 'maps')), fake: () => new FakeFieldMaps() }),
]

export const surveyPorts = [port(SURVEY_SOLVER, { device: () => solveInThread, fake: () => solveHere })]
