// Whether a write that was acknowledged is ever lost: a process that writes documents as fast as it can is killed at
// any moment, again and again, and what it said that it had written is looked for.
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import { sqliteDocuments } from '../../../native/documents/sqlite.ts'
import { killedAfter } from '../../support/processes/killed.ts'
import { type Measurement, ROOT } from '../lab/lab.ts'

const KILLS = 500
const MAX_WRITES = 40
const WRITER = join(ROOT, 'test/native/documents/sqlite-writer.ts')

export const storeKills: Measurement = async (lab) => {
  const dataDir = join(lab.folder, 'data')
  let [lost, acknowledged] = [0, 0]
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const writes = 1 + Math.floor(Math.random() * MAX_WRITES)
    acknowledged = Number((await killedAfter(writes, [WRITER, dataDir])).at(-1) ?? acknowledged)
    const { documents } = await Effect.runPromise(
      Effect.scoped(Effect.flatMap(sqliteDocuments({ dataDir }).open, ({ load }) => load)),
    )
    if ((documents[0]?.revision ?? 0) < acknowledged) lost += 1
    if (kill % 50 === 0) lab.say(`${kill} kills, ${acknowledged} writes acknowledged, ${lost} times something was lost`)
  }
  const figure = { atMost: 0 }
  const from = `${KILLS} kills, ${acknowledged} writes`
  return [
    {
      what: 'kills after which an acknowledged write was lost',
      unit: '',
      measured: lost,
      low: lost,
      high: lost,
      from,
      figure,
    },
  ]
}
