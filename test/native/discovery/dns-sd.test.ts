// DNS-SD between two devices that are joined by a cable: real packets in networks of their own.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { oneLine } from '../../../machines/schema/one-line.ts'

const UNSHARE = ['--user', '--map-root-user', '--net', 'sh', '-ec'] as const
const CABLE =
  'ip link set lo up; ip link add va type veth peer name vb; ip address add 10.99.0.1/24 dev va; ip link set va up'

const noCable: string | false =
  spawnSync('unshare', [...UNSHARE, CABLE]).status === 0
    ? false
    : oneLine`
      two networks with a cable between them cannot be made here (unshare, ip: user namespaces or veth may be switched
      off)
    `

test('devices without a route to anywhere hear each other, and of each other when they go', {
  skip: noCable,
}, async (t) => {
  const script = join(import.meta.dirname, 'announcing.ts')
  const child = spawn('unshare', [...UNSHARE, `${CABLE}; exec "$@"`, 'sh', process.execPath, script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => void child.kill('SIGKILL'))
  const closed = once(child, 'close')
  const [said, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
  await closed
  assert.equal(complaints, '')
  const { addresses, heard, isSilent, closedMs, fault } = JSON.parse(said)

  assert.deepEqual(addresses, ['10.99.0.1'])
  assert.deepEqual(heard, { name: 'other', address: '10.99.0.2', port: 5800, txt: { id: 'id of other', v: '1.0' } })
  assert.equal(isSilent, true, 'one that was killed does not answer')
  assert.ok(closedMs < 500, `it took ${closedMs} ms to stop`)
  assert.match(fault, /DNS-SD does not work at 10\.99\.0\.1: .*EADDRINUSE/)
})
