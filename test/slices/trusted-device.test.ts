// One device trusts another: it is the same after each start, knows the other one by its certificate, and forgets it
// for good.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import type { Hello } from '../../machines/interdevice/hello.ts'
import { PEER_SERVER_NAME } from '../../machines/interdevice/server-name.ts'
import { fakeIdentity } from '../../native/identity/fake.ts'
import { fileIdentity } from '../../native/identity/file.ts'
import { identityOf } from '../support/peers/identity.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'
import { arrival, until } from '../support/until.ts'

test('who a device is and whom it trusts survives a killed service', async (t) => {
  const { dataDir, start } = site(t)
  const port = await freePort()
  const flags = { profile: 'locked', tls: `127.0.0.1:${port}` }
  const first = await start(flags)
  const friend = fakeIdentity()
  const seen: string[] = []
  const ask = async (path: string) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      agent: false,
      rejectUnauthorized: false,
      servername: PEER_SERVER_NAME,
      key: friend.key,
      cert: friend.cert,
    })
    sent.on('socket', (socket) =>
      socket.once('secureConnect', () => {
        const shown = (socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? ''
        seen.push(shown.replaceAll(':', '').toLowerCase())
      }),
    )
    sent.end()
    const [answer] = (await arrival(`an answer to ${path}`, once(sent, 'response'))) as [IncomingMessage]
    let body = ''
    for await (const chunk of answer) body += chunk
    return { status: answer.statusCode, document: JSON.parse(body) }
  }
  const identified = async () => (await ask('/v1/session')).document.identified_by
  const token = tokenOf(first)

  await servingTls(first, token)
  const { device_id, fingerprint } = (await ask('/v1/interdevice/hello')).document as Hello
  assert.deepEqual(seen, [fingerprint])
  assert.equal(await identified(), 'nothing')
  const entered = await first.send<{ id: string }>(
    'POST',
    '/v1/peers/trust',
    { name: 'Friend', fingerprint: friend.fingerprint },
    token,
  )
  assert.equal(entered.status, 201, JSON.stringify(entered.body))
  assert.equal(await identified(), 'peer')
  await first.end('SIGKILL')

  const second = await start(flags)
  await servingTls(second, token)
  const again = (await ask('/v1/interdevice/hello')).document as Hello
  assert.deepEqual([again.device_id, again.fingerprint], [device_id, fingerprint])
  assert.equal(
    identityOf(fileIdentity(join(dataDir, 'identity.pem'), () => assert.fail('it is whole'))).fingerprint,
    fingerprint,
  )
  assert.equal(await identified(), 'peer')
  await second.send('DELETE', `/v1/peers/trust/${entered.body.id}`, undefined, token)
  assert.equal(await identified(), 'nothing')
  const [key] = readFileSync(join(dataDir, 'identity.pem'), 'utf8').split('-----END PRIVATE KEY')
  assert.ok(!(first.output + second.output).includes(String(key).split('\n')[1] ?? ''), 'no key is in the log')
})

/** HTTPS is no reason to wait with everything else. */
const servingTls = (daemon: Daemon, token: string) =>
  until(
    'HTTPS',
    () => daemon.send<{ parts: { name: string; state: string }[] }>('GET', '/v1/health', undefined, token),
    ({ body: { parts } }) => parts.some(({ name, state }) => name === 'https' && state === 'listening'),
  )

/** The token that a service told in its log, at its first start. */
const tokenOf = ({ log }: Daemon): string => {
  const told = log.map(({ message }) => /told only this once: (\S+)/.exec(String(message))?.[1]).find(Boolean)
  assert.ok(told, 'no token was told')
  return told
}
