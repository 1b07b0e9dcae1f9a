// Tokens of peers that are kept nowhere.
import * as Effect from 'effect/Effect'
import type { PeerSecrets } from './port.ts'

export const fakeSecrets = (): PeerSecrets => {
  const tokens = new Map<string, string>()
  return {
    get: (id) => tokens.get(id) ?? null,
    set: (id, token) => Effect.sync(() => void (token === null ? tokens.delete(id) : tokens.set(id, token))),
  }
}
