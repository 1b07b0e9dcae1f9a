// The media of this device.
import { join } from 'node:path'
import { CLOCK } from '../../native/clock/port.ts'
import { OPEN_DOCUMENTS } from '../../native/documents/port.ts'
import { fakeMedia } from '../../native/media/fake.ts'
import { MediaFolder } from '../../native/media/folder.ts'
import { MEDIA_STORE } from '../../native/media/port.ts'
import { FileMedia } from '../../native/media/store.ts'
import { port } from '../composition/branch.ts'

const needs = { clock: CLOCK, documents: OPEN_DOCUMENTS }

export const mediaPorts = [
  port(MEDIA_STORE, {
    needs,
    device: ({ dataDir }, { clock, documents }) =>
      new FileMedia({ clock, rows: () => documents.value?.media, folder: new MediaFolder(join(dataDir, 'media')) }),
    fake: ({ clock, documents }) => fakeMedia({ clock, rows: () => documents.value?.media }),
  }),
]
