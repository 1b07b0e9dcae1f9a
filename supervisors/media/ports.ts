// The media of this device.
import { join } from 'node:path'
import { DIRECTORY, type Directory } from '../../actors/directory.ts'
import { graphCollection } from '../../machines/pipeline/stored-graphs.ts'
import { documentOf, documentsOf } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { OPEN_DOCUMENTS } from '../../native/documents/port.ts'
import { fakeMedia } from '../../native/media/fake.ts'
import { MEDIA_FOLDER, MediaFolder } from '../../native/media/folder.ts'
import { usedByStreams } from '../../native/media/in-use.ts'
import { MEDIA_STORE } from '../../native/media/port.ts'
import { FileMedia } from '../../native/media/store.ts'
import { port } from '../composition/branch.ts'

const needs = { clock: CLOCK, documents: OPEN_DOCUMENTS, directory: DIRECTORY }

const inUse = ({ settings }: Directory) =>
  usedByStreams(
    () => Object.values(documentsOf(settings, streamCollection)).map(({ value }) => value),
    (id) => documentOf(settings, graphCollection, id)?.value,
  )

export const mediaPorts = [
  port(MEDIA_STORE, {
    needs,
    device: ({ dataDir }, { clock, documents, directory }) =>
      new FileMedia({
        clock,
        inUse: inUse(directory),
        rows: () => documents.value?.media,
        folder: new MediaFolder(join(dataDir, MEDIA_FOLDER)),
      }),
    fake: ({ clock, documents, directory }) =>
      fakeMedia({ clock, inUse: inUse(directory), rows: () => documents.value?.media }),
  }),
]
