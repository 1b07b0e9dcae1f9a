// Tokens of peers that are kept nowhere.
import * as Effect from 'effect/Effect'
import { keyOf, versionIn } from './key.ts'
import type { PeerSecrets } from './port.ts'

export const fakeSecrets = (): PeerSecrets => {
  const tokens = new Map<string, string>()
  return {
    get: (id, version) => tokens.get(keyOf(id, version)) ?? null,
    keep: (id, version, token) => Effect.sync(() => void tokens.set(keyOf(id, version), token)),
    sweep: (isWanted) =>
      Effect.sync(() => {
        for (const key of tokens.keys()) if (!isWanted(...versionIn(key))) tokens.delete(key)
      }),
  }
}
