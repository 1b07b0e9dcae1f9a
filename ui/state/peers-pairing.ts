// How far this device is paired with another one, and what people do about it.
import { api, ask, type Documents } from '../api/client.ts'
import { createLive } from './live.ts'

/** How far it is, and until when it can go on, by the clock of this browser; null: nothing waits for anybody. */
export interface PairingStep {
  readonly pairing: Documents['Pairing']
  readonly untilMs: number | null
}

/** Kept up to date by the event that says no more than that there is news: the code is for administrators alone. */
export const pairing = createLive<PairingStep>({
  read: async () => {
    const answer = await ask(api.GET('/v1/peers/pairing'))
    if (!answer.ok) return answer
    const { remaining_ms } = answer.value
    return {
      ...answer,
      value: { pairing: answer.value, untilMs: remaining_ms === null ? null : Date.now() + remaining_ms },
    }
  },
  heed: ({ kind }) => (kind === 'pairing_changed' ? 'stale' : undefined),
})

/** Waits to be called by another device. */
export const waitForCall = () => ask(api.POST('/v1/peers/pairing', { body: {} }))

/** Calls a device that waits for it. */
export const callDevice = (base_url: string) => ask(api.POST('/v1/peers/pairing', { body: { base_url } }))

/** code: what the other device shows. */
export const confirmCode = (code: string) => ask(api.POST('/v1/peers/pairing/confirm', { body: { code } }))

/** Nobody is paired. */
export const endPairing = () => ask(api.DELETE('/v1/peers/pairing'))
