// A crowd at the NT4 server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_CONNECTIONS } from '../../../../machines/http/admission.ts'
import { crowd, stillThere } from '../../../support/api/crowd.ts'
import { gather, nt4Lab } from '../../../support/nt4/nt4.ts'
import { until } from '../../../support/until.ts'

test('a crowd that says nothing takes no more than its places, and robots keep theirs and still get in', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const early = await lab.connect(port, 'early')
  const sockets = await crowd(t, port, MAX_CONNECTIONS + 20)

  const late = await lab.connect(port, 'late')
  early.write([[early.publish('/x', 'double'), 1]], early.serverTimeUs())
  const heard = gather(late, ['/x'])

  await heard.atLeast(1)
  await until(
    'the crowd to be cut off',
    () => stillThere(sockets),
    (count) => count < MAX_CONNECTIONS,
  )
  assert.ok(stillThere(sockets) >= MAX_CONNECTIONS - 10, `${stillThere(sockets)} are still there`)
})
