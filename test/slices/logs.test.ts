// The log of a real service: what it says on its output is what its files hold, over a restart, without secrets.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { LogLine } from '../../machines/logs/line.ts'
import { site } from '../support/processes/daemon.ts'
import { tokenOf } from '../support/processes/told-token.ts'
import { until } from '../support/until.ts'

interface Page {
  readonly lines: readonly LogLine[]
}

const keptIn = (dataDir: string): string =>
  readdirSync(join(dataDir, 'log'))
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFileSync(join(dataDir, 'log', name), 'utf8'))
    .join('')

test('what a service says stands in its log, over a kill and a restart, but for its token', async (t) => {
  const { start, dataDir } = site(t)
  const first = await start({ profile: 'field', device: 'fake' })
  const token = tokenOf(first)
  const saidFirst = [...first.log]
  const isKept = (message: string) => message.includes(token) || keptIn(dataDir).includes(JSON.stringify(message))
  await until('its lines', () => saidFirst.every(({ message }) => isKept(message)))
  await first.end('SIGKILL')
  const second = await start({ profile: 'field', device: 'fake' })
  const page = await second.get<Page>('/v1/device/logs?limit=1000')
  const download = await fetch(`${second.url}/v1/device/logs/download`)
  const text = gunzipSync(Buffer.from(await download.arrayBuffer())).toString('utf8')

  const messages = page.lines.map(({ message }) => message)
  for (const { message } of saidFirst as typeof first.log)
    assert.ok(messages.includes(message) || message.includes(token), message)
  assert.equal(messages.filter((message) => /told only this once: \[redacted\]/.test(message)).length, 1)
  assert.equal(messages.filter((message) => /is ready/.test(message)).length, 2)
  assert.deepEqual(new Set(page.lines.map(({ boot }) => boot)), new Set([1]))
  for (const [what, all] of Object.entries({ page: JSON.stringify(page), download: text, files: keptIn(dataDir) }))
    assert.ok(!all.includes(token), `the token stands in the ${what}`)
})

test('a service that is refused its data folder writes nothing into the log of the one that has it', async (t) => {
  const { start, attempt, dataDir } = site(t)
  const first = await start()
  await until('its lines', () => /is ready/.test(keptIn(dataDir)))
  const before = keptIn(dataDir)

  const refused = await attempt()

  assert.match(refused.output, /in use/)
  assert.ok(keptIn(dataDir).startsWith(before))
  assert.doesNotMatch(keptIn(dataDir), /in use/)
  await first.end('SIGKILL')
})

test('a log folder that cannot be written keeps nobody from starting, and the log says why', async (t) => {
  const { start, dataDir } = site(t)
  spawnSync('sh', ['-c', `mkdir -p ${dataDir} && touch ${join(dataDir, 'log')}`])

  const daemon = await start()
  const { sources } = await daemon.get<{ sources: readonly { source: string; absent: string | null }[] }>(
    '/v1/device/logs/sources',
  )

  assert.match(sources[0]?.absent ?? '', /^lines cannot be written into .*log \(E/)
})
