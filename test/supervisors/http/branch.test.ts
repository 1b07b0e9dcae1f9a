// The HTTP servers of a service on the ports of this device: over TLS and without.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect as tlsConnect } from 'node:tls'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { DIRECTORY } from '../../../actors/directory.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { HOST_NAME } from '../../../machines/http/host-name.ts'
import { PEER_SERVER_NAME } from '../../../machines/interdevice/server-name.ts'
import { defaultPolicy } from '../../../machines/supervision/policy.ts'
import type { Log } from '../../../native/log/port.ts'
import type { Certificate } from '../../../native/tls/port.ts'
import { compose, devicePorts } from '../../../supervisors/composition/compose.ts'
import { SUPERVISOR } from '../../../supervisors/composition/tokens.ts'
import { httpBranch } from '../../../supervisors/http/branch.ts'
import { readOptions } from '../../../supervisors/options.ts'
import { tree } from '../../../supervisors/tree.ts'
import { rawRequest } from '../../support/api/raw-http.ts'
import { madeElsewhere, shakeHands } from '../../support/peers/certificates.ts'
import { ownIdentity } from '../../support/peers/identity.ts'
import { temporaryFolder } from '../../support/processes/daemon.ts'
import { until } from '../../support/until.ts'

type Line = readonly [level: string, message: string, facts: Readonly<Record<string, unknown>>]

/** A service on the ports of this device, of which only the HTTP servers run. */
const served = async (t: TestContext, prepare: (dataDir: string) => void, ...flags: readonly string[]) => {
  const dataDir = temporaryFolder()
  prepare(dataDir)
  const started = readOptions([`--data-dir=${dataDir}`, '--http=127.0.0.1:0', ...flags], {}, false)
  assert.ok('run' in started)
  const options = started.run
  const scope = Effect.runSync(Scope.make())
  t.after(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(dataDir, { recursive: true })
  })
  const lines: Line[] = []
  const log: Log = (level, message, facts = {}) => lines.push([level, message, facts])
  const composition = { branches: tree, options, ports: devicePorts(tree, options), log, version: '0.0.0' }
  const policy = { ...defaultPolicy, maxRestarts: 0, retryEveryMs: 50 }
  const { resolve } = await Effect.runPromise(Scope.provide(compose({ ...composition, policy }), scope))
  await Effect.runPromise(Scope.provide(httpBranch.start(resolve), scope))
  const { parts } = resolve(DIRECTORY)
  const part = () => parts().find(({ name }) => name === 'https')
  const portOf = (name: string) =>
    resolve(SUPERVISOR).actor(name)?.getSnapshot().context.address?.port as number | undefined
  return {
    dataDir,
    lines,
    hostName: resolve(HOST_NAME),
    identity: ownIdentity({ resolve }),
    http: portOf('http') as number,
    https: () => until('a port for HTTPS', () => portOf('https')) as Promise<number>,
    fault: () => until('the fault of HTTPS', () => part()?.state === 'failed' && part()?.fault) as Promise<Fault>,
  }
}

const isWarning = ([level]: Line): boolean => level === 'warn'

const HEALTH = 'GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('a certificate that cannot be used is a fault of HTTPS alone, until it is put right', async (t) => {
  let folder = ''
  const place = (dataDir: string) => {
    folder = join(dataDir, 'tls')
    mkdirSync(folder)
    writeFileSync(join(folder, 'key.pem'), '')
    writeFileSync(join(folder, 'cert.pem'), '')
  }
  const { fault, http, https } = await served(t, place, '--tls=127.0.0.1:0')

  assert.match((await fault()).detail, new RegExp(`HTTPS cannot be served with .* in ${folder}`))
  assert.equal((await rawRequest(http, HEALTH)).status, 200)

  const { key, cert } = await madeElsewhere()
  writeFileSync(join(folder, 'key.pem'), key)
  writeFileSync(join(folder, 'cert.pem'), cert)
  assert.equal(await shakeHands(await https()), new X509Certificate(cert).fingerprint256)
})

test("the device's own certificate that broke is told of, and HTTPS goes on with another", async (t) => {
  const spoil = (dataDir: string) => {
    mkdirSync(join(dataDir, 'tls'))
    writeFileSync(join(dataDir, 'tls', 'device.pem'), 'garbage')
  }
  const { https, lines } = await served(t, spoil, '--tls=127.0.0.1:0')

  await shakeHands(await https())

  assert.deepEqual(
    lines.filter(isWarning).map(([level, , facts]) => [level, facts.code, facts.resource]),
    [['warn', 'certificate.broken', 'https']],
  )
})

