// All of a device is killed while its version changes: the launcher, the service, and what installs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seeded } from '../../support/engine/random-graphs.ts'
import { shortOrLong } from '../../support/long.ts'
import { playKills } from '../../support/update/kill-rounds.ts'

const ROUNDS = shortOrLong(6, 200)

test('after a kill of everything the old version or the new one runs, with its settings, and says why', {
  timeout: 3_600_000,
}, async (t) => {
  const seen = await playKills(t, seeded(35), ROUNDS)

  t.diagnostic(JSON.stringify(seen))
  assert.equal(seen.old + seen.changed, ROUNDS)
  assert.ok(seen.changed > 0, 'there were changes')
})
