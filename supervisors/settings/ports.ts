// The port of the store of documents.
import { FakeDocuments } from '../../native/documents/fake.ts'
import { DOCUMENTS } from '../../native/documents/port.ts'
import { sqliteDocuments } from '../../native/documents/sqlite.ts'
import { port } from '../composition/branch.ts'

export const settingsPorts = [
  port(DOCUMENTS, {
    device: ({ settingsFolder }) => sqliteDocuments({ dataDir: settingsFolder }),
    fake: () => new FakeDocuments(),
  }),
]
