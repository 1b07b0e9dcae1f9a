// Writes twenty documents in each transaction, all with the number of that, and says each number when it is stored; the
// test that starts it kills it.
import * as Effect from 'effect/Effect'
import { sqliteDocuments } from '../../../native/documents/sqlite.ts'

const [, , dataDir = ''] = process.argv

const commitOf = (number: number, n: number) => ({
  collection: 'numbered',
  collectionRevision: number * 20 + n,
  collectionBase: 0,
  id: `document-${n}`,
  revision: number,
  value: { number, padding: 'x'.repeat(2_000) },
})

const write = (number: number) => {
  const [first = commitOf(number, 0), ...others] = Array.from({ length: 20 }, (_, n) => commitOf(number, n))
  return { ...first, others }
}

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const documents = yield* sqliteDocuments({ dataDir }).open
      for (let number = 1; ; number++) {
        yield* documents.commit(write(number))
        console.log(number)
      }
    }),
  ),
)
