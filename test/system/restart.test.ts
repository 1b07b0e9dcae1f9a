// Restarts of a device in an emulated machine: by the API through logind and by its unit, what is found again after
// them, and what the logs of the system tell over them. `npm run test:system`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Device, SKIP_DEVICE, startDevice } from '../support/guest/device.ts'

const SOURCES = '/v1/device/logs/sources'

/** Orders a restart; gives its job. */
const order = async ({ ask }: Device, target: 'device' | 'service'): Promise<string> => {
  const { status, body } = await ask({ method: 'POST', path: '/v1/device/restart', body: { target, when: 'now' } })
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}

const ended = async ({ askUntil }: Device, job: string) =>
  (await askUntil({ path: `/v1/jobs/${job}` }, ({ status, body }) => status === 200 && body.ended_at_ms !== null)).body

const linesOf = async ({ askUntil }: Device, query: string) => {
  const { body } = await askUntil({ path: `/v1/device/logs?source=journal&${query}` })
  return body
}

const textsIn = ({ lines }: { lines: readonly { message: string }[] }) => lines.map(({ message }) => message)

test('a real device is restarted, and knows it', { skip: SKIP_DEVICE }, async (t) => {
  const device = await startDevice(t)
  const { guest, ask, askUntil } = device
  const bootId = async () => (await guest.output('cat /proc/sys/kernel/random/boot_id')).trim().replaceAll('-', '')

  await t.test('the service is restarted by its unit, and its job says so', async () => {
    const before = await guest.output('systemctl show -p MainPID --value vedette')

    const { state, result, fault } = await ended(device, await order(device, 'service'))

    assert.equal(state, 'done', JSON.stringify(fault))
    assert.match(result.detail, /^The service has started again\.$/)
    assert.ok(result.took_ms > 0)
    assert.notEqual(await guest.output('systemctl show -p MainPID --value vedette'), before)
    assert.equal(await guest.output('systemctl show -p Result --value vedette'), 'success\n')
  })

  await t.test('it gets another name, which the system has at once', async () => {
    const { status, body } = await ask({ method: 'POST', path: '/v1/device/hostname', body: { hostname: 'front' } })

    assert.equal(status, 204, JSON.stringify(body))
    assert.equal(await guest.output('hostname; cat /etc/hostname'), 'front\nfront\n')
  })

  let cursor = ''
  await t.test('the journal is read, line after line', async () => {
    await guest.output('for n in 1 2 3; do echo "beacon before $n" | systemd-cat -t probe; done; journalctl --sync')

    const page = await linesOf(device, 'text=beacon&limit=2')

    assert.deepEqual(textsIn(page), ['beacon before 2', 'beacon before 3'])
    assert.equal(page.lines[0].part, 'probe')
    assert.equal(page.lines[0].boot, 1)
    const older = await linesOf(device, `text=beacon&limit=2&cursor=${encodeURIComponent(page.older_cursor)}`)
    assert.deepEqual(textsIn(older), ['beacon before 1'])
    cursor = page.newer_cursor
  })

  await t.test('the device is restarted, and its job is found again as done', async () => {
    const before = await bootId()
    const job = await order(device, 'device')
    await guest.rebooted()

    const { state, result, fault } = await ended(device, job)

    assert.equal(state, 'done', JSON.stringify(fault))
    assert.equal(result.detail, 'The device has started again.')
    assert.notEqual(await bootId(), before)
  })

  await t.test('it has kept its name', async () => {
    assert.equal((await askUntil({ path: '/v1/device/hostname' })).body.hostname, 'front')
    assert.equal(await guest.output('hostname'), 'front\n')
  })

  await t.test('starts are counted, and the lines of each are found by its number', async () => {
    await guest.output('echo "beacon after" | systemd-cat -t probe; journalctl --sync')
    const { body } = await askUntil({ path: SOURCES })
    assert.deepEqual(
      body.boots.map(({ boot }: { boot: number }) => boot),
      [1, 2],
    )
    assert.equal(body.boots[1].boot_id, await bootId())
    assert.deepEqual(
      body.sources.map(({ absent }: { absent: string | null }) => absent),
      [null, null, null],
    )

    const [first, second] = [await linesOf(device, 'boot=1&text=beacon'), await linesOf(device, 'boot=2&text=beacon')]

    assert.deepEqual(textsIn(first), ['beacon before 1', 'beacon before 2', 'beacon before 3'])
    assert.deepEqual(textsIn(second), ['beacon after'])
    assert.equal(second.lines[0].boot, 2)
  })

  await t.test('a cursor from before the restart goes on after it', async () => {
    const page = await linesOf(device, `text=beacon&cursor=${encodeURIComponent(cursor)}`)

    assert.deepEqual(textsIn(page), ['beacon after'])
    assert.equal(page.gone, null)
  })

  await t.test('the kernel is a log of its own', async () => {
    const { body } = await askUntil({ path: '/v1/device/logs?source=kernel&boot=2&text=Linux%20version' })

    assert.equal(body.absent, null)
    assert.deepEqual(
      body.lines.map(({ part, boot }: { part: string; boot: number }) => [part, boot]),
      [['kernel', 2]],
    )
  })

  await t.test('a cut of the power is told from a restart, and takes nothing away that was answered', async () => {
    const { body: orderly } = await askUntil({ path: '/v1/device/os' })
    assert.deepEqual(
      [orderly.runs.starts, orderly.runs.unsafe_shutdowns, orderly.runs.last_was_unsafe],
      [2, 0, false],
      JSON.stringify(orderly.runs),
    )
    const named = await ask({ method: 'POST', path: '/v1/device/hostname', body: { hostname: 'rear' } })
    assert.equal(named.status, 204, JSON.stringify(named.body))
    await guest.cutPower()
    await guest.start()

    const { body: cut } = await askUntil({ path: '/v1/device/os' })
    assert.deepEqual([cut.runs.starts, cut.runs.unsafe_shutdowns, cut.runs.last_was_unsafe], [3, 1, true])
    assert.equal((await askUntil({ path: '/v1/device/hostname' })).body.hostname, 'rear')
    assert.equal((await askUntil({ path: SOURCES })).body.boot, 3)
  })
})
