// A change of a real network: NetworkManager in a network of its own, with another machine at the other end of the
// cable, and a profile of somebody else.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { NetworkChange } from '../../../machines/network/change.ts'
import { givenAddresses, type NetworkInterface } from '../../../machines/network/interface.ts'
import { linuxNetwork } from '../../../native/network/linux.ts'
import type { OrderedRecord } from '../../../native/network/port.ts'
import type { ProgramsPort } from '../../../native/programs/port.ts'
import { noNetworkManager, type OwnNetwork, ownNetworkManager } from '../../support/device/network-manager.ts'
import { until } from '../../support/until.ts'

const OLD = '10.99.0.5'
const NEW = '10.2.54.11'
const toNew: NetworkChange = { interface: 'e0', method: 'static', address: NEW, prefix: 24, gateway: '10.2.54.4' }
const run = Effect.runPromise

const ends: (() => unknown)[] = []
after(async () => {
  for (const end of ends) await end()
})
const starting = noNetworkManager ? null : ownNetworkManager({ after: (end) => void ends.push(end) })
const options = { skip: noNetworkManager }

/** The device, with the profile of somebody else in force. */
const device = async (): Promise<OwnNetwork> => {
  const own = await (starting as Promise<OwnNetwork>)
  const settings = `type ethernet ifname e0 ipv4.method manual ipv4.addresses ${OLD}/16`
  await own.say('nmcli -t -f NAME,UUID connection | grep -v ^lo: | cut -d: -f2 | xargs -r nmcli connection delete')
  assert.equal(await own.say(`nmcli connection add con-name foreign ${settings} && nmcli connection up foreign`), 0)
  return own
}

const cableOf = async ({ port }: OwnNetwork): Promise<NetworkInterface> => {
  const { interfaces } = await run(port.read)
  return interfaces.find(({ name }) => name === 'e0') as NetworkInterface
}

const addressOf = async (own: OwnNetwork) => givenAddresses(await cableOf(own))[0]?.address

/** Has a change in force, for so many seconds. */
const begun = async ({ port }: OwnNetwork, change: NetworkChange, limitS: number): Promise<OrderedRecord> => {
  const prepared = await run(port.prepare(change))
  return { change, prepared, checkpoint: await run(port.apply(change, prepared, limitS)) }
}

const profilesOf = async (own: OwnNetwork) => {
  const named = ['foreign', 'vedette-static-e0', 'vedette-dhcp-e0']
  const there = await Promise.all(named.map((name) => own.say(`nmcli connection show ${name}`)))
  return named.filter((_, n) => there[n] === 0)
}

test('a device with NetworkManager is read: addresses, who manages them, by which profile', options, async () => {
  const own = await device()

  const { kind, carrier, manager, method, profile, addresses, mac, refusal } = await cableOf(own)

  assert.deepEqual([carrier, manager, method, refusal], [true, 'NetworkManager', 'static', null])
  assert.deepEqual(profile, { name: 'foreign', is_ours: false, is_active: true })
  assert.deepEqual(addresses[0], { address: OLD, prefix: 16, family: 'ipv4', scope: 'global' })
  assert.match(String(mac), /^[0-9a-f:]{17}$/)
  assert.equal(kind, 'virtual')
})

test('somebody else who has an address is heard, and nobody where it is free', options, async () => {
  const { port } = await device()

  assert.match(String(await run(port.askWhoHas('e0', '10.99.0.1'))), /^[0-9a-f:]{17}$/)
  assert.equal(await run(port.askWhoHas('e0', '10.99.0.7')), null)
})

test('a change that is kept is there, in a profile of ours, and the one of others stays', options, async () => {
  const own = await device()

  const record = await begun(own, toNew, 60)
  assert.ok(own.reaches(NEW))
  assert.ok(!own.reaches(OLD))
  const left = await run(own.port.remainingMs(record))
  assert.ok(left !== null && left > 0 && left <= 60_000, String(left))
  await run(own.port.keep(record))

  assert.equal(await run(own.port.remainingMs(record)), null)
  const { gateway, method, profile } = await cableOf(own)
  assert.deepEqual([gateway, method, profile?.name], ['10.2.54.4', 'static', 'vedette-static-e0'])
  assert.equal(await own.say('ls /etc/NetworkManager/system-connections | grep -q vedette-static-e0'), 0)

  const back = await begun(own, { interface: 'e0', method: 'dhcp' }, 60)
  await run(own.port.keep(back))
  assert.deepEqual(await profilesOf(own), ['foreign', 'vedette-dhcp-e0'])
})

