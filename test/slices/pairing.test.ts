// Two real services are paired by people who compare a code; somebody who stands between them is found out by the same.
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { PAIRING_PATH, type PairingCalled, REVEAL_PATH, WITHDRAW_PATH } from '../../machines/pairing/messages.ts'
import type { Pairing, PairingState } from '../../machines/pairing/pairing.ts'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { fakeIdentity } from '../../native/identity/fake.ts'
import { somebodyBetween } from '../support/peers/between.ts'
import { peerServer } from '../support/peers/peer-server.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'
import { until } from '../support/until.ts'

const PAIRING = '/v1/peers/pairing'

interface TrustEntry {
  readonly id: string
  readonly spec: { readonly name: string; readonly fingerprint: string }
}

/** A device, and its administrator. */
class Device {
  readonly #daemon: Daemon
  readonly #token: string

  constructor(daemon: Daemon) {
    const told = daemon.log.map(({ message }) => /told only this once: (\S+)/.exec(message)?.[1]).find(Boolean)
    assert.ok(told, 'no token was told')
    this.#daemon = daemon
    this.#token = told
  }

  send<Body = { readonly code: string }>(method: string, path: string, body?: object) {
    return this.#daemon.send<Body>(method, path, body, this.#token)
  }

  async get<Body>(path: string): Promise<Body> {
    const { status, body } = await this.send<Body>('GET', path)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  /** Begins to pair it. */
  async pair(order: object): Promise<void> {
    const { status, body } = await this.send('POST', PAIRING, order)
    assert.equal(status, 200, JSON.stringify(body))
  }

  /** Pairing, as soon as it is in a state. */
  pairing(wanted: PairingState): Promise<Pairing> {
    const ended = ['done', 'failed', wanted]
    return until(
      wanted,
      () => this.get<Pairing>(PAIRING),
      ({ state }) => ended.includes(state),
    ).then((pairing) => {
      assert.equal(pairing.state, wanted, JSON.stringify(pairing))
      return pairing
    })
  }

  confirm(code: string | null) {
    return this.send<Pairing & { readonly code: string }>('POST', `${PAIRING}/confirm`, { code })
  }

  async trusts(): Promise<readonly TrustEntry[]> {
    return (await this.get<{ items: readonly TrustEntry[] }>('/v1/peers/trust')).items
  }

  async peers(): Promise<readonly PeerRecord[]> {
    return (await this.get<{ items: readonly PeerRecord[] }>('/v1/peers')).items
  }

  linkedTo(id: string, wanted: PeerRecord['status'] = 'linked'): Promise<PeerRecord> {
    return until(
      `a link that is ${wanted}`,
      () => this.get<PeerRecord>(`/v1/peers/${id}`),
      ({ status }) => status === wanted,
    )
  }

  part(name: string, state: string) {
    return until(
      name,
      () => this.get<{ parts: readonly { name: string; state: string }[] }>('/v1/health'),
      ({ parts }) => parts.some((part) => part.name === name && part.state === state),
    )
  }
}

const started = async (t: TestContext) => {
  const tls = `127.0.0.1:${await freePort()}`
  const device = new Device(await site(t).start({ profile: 'locked', tls }))
  await device.part('https', 'listening')
  return { device, origin: `https://${tls}` }
}

/** Two devices that know nothing of each other. origin: of the one at the back. */
const strangers = async (t: TestContext) => {
  const [back, front] = await Promise.all([started(t), started(t)])
  return { back: back.device, front: front.device, origin: back.origin, frontOrigin: front.origin }
}

const nothingIsLeft = async (...devices: readonly Device[]) => {
  for (const device of devices) assert.deepEqual([await device.trusts(), await device.peers()], [[], []])
}

test('two people compare a code, and their devices trust each other until one is taken off the list', async (t) => {
  const { back, front, origin, frontOrigin } = await strangers(t)

  await back.pair({})
  assert.equal((await back.pairing('open')).code, null)
  await front.pair({ base_url: origin, name: 'back' })
  const [there, here] = [await back.pairing('comparing'), await front.pairing('comparing')]
  assert.match(String(here.code), /^\d{3} \d{3}$/)
  assert.equal(here.code, there.code)
  assert.equal((await front.confirm(there.code)).body.state, 'confirmed')
  await nothingIsLeft(back, front)
  await back.confirm(here.code)
  const done = await front.pairing('done')

  const record = await front.linkedTo('back')
  const [ofBack, ofFront] = [await back.trusts(), await front.trusts()]
  assert.deepEqual([record.has_token, record.fingerprint], [false, here.other?.fingerprint])
  assert.deepEqual([done.peer_id, done.trust_id, done.code], ['back', ofFront[0]?.id, null])
  assert.deepEqual(
    [ofBack, ofFront].map((entries) => entries.map(({ spec }) => spec.fingerprint)),
    [[there.other?.fingerprint], [here.other?.fingerprint]],
  )
  assert.deepEqual(await back.peers(), [], 'who was called knows no address of the other')
  const theOther = { base_url: frontOrigin, name: 'front', fingerprint: there.other?.fingerprint }
  assert.equal((await back.send('POST', '/v1/peers', theOther)).status, 201)
  await back.linkedTo('front')

  await back.send('DELETE', `/v1/peers/trust/${ofBack[0]?.id}`)
  const refused = await front.linkedTo('back', 'refused')
  assert.equal(refused.fault?.code, 'peer.refuses_us')
})

test('an attacker between two devices gives them different codes, and neither trusts the other', async (t) => {
  const { back, front, origin } = await strangers(t)

  await back.pair({})
  await front.pair({ base_url: await somebodyBetween(t, origin) })
  const [there, here] = [await back.pairing('comparing'), await front.pairing('comparing')]
  assert.notEqual(here.code, there.code)
  const typed = await back.confirm(here.code)

  assert.deepEqual([typed.status, typed.body.code], [422, 'pairing.wrong_code'])
  assert.equal((await front.pairing('failed')).fault?.code, 'pairing.ended_there')
  await nothingIsLeft(back, front)
  await back.confirm(there.code)
  await nothingIsLeft(back, front)
})

test('somebody between them who only passes on what they say is found out before there is a code', async (t) => {
  const { back, front, origin } = await strangers(t)

  await back.pair({})
  await front.pair({ base_url: await somebodyBetween(t, origin, { rewrites: false }) })

  assert.equal((await front.pairing('failed')).fault?.code, 'pairing.refused_there')
  assert.equal((await back.pairing('open')).code, null)
  const { items } = await back.get<{ items: readonly { readonly code: string }[] }>('/v1/errors')
  assert.ok(items.some(({ code }) => code === 'pairing.disturbed'))
  await nothingIsLeft(back, front)
})

test('a run that one side ends leaves nothing on either; who is not waiting is not paired', async (t) => {
  const { back, front, origin } = await strangers(t)

  await front.pair({ base_url: origin })
  assert.equal((await front.pairing('failed')).fault?.code, 'pairing.refused_there')
  await back.pair({})
  await front.pair({ base_url: origin })
  const [there, here] = [await back.pairing('comparing'), await front.pairing('comparing')]
  assert.equal((await back.confirm(here.code)).body.state, 'confirmed')
  assert.equal((await front.send('DELETE', PAIRING)).status, 204)

  assert.equal((await back.pairing('failed')).fault?.code, 'pairing.ended_there')
  assert.equal((await front.confirm(there.code)).body.code, 'pairing.no_code')
  await nothingIsLeft(back, front)
})

/**
 * Somebody who is called and takes part until people would compare. silentAt: where he says nothing. heard: what he was
 * told, in order.
 */
const somebodyCalled = async (t: TestContext, { silentAt }: { readonly silentAt?: string } = {}) => {
  const heard: { readonly path: string; readonly body: Record<string, unknown> }[] = []
  const who = fakeIdentity()
  const called: PairingCalled = {
    pairing_id: '3c'.repeat(16),
    device_id: who.device_id,
    name: 'Back',
    nonce: '5a'.repeat(32),
  }
  const { server, origin } = await peerServer(
    t,
    async (request, response) => {
      const path = String(request.url)
      heard.push({ path, body: JSON.parse(await text(request)) })
      if (path !== silentAt) response.end(JSON.stringify(path === PAIRING_PATH ? called : { state: 'comparing' }))
    },
    who,
  )
  const becomes = ({ key, cert }: { readonly key: string; readonly cert: string }) =>
    (server as unknown as { setSecureContext(options: object): void }).setSecureContext({ key, cert })
  const hears = (path: string) =>
    until(
      path,
      () => heard.find((each) => each.path === path),
      (each) => each !== undefined,
    )
  return { origin, hears, becomes }
}

test('who gives up a call before there is a code says so to the other device at once', async (t) => {
  const { device } = await started(t)
  const { origin, hears } = await somebodyCalled(t, { silentAt: REVEAL_PATH })

  await device.pair({ base_url: origin })
  const call = await hears(PAIRING_PATH)
  await hears(REVEAL_PATH)
  assert.equal((await device.send('DELETE', PAIRING)).status, 204)

  assert.deepEqual((await hears(WITHDRAW_PATH))?.body, { commitment: call?.body.commitment })
})

test('another certificate in the middle of it is refused, ends it, and stands in the error history', async (t) => {
  const { device } = await started(t)
  const { origin, becomes } = await somebodyCalled(t)

  await device.pair({ base_url: origin })
  await device.pairing('comparing')
  becomes(fakeIdentity())

  assert.equal((await device.pairing('failed')).fault?.code, 'pairing.wrong_certificate')
  const { items } = await device.get<{ items: readonly { readonly code: string; readonly count: number }[] }>(
    '/v1/errors',
  )
  assert.deepEqual(
    items.filter(({ code }) => code === 'pairing.wrong_certificate').map(({ count }) => count),
    [1],
  )
  await nothingIsLeft(device)
})
