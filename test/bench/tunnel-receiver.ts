// A device through which a peer's pictures are watched: the service as it is put together, on fake ports but for the wire; or the least that Node can do.
//
//   tunnel-receiver.ts ours|pipe ORIGIN
//
// Prints the URL of the pictures.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as Effect from 'effect/Effect'
import * as Scope from 'effect/Scope'
import { PEER_DOORS } from '../../actors/peers/tokens.ts'
import { createApi, listen } from '../../api/server/server.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { systemClock } from '../../native/clock/system.ts'
import { PEER_WIRE, type PeerWire } from '../../native/peers/port.ts'
import { branch } from '../../supervisors/composition/branch.ts'
import { compose, fakePorts } from '../../supervisors/composition/compose.ts'
import { type Binding, offer, value } from '../../supervisors/composition/container.ts'
import { API } from '../../supervisors/http/branch.ts'
import { defaultOptions } from '../../supervisors/options.ts'
import { tree } from '../../supervisors/tree.ts'
import { plainWire } from '../support/plain-wire.ts'

const [how, origin = ''] = process.argv.slice(2)
const AT = { host: '127.0.0.1', port: 0 }

const pipe = async (): Promise<string> => {
  const server = createServer({ noDelay: true }, (_, response) => {
    const asking = request(`${origin}/v1/interdevice/streams/front/preview`, { agent: false })
    asking.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, { 'content-type': answer.headers['content-type'] })
      answer.pipe(response)
    })
    response.on('close', () => asking.destroy())
    asking.on('error', () => response.destroy()).end()
  })
  await new Promise<void>((resolve) => server.listen(AT.port, AT.host, resolve))
  return `http://${AT.host}:${(server.address() as AddressInfo).port}/`
}

/** The peer, as if it were registered and linked. */
const aPeer = branch({
  offers: [
    offer(PEER_DOORS, {}, () => () => ({
      ...{ target: { origin, fingerprint: null, token: null }, inventory: null, state: 'linked' as const },
      agreement: { protocol_version: '1.0', capabilities: [] },
    })),
  ],
  needs: {},
  start: () => Effect.void,
})

const ours = async (): Promise<string> => {
  const ports: readonly Binding[] = [
    ...fakePorts(tree),
    ...[value(CLOCK, systemClock), value(PEER_WIRE, plainWire() as unknown as PeerWire)],
  ]
  const options = { ...defaultOptions(), dataDir: '/nowhere', demo: false, nt4: 'off' }
  const composed = compose({ branches: [...tree, aPeer], options, ports, log: () => {}, version: '0' })
  const { resolve } = await Effect.runPromise(Scope.provide(composed, Scope.makeUnsafe()))
  const app = await createApi(resolve(API))
  const { port } = await listen(app, AT)
  return `http://${AT.host}:${port}/v1/peers/back/streams/front/preview`
}

console.log(await (how === 'ours' ? ours() : pipe()))
process.once('SIGTERM', () => process.exit())