test('a change that nobody keeps is gone after its time, with nobody there to undo it', options, async () => {
  const own = await device()
  const record = await begun(own, toNew, 5) // long enough to be seen before
  assert.equal(await addressOf(own), NEW)

  await until('the old address', async () => (await addressOf(own)) === OLD)

  assert.ok(own.reaches(OLD))
  assert.deepEqual(await profilesOf(own), ['foreign'])
  assert.equal(await run(own.port.remainingMs(record)), null)
  await run(own.port.undo(record)) // it has been
  assert.equal(await addressOf(own), OLD)
  const kept = await run(Effect.flip(own.port.keep(record)))
  assert.match(kept.detail, /undone already/)
})

test('a change is undone at once when that is ordered, however far it was', options, async () => {
  const own = await device()
  const record = await begun(own, toNew, 60)

  await run(own.port.undo({ ...record, checkpoint: null })) // killed before it was written down
  assert.deepEqual([await addressOf(own), await profilesOf(own)], [OLD, ['foreign']])

  const prepared = await run(own.port.prepare(toNew))
  await run(own.port.undo({ change: toNew, prepared, checkpoint: null })) // before anything was done
  assert.equal(await addressOf(own), OLD)
})

test(
  'NetworkManager is killed in the middle: that is told, and what was before is put back by us',
  options,
  async () => {
    const own = await device()
    const record = await begun(own, toNew, 60)
    const gone = run(own.port.whenGone(record))

    await own.kill()
    assert.match(await gone, /restarted/)
    const { refusal } = await run(own.port.read)
    assert.match(String(refusal), /does not run/)
    assert.ok(own.reaches(NEW), 'the kernel keeps the address')
    await own.start()
    assert.equal(await run(own.port.remainingMs(record)), null)
    await run(own.port.undo(record))

    await until('the old address', async () => (await addressOf(own)) === OLD)
    assert.deepEqual(await profilesOf(own), ['foreign'])
  },
)

test('an address that another device has is not taken, also where nobody may ask before', options, async () => {
  const own = await device()
  const taken: NetworkChange = { interface: 'e0', method: 'static', address: '10.2.54.1', prefix: 24 }

  const prepared = await run(own.port.prepare(taken))
  const refused = await run(Effect.flip(own.port.apply(taken, prepared, 60)))
  await run(own.port.undo({ change: taken, prepared, checkpoint: null }))

  assert.match(refused.detail, /another device in this network has 10\.2\.54\.1/)
  assert.deepEqual([await addressOf(own), await profilesOf(own)], [OLD, ['foreign']])
})

test('what is kept is not tried out again at each start', options, async () => {
  const own = await device()
  const record = await begun(own, toNew, 60)

  await run(own.port.keep(record))

  const nmcli = (field: string) => `nmcli -g ${field} connection show vedette-static-e0`
  assert.equal(await own.say(`${nmcli('ipv4.addresses')} | grep -qx ${NEW}/24`), 0)
  assert.equal(await own.say(`${nmcli('ipv4.dad-timeout')} | grep -qx -- -1`), 0)
})

test('what is kept is on the disk by then, where a power cut does not take it away', options, async () => {
  const own = await device()
  const record = await begun(own, toNew, 60)
  const ran: string[] = []
  const programs: ProgramsPort = {
    ...own.programs,
    run: (order) => {
      ran.push([order.program, ...order.args].join(' '))
      return own.programs.run(order)
    },
  }

  await run(linuxNetwork({ ...own, programs }).keep(record))

  assert.deepEqual(ran, ['sync -f /etc/NetworkManager'])
})

test('a second change while one is tried is refused, and a cable that is pulled out is heard', options, async () => {
  const own = await device()
  const record = await begun(own, toNew, 60)
  const prepared = await run(own.port.prepare(toNew))
  const second = await run(Effect.flip(own.port.apply(toNew, prepared, 60)))
  assert.match(second.detail, /checkpoint/)
  await run(own.port.undo(record))

  let count = 0
  const pullOut = async () => {
    await own.say('ip -n far link set far up; ip -n far link set far down')
    return count > 0
  }
  await run(
    Effect.scoped(
      Effect.gen(function* () {
        yield* own.port.watch(() => {
          count += 1
        })
        yield* Effect.promise(() => until('word of the cable', pullOut)) // whoever listens may still be starting
      }),
    ),
  )
  await until('no carrier', async () => (await cableOf(own)).carrier === false)
  await own.say('ip -n far link set far up')
})
