// Pairing as the API shows it.
import type { Directory } from '../../actors/directory.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { type Pairing, shownCode } from '../../machines/pairing/pairing.ts'
import { PAIRING_LIMIT_MS, pairingState } from '../../machines/pairing/pairing-machine.ts'
import { monotonicMs } from '../../native/clock/port.ts'
import { fault } from '../problems/problem.ts'

const LIMITED: ReadonlySet<string> = new Set(['open', 'waiting', 'comparing', 'confirmed'])

export const pairingView = (directory: Directory): Pairing | Fault => {
  const snapshot = directory.actor('pairing')?.getSnapshot()
  if (!snapshot) return fault('actor.unavailable', 'pairing is being restarted; begin again in a second')
  const { callee, run, code, sinceMs, paired, reason } = snapshot.context
  const state = pairingState(snapshot.value)
  const leftMs = PAIRING_LIMIT_MS - (monotonicMs(directory.clock) - sinceMs)
  return {
    state,
    code: code === null ? null : shownCode(code),
    other: run?.other ?? null,
    base_url: callee?.base_url ?? null,
    remaining_ms: LIMITED.has(state) ? Math.max(0, Math.round(leftMs)) : null,
    trust_id: paired?.trust_id ?? null,
    peer_id: paired?.peer_id ?? null,
    fault: reason && { code: reason.code, detail: reason.detail },
  }
}

export const pairingExample: Pairing = {
  state: 'comparing',
  code: '271 828',
  other: {
    fingerprint: '5f3a9c0b7d1e2f4a5b6c7d8e9f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2',
    device_id: '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10',
    name: 'back-camera',
  },
  base_url: 'https://10.12.34.11:5801',
  remaining_ms: 112_000,
  trust_id: null,
  peer_id: null,
  fault: null,
}
