// Parts that fail: what the service can do without is tried again, what it cannot do without ends it, so that the
// system starts it again.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { madeElsewhere, shakeHands } from '../support/peers/certificates.ts'
import { type Daemon, isRunning, QUICK, type StreamMetrics, site } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'
import { until } from '../support/until.ts'

const EXIT_BROKEN = 70

const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 15 } as const

interface Part {
  readonly name: string
  readonly state: string
  readonly fault: { readonly code: string; readonly detail: string } | null
}

const partOf = async (daemon: Daemon, name: string): Promise<Part | undefined> => {
  const { parts } = await daemon.get<{ parts: Part[] }>('/v1/health')
  return parts.find((part) => part.name === name)
}

test('an engine that crashes on and on fails again and again, and each time is tried again', async (t) => {
  const daemon = await site(t, QUICK).start()
  await daemon.addStream({ id: 'front', source })
  await daemon.addStream({ id: 'rear', source })
  const { engine_pid: rear } = await daemon.metrics('rear')

  let last: number | null = null
  for (let kills = 0; kills < 8; kills += 1) {
    const isNext = ({ engine_pid: pid }: StreamMetrics) => pid !== null && pid !== last
    const metrics = await until('another engine', () => daemon.metrics('front'), isNext)
    last = metrics.engine_pid as number
    process.kill(last, 'SIGKILL')
  }

  const { count, detail } = await daemon.error('stream.failed', 'streams/front', (entry) => entry.count === 4)
  assert.equal(count, 4) // from the fifth in a row on
  assert.match(detail, /failed 8 times in a row: .*SIGKILL.* POST \/v1\/streams\/front\/restart/)
  const { status } = await daemon.stream('front', 'live')
  assert.deepEqual([status.fault, status.restarts], [null, 8])
  assert.equal((await partOf(daemon, 'streams/front'))?.fault, null)
  assert.equal((await daemon.metrics('rear')).engine_pid, rear)
})

test('an HTTPS port that is taken is told of and waited for, and all else runs', async (t) => {
  const squatter = createServer()
  await once(squatter.listen(0, '127.0.0.1'), 'listening')
  t.after(() => squatter.close())
  const { port } = squatter.address() as AddressInfo

  const daemon = await site(t, QUICK).start({ tls: `127.0.0.1:${port}` })
  await daemon.addStream({ id: 'front', source })

  const read = () => partOf(daemon, 'https')
  const part = await until('the failure', read, (now) => now?.state === 'failed')
  assert.equal(part?.fault?.code, 'child.failed')
  assert.match(part?.fault?.detail ?? '', new RegExp(`127\\.0\\.0\\.1:${port} is taken by another program`))
  await daemon.error('http.port_taken', 'https', ({ count }) => count >= 6)
  const warnings = daemon.log.filter(({ resource }) => resource === 'https').map(({ code }) => code)
  assert.deepEqual(warnings.slice(0, 2), ['http.port_taken', 'child.failed'])
  assert.ok(warnings.length <= 4, `${warnings.length} warnings`) // a busy machine may take longer than the first pause

  squatter.close()
  await until('HTTPS', read, (now) => now?.state === 'listening' && now.fault === null)
  assert.equal((await daemon.get<{ status: string }>('/v1/health')).status, 'ok')
})

test('a certificate that cannot be used fails HTTPS alone, and is taken once it was put right', async (t) => {
  const { start, dataDir } = site(t, QUICK)
  const folder = join(dataDir, 'tls')
  mkdirSync(folder)
  for (const name of ['key.pem', 'cert.pem']) writeFileSync(join(folder, name), '')
  const port = await freePort()

  const daemon = await start({ tls: `127.0.0.1:${port}` })
  await daemon.addStream({ id: 'front', source })

  const read = () => partOf(daemon, 'https')
  const part = await until('the failure', read, (now) => now?.state === 'failed')
  assert.match(part?.fault?.detail ?? '', /the certificate is empty/)
  await daemon.error('certificate.unusable', 'https')
  await assert.rejects(shakeHands(port), /ECONNREFUSED/)

  const { key, cert } = await madeElsewhere()
  writeFileSync(join(folder, 'key.pem'), key)
  writeFileSync(join(folder, 'cert.pem'), cert)
  await until('HTTPS', read, (now) => now?.state === 'listening')
  assert.equal(await shakeHands(port), new X509Certificate(cert).fingerprint256)
})

