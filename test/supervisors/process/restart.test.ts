// The service that restarts itself: a process that was started by hand, over real sockets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../../machines/jobs/job.ts'
import { site } from '../../support/processes/daemon.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { until } from '../../support/until.ts'

test('a service that nobody watches becomes its next run, which says how the restart ended', async (t) => {
  const http = `127.0.0.1:${await freePort()}`
  const daemon = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start({ http })
  const health = () => daemon.get<{ started_at_ms: number }>('/v1/health')
  const before = await health()

  const { status, body } = await daemon.send<Job>('POST', '/v1/device/restart', { target: 'service' })
  assert.equal(status, 200, JSON.stringify(body))
  const ended = await until(
    'the job of the next run',
    () => daemon.get<Job>(`/v1/jobs/${body.id}`).catch(() => undefined),
    (job) => job !== undefined && job.state !== 'running' && job.state !== 'queued',
  )

  assert.equal(ended?.state, 'done', JSON.stringify(ended))
  const result = ended?.result as { target: string; took_ms: number; detail: string }
  assert.deepEqual([result.target, result.detail], ['service', 'The service has started again.'])
  assert.ok(result.took_ms > 0)
  assert.notEqual((await health()).started_at_ms, before.started_at_ms)
  assert.deepEqual((await daemon.end('SIGTERM')).code, 0)
})
