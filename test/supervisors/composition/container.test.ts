// The service as it is composed, as far as it can be tried without growing the tree: over TLS and without.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import type { ServeHttp } from '../../../actors/http/http-server-actor.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Log } from '../../../native/log/port.ts'
import { compose } from '../../../supervisors/composition/container.ts'
import { readOptions } from '../../../supervisors/options.ts'
import { madeElsewhere, shakeHands } from '../../support/certificates.ts'
import { temporaryFolder } from '../../support/daemon.ts'
import { rawRequest } from '../../support/raw-http.ts'

type Line = readonly [level: string, message: string, facts: Readonly<Record<string, unknown>>]

const composed = async (t: TestContext, prepare: (dataDir: string) => void, ...flags: readonly string[]) => {
  const dataDir = temporaryFolder()
  prepare(dataDir)
  const started = readOptions([`--data-dir=${dataDir}`, '--http=127.0.0.1:0', ...flags], {}, false)
  assert.ok('run' in started)
  const scope = Effect.runSync(Scope.make())
  t.after(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(dataDir, { recursive: true })
  })
  const lines: Line[] = []
  const log: Log = (level, message, facts = {}) => lines.push([level, message, facts])
  const parts = await Effect.runPromise(Scope.provide(compose(started.run, log, '0.0.0'), scope))
  const serve = async (how: ServeHttp) => (await Effect.runPromise(Scope.provide(how, scope))).address
  const fault = (how: ServeHttp): Promise<Fault> => Effect.runPromise(Scope.provide(Effect.flip(how), scope))
  return { dataDir, lines, serve, fault, http: parts.serveHttp, https: parts.serveHttps as ServeHttp }
}

const HEALTH = 'GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('a certificate that cannot be used is a fault of HTTPS alone, until it is put right', async (t) => {
  let folder = ''
  const place = (dataDir: string) => {
    folder = join(dataDir, 'tls')
    mkdirSync(folder)
    writeFileSync(join(folder, 'key.pem'), '')
    writeFileSync(join(folder, 'cert.pem'), '')
  }
  const { serve, fault, http, https } = await composed(t, place, '--tls=127.0.0.1:0')

  const { code, detail } = await fault(https)
  const plain = await serve(http)

  assert.equal(code, 'certificate.unusable')
  assert.ok(detail.includes(folder))
  assert.equal((await rawRequest(plain.port, HEALTH)).status, 200)

  const { key, cert } = await madeElsewhere()
  writeFileSync(join(folder, 'key.pem'), key)
  writeFileSync(join(folder, 'cert.pem'), cert)
  const { port } = await serve(https)
  assert.equal(await shakeHands(port), new X509Certificate(cert).fingerprint256)
})

test("the device's own certificate that broke is told of, and HTTPS goes on with another", async (t) => {
  const spoil = (dataDir: string) => {
    mkdirSync(join(dataDir, 'tls'))
    writeFileSync(join(dataDir, 'tls', 'device.pem'), 'garbage')
  }
  const { serve, https, lines } = await composed(t, spoil, '--tls=127.0.0.1:0')

  const { port } = await serve(https)

  await shakeHands(port)
  assert.deepEqual(
    lines.map(([level, , facts]) => [level, facts.code, facts.resource]),
    [['warn', 'certificate.broken', 'https']],
  )
})

test('a taken HTTPS port is a fault like any other', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { fault, https } = await composed(t, () => {}, `--tls=127.0.0.1:${(other.address() as AddressInfo).port}`)

  assert.equal((await fault(https)).code, 'http.port_taken')
})

test('a token file that is no good is told of, and nobody may administer', async (t) => {
  const { dataDir, serve, http, lines } = await composed(
    t,
    (folder) => writeFileSync(join(folder, 'administrator-token'), ''),
    '--profile=locked',
  )
  const { port } = await serve(http)
  const asked = HEALTH.replace('\r\n\r\n', '\r\nAuthorization: Bearer anything\r\n\r\n')

  assert.equal((await rawRequest(port, asked)).status, 401)
  assert.deepEqual(
    lines.map(([level, message, { code }]) => [level, code, message.includes(dataDir)]),
    [['warn', 'token.unusable', true]],
  )
})
