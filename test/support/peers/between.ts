// Somebody who stands between two devices while they are paired, with certificates of his own for either side.

import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import * as Effect from 'effect/Effect'
import { PAIRING_PATH, type PairingCall, type PairingReveal, REVEAL_PATH } from '../../../machines/pairing/messages.ts'
import { fakeIdentity } from '../../../native/identity/fake.ts'
import { sha256Codes } from '../../../native/pairing/sha256.ts'
import { socketWire } from '../../../native/peers/wire.ts'
import { peerServer } from './peer-server.ts'

/**
 * Passes on what the device that calls says to the one at `origin`, and what that answers; answers with where he is to
 * be called.
 *
 * rewrites: whether he makes promises of his own towards the one that is called, as he must to be believed there.
 */
export const somebodyBetween = async (t: TestContext, origin: string, { rewrites = true } = {}): Promise<string> => {
  const [towardsCaller, towardsCalled] = [fakeIdentity(), fakeIdentity()]
  const wire = socketWire(() => towardsCalled)
  const called = await Effect.runPromise(wire.identify(origin, 20_000))
  const of = { caller: towardsCalled.fingerprint, called, callerNonce: sha256Codes.nonce() }
  const rewritten = (path: string, body: object): object => {
    if (!rewrites) return body
    if (path === PAIRING_PATH) return { ...(body as PairingCall), commitment: sha256Codes.commitment(of) }
    return path === REVEAL_PATH ? { ...(body as PairingReveal), nonce: of.callerNonce } : body
  }
  const server = await peerServer(
    t,
    async (request, response) => {
      const { method = 'GET', url: path = '/' } = request
      const said = await text(request)
      const body = said === '' ? {} : { body: rewritten(path, JSON.parse(said)) }
      const question = { method, path, ...body, limitMs: 20_000, maxBytes: 64 * 1024 }
      const answer = await Effect.runPromise(wire.ask({ origin, fingerprint: called, token: null }, question))
      response
        .writeHead(answer.status, { 'content-type': answer.headers['content-type'] ?? 'text/plain' })
        .end(answer.body)
    },
    towardsCaller,
  )
  return server.origin
}
