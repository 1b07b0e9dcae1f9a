// A real service whose disk takes no identity: it says so, does everything else, and is the same device from the moment
// on in which it can store one.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Hello } from '../../machines/interdevice/hello.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

interface Health {
  readonly status: string
  readonly parts: readonly { readonly name: string; readonly fault: { readonly code: string } | null }[]
}

test('a device on a full disk is nobody, tries again by itself, and keeps what it gets then', async (t) => {
  const place = site(t)
  const inTheWay = join(place.dataDir, 'identity.pem.next')
  mkdirSync(join(inTheWay, 'as-a-full-disk'), { recursive: true })
  const daemon = await place.start()
  const hello = () => daemon.send<Hello & { readonly code?: string }>('GET', '/v1/interdevice/hello')
  const missing = async () => {
    const { parts } = await daemon.get<Health>('/v1/health')
    return parts.find(({ name }) => name === 'identity')?.fault?.code
  }

  assert.equal(await missing(), 'identity.not_kept')
  const { status, body } = await hello()
  assert.deepEqual([status, body.code], [503, 'identity.not_kept'])
  const { items } = await daemon.get<{ items: readonly { readonly code: string }[] }>('/v1/errors')
  assert.ok(items.some(({ code }) => code === 'identity.not_kept'))
  rmSync(inTheWay, { recursive: true })
  await until('an identity', missing, (code) => code === undefined)

  const { device_id } = (await hello()).body
  assert.ok(device_id)
  await daemon.end('SIGKILL')
  const again = await place.start()
  assert.equal((await again.get<Hello>('/v1/interdevice/hello')).device_id, device_id)
})
