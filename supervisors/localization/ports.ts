// Where the field maps of the user are.
import { join } from 'node:path'
import { FakeFieldMaps } from '../../native/field-maps/fake.ts'
import { fieldMapFiles } from '../../native/field-maps/files.ts'
import { USER_MAPS } from '../../native/field-maps/port.ts'
import { port } from '../composition/branch.ts'

export const localizationPorts = [
  port(USER_MAPS, { device: ({ dataDir }) => fieldMapFiles(join(dataDir, 'maps')), fake: () => new FakeFieldMaps() }),
]
