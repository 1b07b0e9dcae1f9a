// Requests that end early, over real sockets: each is answered once, whatever becomes of the rest of it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { connect as tlsConnect } from 'node:tls'
import { rootArea } from '../../../api/extcam/root.ts'
import { createApi, listen } from '../../../api/server/server.ts'
import { API } from '../../../supervisors/http/branch.ts'
import { fakeApi, listeningApi } from '../../support/api/api.ts'
import { type EarlyEnd, earlyEnds, statusesTo } from '../../support/api/early-ends.ts'
import { madeElsewhere } from '../../support/peers/certificates.ts'
import { arrival } from '../../support/until.ts'

const plain = async (port: number) => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  await arrival('a connection', once(socket, 'connect'))
  return socket
}

/** How each of the listeners is reached. */
const listeners: Readonly<Record<string, { page: string; open: (t: TestContext) => Promise<Opener> }>> = {
  'the API': { page: '/v1/health', open: async (t) => opener(await listeningApi(t), plain) },
  'the API over TLS': {
    page: '/v1/health',
    open: async (t) =>
      opener(await listeningApi(t, { tls: await madeElsewhere() }), async (port) => {
        const at = { port, host: '127.0.0.1', allowHalfOpen: true, rejectUnauthorized: false }
        const socket = tlsConnect(at)
        await arrival('a handshake', once(socket, 'secureConnect'))
        return socket
      }),
  },
  "a port of the vendor's camera": { page: '/status', open: async (t) => opener(await vendorPort(t), plain) },
}

type Opener = (end: EarlyEnd) => Promise<number[]>

const opener = (at: { readonly port: number }, connected: (port: number) => Promise<Socket>): Opener => {
  return async (end) => statusesTo(await connected(at.port), end)
}

const vendorPort = async (t: TestContext) => {
  const { fake } = await fakeApi(t)
  const areas = () => [rootArea('results_port', 'limelight', () => () => {})(fake.resolve, () => [])]
  const app = await createApi({ ...fake.resolve(API), areas })
  t.after(() => app.close())
  await listen(app, { host: '127.0.0.1', port: 0 })
  return { port: (app.server.address() as AddressInfo).port }
}

for (const [where, { page, open }] of Object.entries(listeners))
  for (const [what, end] of Object.entries(earlyEnds(page)))
    test(`${where} answers ${what} no more than once`, async (t) => {
      const ask = await open(t)

      const statuses = await ask(end)

      assert.equal(statuses.length, end.answers, String(statuses))
    })