test("the device's own certificate that broke is told of and made anew", async (t) => {
  const { start, dataDir } = site(t, QUICK)
  const port = await freePort()
  const first = await start({ tls: `127.0.0.1:${port}` })
  await until(
    'HTTPS',
    () => partOf(first, 'https'),
    (now) => now?.state === 'listening',
  )
  const before = await shakeHands(port)
  await first.end('SIGKILL')
  writeFileSync(join(dataDir, 'tls', 'device.pem'), '')

  const second = await start({ tls: `127.0.0.1:${port}` })

  await until(
    'HTTPS',
    () => partOf(second, 'https'),
    (now) => now?.state === 'listening',
  )
  await second.error('certificate.broken', 'https')
  assert.notEqual(await shakeHands(port), before)
})

test('a token file that is empty brings no new token, and is told of', async (t) => {
  const { start, dataDir } = site(t)
  writeFileSync(join(dataDir, 'administrator-token'), '', { mode: 0o600 })

  const daemon = await start({ profile: 'field' })

  const { detail } = await daemon.error('token.unusable', '')
  assert.match(detail, /administrator-token, where its token is kept, is empty\. Delete it/)
  assert.ok(!/told only this once/.test(daemon.output))
})

test('a main port that cannot be kept open ends the service with its engines', async (t) => {
  const daemon = await site(t, QUICK).start()
  await daemon.addStream({ id: 'front', source })
  const { engine_pid: engine } = await daemon.metrics('front')

  const starts = () => daemon.log.filter(({ message }) => message === 'http started').length
  for (const start of [1, 2, 3, 4, 5]) {
    await until('the API', starts, (count) => count === start)
    await until('an answer', () => fetch(`${daemon.url}/v1/health`).catch(() => undefined))
    process.kill(daemon.pid, 'SIGUSR2')
  }
  const { code, output } = await daemon.ended

  assert.equal(code, EXIT_BROKEN)
  assert.match(output, /there is nothing to run for without http: the service ends/)
  await until(
    'the end of the engine',
    () => isRunning(engine as number),
    (running) => !running,
  )
})

test('what nobody catches is recorded, and ends the service with its engines', async (t) => {
  const { start } = site(t, QUICK)
  const daemon = await start()
  await daemon.addStream({ id: 'front', source })
  const { engine_pid: engine } = await daemon.metrics('front')

  const { code, output, afterMs } = await daemon.end('SIGCONT')

  t.diagnostic(`thrown to ended ${afterMs.toFixed(0)} ms`)
  assert.equal(code, EXIT_BROKEN)
  assert.match(output, /Error: nobody catches this\\n +at /)
  await until(
    'the end of the engine',
    () => isRunning(engine as number),
    (running) => !running,
  )
  const { detail } = await (await start()).error('actor.crashed', '')
  assert.equal(detail, 'Error: nobody catches this')
})

test('a service whose log nobody reads any more goes on', async (t) => {
  const daemon = await site(t).start()
  await daemon.addStream({ id: 'front', source })
  const { engine_pid: first } = await daemon.metrics('front')

  daemon.closeLog()
  process.kill(first as number, 'SIGKILL') // which is worth a line in the log
  const isNext = ({ engine_pid: pid }: StreamMetrics) => pid !== null && pid !== first
  await until('another engine', () => daemon.metrics('front'), isNext)

  const { status } = await daemon.stream('front', 'live')
  assert.equal(status.fault, null)
  const { code } = await daemon.end('SIGTERM')
  assert.equal(code, 0)
})
