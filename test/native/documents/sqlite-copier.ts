// A process that opens the settings, has a copy of them made, and ends.
import * as Effect from 'effect/Effect'
import { sqliteDocuments } from '../../../native/documents/sqlite.ts'

const [dataDir = ''] = process.argv.slice(2)

await Effect.runPromise(Effect.scoped(Effect.flatMap(sqliteDocuments({ dataDir }).open, ({ keepCopy }) => keepCopy)))