test('a device that gets another name shows a certificate for that, and whoever is connected stays so', async (t) => {
  const { https, hostName, dataDir } = await served(t, () => {}, '--tls=127.0.0.1:0')
  const port = await https()
  const before = await shakeHands(port)
  const connected = tlsConnect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  t.after(() => connected.destroy())
  await once(connected, 'secureConnect')

  hostName.set('front')
  const now = await until(
    'another certificate',
    () => shakeHands(port),
    (each) => each !== before,
  )

  const kept = new X509Certificate(readFileSync(join(dataDir, 'tls', 'device.pem')))
  assert.equal(now, kept.fingerprint256)
  assert.ok(kept.checkHost('front.local'))
  connected.write(HEALTH)
  assert.match(String((await once(connected, 'data'))[0]), /^HTTP\/1\.1 200 /)
})

test('another device sees the identity, whoever else asks the certificate, also after that changed', async (t) => {
  const { https, hostName, identity, dataDir } = await served(t, () => {}, '--tls=127.0.0.1:0')
  const port = await https()
  const asDevice = async () =>
    (await shakeHands(port, { servername: PEER_SERVER_NAME })).replaceAll(':', '').toLowerCase()
  const before = await shakeHands(port)

  assert.equal(await asDevice(), identity.fingerprint)
  assert.equal(before, new X509Certificate(readFileSync(join(dataDir, 'tls', 'device.pem'))).fingerprint256)
  assert.equal(await shakeHands(port, { servername: 'front.local' }), before)

  hostName.set('front')
  await until(
    'another certificate',
    () => shakeHands(port),
    (each) => each !== before,
  )
  assert.equal(await asDevice(), identity.fingerprint)
})

test('a certificate that nobody knows is no reason to break off a handshake', async (t) => {
  const { https } = await served(t, () => {}, '--tls=127.0.0.1:0')
  const { key, cert } = await madeElsewhere()
  const socket = tlsConnect({ port: await https(), host: '127.0.0.1', rejectUnauthorized: false, key, cert })
  t.after(() => socket.destroy())
  await once(socket, 'secureConnect')

  socket.write(HEALTH)

  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /)
})

test('with a new host name a certificate that people placed is read again, served and left alone', async (t) => {
  const [first, second] = [await madeElsewhere(), await madeElsewhere()]
  const put = (dataDir: string, { key, cert }: Certificate) => {
    mkdirSync(join(dataDir, 'tls'), { recursive: true })
    writeFileSync(join(dataDir, 'tls', 'key.pem'), key)
    writeFileSync(join(dataDir, 'tls', 'cert.pem'), cert)
  }
  const { https, hostName, dataDir } = await served(t, (folder) => put(folder, first), '--tls=127.0.0.1:0')
  const port = await https()
  const isShown = async ({ cert }: Certificate) => (await shakeHands(port)) === new X509Certificate(cert).fingerprint256
  assert.ok(await isShown(first))

  put(dataDir, second)
  hostName.set('front')
  await until('the second certificate', () => isShown(second))

  assert.equal(readFileSync(join(dataDir, 'tls', 'key.pem'), 'utf8'), second.key)
  assert.equal(readFileSync(join(dataDir, 'tls', 'cert.pem'), 'utf8'), second.cert)
  assert.deepEqual(readdirSync(join(dataDir, 'tls')).sort(), ['cert.pem', 'key.pem'])
})

test('a certificate that cannot be made anew is told of, and the old one is shown on', async (t) => {
  const { https, hostName, dataDir, lines } = await served(t, () => {}, '--tls=127.0.0.1:0')
  const port = await https()
  const before = await shakeHands(port)
  mkdirSync(join(dataDir, 'tls', 'key.pem'))

  hostName.set('front')
  await until('the warning', () => lines.some(isWarning))

  assert.deepEqual(
    lines.filter(isWarning).map(([, , { code, resource }]) => [code, resource]),
    [['certificate.unusable', 'https']],
  )
  assert.equal(await shakeHands(port), before)
})

test('a taken HTTPS port is a fault like any other', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { fault } = await served(t, () => {}, `--tls=127.0.0.1:${(other.address() as AddressInfo).port}`)

  assert.match((await fault()).detail, /taken by another program/)
})

test('a token file that is no good is told of, and nobody may administer', async (t) => {
  const { dataDir, http, lines } = await served(
    t,
    (folder) => writeFileSync(join(folder, 'administrator-token'), '', { mode: 0o600 }),
    '--profile=locked',
  )
  const asked = HEALTH.replace('\r\n\r\n', '\r\nAuthorization: Bearer anything\r\n\r\n')

  assert.equal((await rawRequest(http, asked)).status, 401)
  assert.deepEqual(
    lines.filter(isWarning).map(([level, message, { code }]) => [level, code, message.includes(dataDir)]),
    [
      ['warn', 'token.unusable', true],
      ['warn', 'token.invalid', false],
    ],
  )
})
