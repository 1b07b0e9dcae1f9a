// A process to be killed: writes documents as fast as it can, and says each revision on stdout once it is acknowledged.
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { askNow } from '../../../actors/ask.ts'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { settingsActor } from '../../../actors/settings/settings-writer-actor.ts'
import { putOrder } from '../../../machines/settings/commit.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import { sqliteDocuments } from '../../../native/documents/sqlite.ts'
import { anyDocuments, anyStreams } from '../../support/api/any-documents.ts'

const [dataDir] = process.argv.slice(2)
if (!dataDir) throw new Error('say where: it would write into the present folder, and for ever')

const write = Effect.gen(function* () {
  const documents = yield* sqliteDocuments({ dataDir }).open
  const events = createEventBus({ epoch: 'e', nowMs: () => 0 })
  const parts = { documents, store: createSettingsStore(), events, record: () => {} }
  const actor = createActor(settingsActor(parts), { input: { collections: anyDocuments } }).start()
  for (let n = 0; ; n += 1) {
    // More than a page, so that a commit is several writes; and never what is there already, which would be no write.
    const value = { n, writer: process.pid, padding: 'x'.repeat(5000) }
    const reply = yield* Effect.promise(() => askNow(actor, putOrder(anyStreams, 'front', value)))
    writeSync(1, `${reply.outcome === 'done' ? reply.value?.revision : JSON.stringify(reply)}\n`)
  }
})

flushCompileCache() // it will have no other chance
await Effect.runPromise(Effect.scoped(write))
