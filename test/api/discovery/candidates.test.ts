// Looking for other devices over HTTP, and those who were found.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Received } from '../../../machines/discovery/announcement.ts'
import { OWN_DEVICE, type OwnDevice } from '../../../machines/discovery/announcement.ts'
import type { ProbeFinding } from '../../../machines/discovery/probe-result.ts'
import { FakeDnsSd } from '../../../native/discovery/fake-dns-sd.ts'
import { FakeLooks } from '../../../native/discovery/fake-looks.ts'
import { DNS_SD, PEER_LOOKS } from '../../../native/discovery/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { type ApiChanges, fakeApi } from '../../support/api/api.ts'
import { until } from '../../support/until.ts'

const idOf = (n: number): string => `0d0c2a5e-9c1b-4a52-8c0f-${String(n).padStart(12, '0')}`
const other: Received = { name: 'rear', address: '10.12.34.12', port: 5800, txt: { id: idOf(12), v: '1.0' } }
const native = (n: number): ProbeFinding => ({
  kind: 'native',
  fingerprint: null,
  fault: null,
  hello: { device_id: idOf(n), protocol_version: '1.0', capabilities: [], name: `device-${n}` },
})

const ON_A_NETWORK = { http: { host: '0.0.0.0', port: 5800 }, profile: 'field' } as const

interface Parts {
  readonly isOnNetwork?: boolean
  readonly changes?: ApiChanges
  readonly own?: OwnDevice | null
}

const discovering = async (t: TestContext, { isOnNetwork = false, changes = {}, own = null }: Parts = {}) => {
  const [looks, dnsSd] = [new FakeLooks(), new FakeDnsSd()]
  dnsSd.others.add(other)
  const { app, fake } = await fakeApi(t, changes, {
    ports: [value(PEER_LOOKS, looks), value(DNS_SD, dnsSd), value(OWN_DEVICE, () => own)],
    options: isOnNetwork ? ON_A_NETWORK : {},
  })
  const ask = async (method: 'GET' | 'POST', what: string, payload?: object, headers: object = {}) => {
    const url = `/v1/peers/${what}`
    const answer = await app.inject({
      method,
      url,
      headers: { host: 'localhost', ...headers },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const list = async () => (await ask('GET', 'candidates')).body
  return { looks, dnsSd, fake, ask, list }
}

test('on a network those who announce themselves are listed, and the list tells of changes', async (t) => {
  const { dnsSd, fake, list } = await discovering(t, { isOnNetwork: true })

  const { items, revision, discovery } = await until('a candidate', list, ({ items }) => items.length === 1)
  const told: unknown[] = []
  t.after(
    fake.directory.events.subscribe(({ kind, revision }) => kind === 'peer_candidates_changed' && told.push(revision)),
  )
  dnsSd.leave(other)

  assert.deepEqual(discovery.dns_sd, { state: 'browsing', reason: null, announced_as: null })
  assert.deepEqual([revision, items[0].base_url, items[0].found_by], [1, 'http://10.12.34.12:5800', ['dns-sd']])
  assert.deepEqual((await list()).items, [])
  await until('the event', () => told.length > 0)
  assert.deepEqual(told, [2])
})

test('a device with an identity announces itself under its own name, and is not its own candidate', async (t) => {
  const { dnsSd, list, ask, looks } = await discovering(t, {
    isOnNetwork: true,
    own: { device_id: idOf(12), fingerprint: null },
  })
  looks.there.set('http://10.12.34.11:5800', native(12))

  const { discovery } = await until('the announcement', list, (body) => body.discovery.dns_sd.announced_as !== null)

  assert.match(discovery.dns_sd.announced_as, /-0d0c2a5e$/)
  assert.deepEqual(
    [...dnsSd.announced].map((each) => each?.txt.id),
    [idOf(12)],
  )
  await ask('POST', 'discover', { base_urls: ['http://10.12.34.11:5800'] })
  const { items } = await until('the look', list, (body) => body.discovery.scan.results.length === 1)
  assert.deepEqual(items, [])
})

test('a service on this device alone neither announces nor listens, and looks at addresses all the same', async (t) => {
  const { looks, dnsSd, ask, list } = await discovering(t)
  looks.there.set('http://10.12.34.13:5800', native(13))

  const { status, body } = await ask('POST', 'discover', {
    base_urls: ['http://10.12.34.13:5800/v1', 'http://10.12.34.14:5800'],
  })
  assert.deepEqual([status, body.dns_sd.state], [200, 'off'])
  assert.match(body.dns_sd.reason, /this device alone/)
  const { items, discovery } = await until('the look', list, (found) => found.discovery.scan.results.length === 2)

  assert.deepEqual(
    items.map(({ id, kind, found_by }: { id: string; kind: string; found_by: string[] }) => [id, kind, found_by]),
    [[idOf(13), 'native', ['address']]],
  )
  assert.deepEqual(
    discovery.scan.results.map(({ kind, fault }: { kind: string; fault: { code: string } | null }) => [
      kind,
      fault?.code,
    ]),
    [
      ['native', undefined],
      [null, 'peer.unreachable'],
    ],
  )
  assert.deepEqual([dnsSd.announced.size, dnsSd.asks], [0, 0])
})

test('without a body those who announce themselves are asked at once', async (t) => {
  const { dnsSd, ask, list } = await discovering(t, { isOnNetwork: true })
  await until('listening', list, (body) => body.discovery.dns_sd.state === 'browsing' && dnsSd.announced.size === 1)
  const { asks } = dnsSd

  assert.equal((await ask('POST', 'discover')).status, 200)

  assert.equal(dnsSd.asks, asks + 1)
})

test('what is no address is refused with its place, and nothing is looked at', async (t) => {
  const { looks, ask } = await discovering(t)

  const { status, body } = await ask('POST', 'discover', { base_urls: ['http://10.0.0.1', 'ftp://10.0.0.2'] })

  assert.deepEqual([status, body.errors[0].pointer], [400, '/base_urls/1'])
  assert.deepEqual(looks.looks, [])
  const many = Array.from({ length: 33 }, (_, n) => `http://10.0.0.${n}`)
  assert.equal((await ask('POST', 'discover', { base_urls: many })).status, 400)
})

test('addresses outside of private networks are looked at for administrators alone', async (t) => {
  const { ask, list } = await discovering(t, {
    changes: { profile: 'field', verifyToken: (token) => token === 'good' },
  })
  const signed = { authorization: 'Bearer good' }
  const results = async (count: number) => {
    const { discovery } = await until('the look', list, (body) => body.discovery.scan.results.length === count)
    return discovery.scan.results.map(({ fault }: { fault: { code: string } }) => fault.code)
  }

  await ask('POST', 'discover', { base_urls: ['http://8.8.8.8'] })
  assert.deepEqual(await results(1), ['token.required'])
  await ask('POST', 'discover', { base_urls: ['http://8.8.8.8', 'http://8.8.4.4'] }, signed)
  assert.deepEqual(await results(2), ['peer.unreachable', 'peer.unreachable'])
})
