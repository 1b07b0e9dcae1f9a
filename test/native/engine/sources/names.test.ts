// Real engines on cameras that are known by their names, in a network whose name server is gone as often as not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inOwnNetwork, noOwnNetwork } from '../../../support/processes/own-network.ts'

test('a name server that does not answer costs an opening no more than its limit, and is asked once', {
  skip: noOwnNetwork,
}, async (t) => {
  const script = fileURLToPath(new URL('asked-names.ts', import.meta.url))

  const two = '::1 two.example\n127.0.0.1 two.example\n'
  const twoKinds = '::1 two-kinds.example\n10.9.9.9 two-kinds.example\n'
  const outcomes = JSON.parse(await inOwnNetwork(t, script, two + twoKinds))

  for (const name of ['silent', 'moved', 'silentRtsp'])
    assert.match(outcomes[name], /^camera\.missing: the name silent\.example is not found \(nobody answers\)/, name)
  assert.equal(outcomes.once, 'opened')
  assert.match(outcomes.onceRtsp, /^camera\.unreadable: .* has no video there/)
  // The camera answers at the second of its addresses.
  assert.equal(outcomes.two, 'opened')
  assert.match(outcomes.twoKinds, /answers with HTTP 404/, 'that its other address is of another kind is no reason')
  assert.match(outcomes.twoRtsp, /^camera\.unreadable: .* has no video there/)
})
