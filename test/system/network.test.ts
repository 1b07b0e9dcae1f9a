// A change of the network of a device in an emulated machine, as somebody beside it makes it: over the cable, through
// the service as its package installs it, polkit's rules and Debian's NetworkManager. `npm run test:system`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Device, GIVEN, SKIP_DEVICE, startDevice, WANTED } from '../support/guest/device.ts'
import { until } from '../support/until.ts'

const LIMIT_S = 12
const LONG_S = 600
const TAKEN = '10.12.34.3' // by whoever is asked for names
const OTHER_MANAGER = `[Match]
MACAddress=52:54:00:12:34:56
[Network]
Address=${WANTED}/24
`

/** The interface that has the cable, asked at an address of the device. */
const cableAt = async ({ askUntil }: Device, at: string) => {
  const { body } = await askUntil({ path: '/v1/device/network', at })
  return body.interfaces.find(({ mac }: { mac: string }) => mac === '52:54:00:12:34:56')
}

const ipv4Of = (addresses: readonly { readonly address: string; readonly family: string }[]) =>
  addresses.flatMap(({ address, family }) => (family === 'ipv4' ? [address] : []))

/** Orders an address, that which the team wants if none is named; gives its job. */
const order = async (device: Device, limitS: number, address = WANTED): Promise<string> => {
  const { name } = await cableAt(device, GIVEN)
  const body = { interface: name, method: 'static', address, prefix: 24, confirm_within_s: limitS }

  const { status, body: answer } = await device.ask({ method: 'POST', path: '/v1/device/network', body })
  assert.equal(status, 204, JSON.stringify(answer))

  const jobs = await device.guest.output('cat /var/lib/vedette/data/network-change.json')
  return JSON.parse(jobs).job_id
}

/** What is there when a change was undone: the old address, by the profile of somebody else, and none of ours. */
const assertUndone = async (device: Device, job: string, reason: RegExp): Promise<void> => {
  await device.untilAt(GIVEN)
  const { body } = await device.askUntil({ path: `/v1/jobs/${job}` }, (answer) => answer.body.ended_at_ms !== null)
  assert.equal(body.state, 'failed', JSON.stringify(body))
  assert.equal(body.fault.code, 'network.undone')
  assert.match(body.fault.detail, reason)
  const { method, profile, addresses } = await cableAt(device, GIVEN)
  assert.deepEqual([method, profile.is_ours, profile.is_active], ['dhcp', false, true])
  assert.deepEqual(ipv4Of(addresses), [GIVEN])
  assert.doesNotMatch(await device.guest.output('nmcli -t -f NAME connection'), /vedette/)
  assert.equal((await device.guest.output('ls /etc/NetworkManager/system-connections')).trim(), '')
}

test('an address of a real device is tried, undone and kept', { skip: SKIP_DEVICE }, async (t) => {
  const device = await startDevice(t)
  const { guest, ask, askPlainly, askUntil } = device

  await t.test('it is found by DHCP, and says who looks after the cable', async () => {
    const { manager, method, carrier, kind, refusal, profile } = await cableAt(device, GIVEN)

    assert.deepEqual([manager, method, carrier, kind, refusal], ['NetworkManager', 'dhcp', true, 'ethernet', null])
    assert.equal(profile.is_ours, false)
  })

  await t.test('a change that nobody confirms is undone after its time', async () => {
    const job = await order(device, LIMIT_S)
    await device.untilAt(WANTED)

    await assertUndone(device, job, /nobody confirmed/)
  })

  await t.test('the service is killed in between: it is undone all the same', async () => {
    const job = await order(device, LIMIT_S)
    await device.untilAt(WANTED)
    await guest.output('kill -9 $(systemctl show -p MainPID --value vedette)')

    await assertUndone(device, job, /nobody confirmed|was not there/)
  })

  await t.test('NetworkManager is killed in between: the service puts back what was before', async () => {
    const job = await order(device, LONG_S)
    await device.untilAt(WANTED)
    await guest.output('systemctl kill --signal=KILL NetworkManager')

    await assertUndone(device, job, /restarted/)
  })

  await t.test('the power is cut in between: after the start all is as before', async () => {
    const job = await order(device, LONG_S)
    await device.untilAt(WANTED)
    await guest.cutPower()
    await guest.start()

    await assertUndone(device, job, /./)
  })

  await t.test('an address that another device in the network has is not kept', async () => {
    const job = await order(device, LONG_S, TAKEN)

    await assertUndone(device, job, /another device/)
  })

  await t.test('a change that is confirmed over the new address is kept, also when the power is cut', async () => {
    const job = await order(device, LONG_S)
    await device.untilAt(WANTED)
    const confirm = { method: 'POST', path: '/v1/device/network/confirm', at: WANTED }

    // it has the address a moment before the change is in force
    const answer = await until(
      'a change that can be confirmed',
      () => askPlainly(confirm),
      ({ status }) => status !== 409,
    )
    assert.equal(answer.status, 204, JSON.stringify(answer.body))

    const { body } = await askUntil({ path: `/v1/jobs/${job}`, at: WANTED }, (answer) => answer.body.ended_at_ms)
    assert.equal(body.state, 'done', JSON.stringify(body))
    await guest.cutPower()
    await guest.start()
    await device.untilAt(WANTED)
    const { method, profile, addresses } = await cableAt(device, WANTED)
    assert.deepEqual([method, profile.is_ours], ['static', true])
    assert.ok(ipv4Of(addresses).includes(WANTED) && !ipv4Of(addresses).includes(GIVEN), JSON.stringify(addresses))
  })

  await t.test('a device that networkd looks after is shown, and not changed', async () => {
    await guest.output(`printf '%s' '${OTHER_MANAGER}' >/etc/systemd/network/cable.network`)
    // the address of NetworkManager would stay, without the route that networkd gives its own
    const { name: cable } = await cableAt(device, WANTED)
    await guest.output(`systemctl disable --now NetworkManager 2>&1; ip -4 address flush dev ${cable}`)
    await guest.output('systemctl restart systemd-networkd')

    const { manager, addresses, name, refusal } = await cableAt(device, WANTED)
    assert.equal(manager, 'networkd', refusal)
    assert.equal(addresses[0].address, WANTED)
    const body = { interface: name, method: 'dhcp' }
    const { status, body: answer } = await ask({ method: 'POST', path: '/v1/device/network', body, at: WANTED })
    assert.equal(status, 502, JSON.stringify(answer))
    assert.match(answer.detail, /NetworkManager/)
  })

  await t.test('so is one that has its address from /etc/network/interfaces', async () => {
    const { name } = await cableAt(device, WANTED)
    const lines = `auto ${name}\niface ${name} inet static\n  address ${WANTED}/24\n`
    await guest.output(`printf '${lines}' >/etc/network/interfaces.d/cable`)
    await guest.output('rm /etc/systemd/network/cable.network && systemctl disable systemd-networkd 2>&1')
    await guest.reboot()
    await device.untilAt(WANTED)

    const { manager, method, addresses, refusal } = await cableAt(device, WANTED)

    assert.deepEqual([manager, method], ['ifupdown', 'static'], refusal)
    assert.ok(ipv4Of(addresses).includes(WANTED))
    assert.match(refusal, /\/etc\/network\/interfaces/)
  })
})
