// What a device in an emulated machine has too little of: memory, by the kernel's own reckoning (PSI), and room on its
// disk; how the metrics, the resource guard and the API tell of it, and that they let go. `npm run test:system`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceGuard } from '../../api/guard/wire.ts'
import { type Device, SKIP_DEVICE, startDevice } from '../support/guest/device.ts'

const METRICS = '/v1/device/metrics'
const GUARD = '/v1/device/resource-guard'
const MADE = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 }
const MAX_TURNS = 100
const POSE = { y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }

/** Programs that want more memory than their group may have wait for it, and the kernel reckons that as it should. */
const HOG = `
systemd-run --quiet --unit=hog --property=MemoryHigh=24M sh -c \
  'while true; do head -c 200M /dev/zero | tail -c 200M >/dev/null; done'
`

/** Leaves so many bytes to users other than root. */
const leave = (bytes: number): string =>
  `fallocate -l $(($(df --output=avail -B1 /var/lib/vedette | tail -n 1) - ${bytes})) /ballast`

/** A fuller disk than users other than root may have: a file that takes all that is left. */
const FILL = 'dd if=/dev/zero of=/ballast bs=1M oflag=append conv=notrunc 2>/dev/null; sync; test -s /ballast'

const troubleIn = (body: { troubles: readonly { what: string; detail: string }[] }, what: string) =>
  body.troubles.find((each) => each.what === what)

const causeIn = ({ causes }: ResourceGuard, cause: string) => causes.find((each) => each.cause === cause)

const metricsWith = ({ askUntil }: Device, what: string, isThere = true) =>
  askUntil(
    { path: METRICS },
    ({ status, body }) => status === 200 && (troubleIn(body, what) !== undefined) === isThere,
  ).then(({ body }) => body)

const guardWith = ({ askUntil }: Device, cause: string, isThere = true): Promise<ResourceGuard> =>
  askUntil(
    { path: GUARD },
    ({ status, body }) => status === 200 && (causeIn(body, cause) !== undefined) === isThere,
  ).then(({ body }) => body)

test('a real device tells what it has too little of', { skip: SKIP_DEVICE }, async (t) => {
  const device = await startDevice(t)
  const { guest, ask, askUntil } = device

  await t.test('its kernel reckons pressure, and so the guard goes by that', async () => {
    const added = await ask({ method: 'POST', path: '/v1/streams', body: { id: 'front', source: MADE } })
    assert.equal(added.status, 200, JSON.stringify(added.body))

    const { body } = await askUntil(
      { path: METRICS },
      (answer) => answer.body.pressure?.memory.full_avg10 !== undefined,
    )
    const guard = await askUntil({ path: GUARD }, (answer) => answer.body.figures !== null)

    assert.equal(typeof body.pressure.cpu.some_avg10, 'number')
    assert.equal(typeof body.pressure.io.full_avg10, 'number')
    assert.equal(typeof guard.body.figures.memory_some, 'number')
    assert.ok(body.memory.total_bytes > 900e6 && body.memory.total_bytes < 1100e6, String(body.memory.total_bytes))
    assert.ok(body.disk.free_bytes > 1e9, String(body.disk.free_bytes))
  })

  await t.test('programs wait for memory: metrics and guard say so, and let go', async (step) => {
    await guest.output(HOG)

    const short = await metricsWith(device, 'low-memory')
    const { causes, figures } = await guardWith(device, 'memory')
    step.diagnostic(`memory pressure ${JSON.stringify(short.pressure.memory)}, ${JSON.stringify(causes)}`)
    const told = Number((await guest.output('cat /proc/pressure/memory')).match(/^some avg10=([\d.]+)/)?.[1])
    assert.ok(told > 5 && short.pressure.memory.some_avg10 > 10, `${told}`)
    assert.equal(figures?.memory_available !== null, true)
    assert.match(troubleIn(short, 'low-memory')?.detail ?? '', /programs wait for it/)
    assert.equal((await askUntil({ path: '/v1/streams/front' })).body.status.fault, null)

    await guest.output('systemctl stop hog')
    await metricsWith(device, 'low-memory', false)
    await guardWith(device, 'memory', false)
  })

  await t.test('there is hardly any room on the disk: that is told before it is full', async () => {
    await guest.output(leave(300e6))
    const { disk, troubles } = await metricsWith(device, 'full-disk')
    assert.ok(disk.free_bytes <= 300e6, String(disk.free_bytes))
    assert.match(troubleIn({ troubles }, 'full-disk')?.detail ?? '', /^Only \d+ MB of the disk are left/)

    await guest.output(`rm /ballast && ${leave(20e6)}`)
    const guard = await guardWith(device, 'disk_room')
    assert.deepEqual(causeIn(guard, 'disk_room')?.asks, 'cut')
  })

  await t.test('the disk is full: what cannot be stored is refused, and the stream runs on', async () => {
    await guest.output(FILL)

    const put = (x_m: number) => ask({ method: 'PUT', path: '/v1/streams/front/pose', body: { ...POSE, x_m } })
    let refused = await put(0)
    // some room was set aside before
    for (let turn = 1; refused.status === 204 && turn < MAX_TURNS; turn++) refused = await put(turn / MAX_TURNS)
    assert.deepEqual([refused.status, refused.body?.code], [507, 'storage.full'])
    const { body } = await askUntil({ path: '/v1/streams/front' }, (answer) => answer.body.status.state === 'live')
    assert.equal(body.status.restarts, 0)

    await guest.output('rm /ballast && sync')
    assert.equal((await put(1)).status, 204)
    await metricsWith(device, 'full-disk', false)
    await guardWith(device, 'disk_room', false)
  })
})
