// Other devices in words.
import type { Documents } from '../../api/client.ts'

/** Another device, as far as it is known here. */
export type Peer = Documents['Peer']

/** The address of the page of a device. */
export const peerAddress = (id: string): string => `/peers/${encodeURIComponent(id)}`

const MAY: Readonly<Record<Documents['Capability'], string>> = {
  proxy_streams: 'watch its streams',
  remote_control: 'set its cameras',
  remote_pipeline_edit: 'edit its pipelines',
  remote_rig_pose: 'place its cameras',
  remote_localization_outputs: 'see its poses',
}

/** What this device may do there, in words. */
export const mayOf = ({ capabilities }: Pick<Peer, 'capabilities'>): string =>
  capabilities.map((each) => MAY[each] ?? each.replaceAll('_', ' ')).join(', ') || 'nothing'

const KINDS: Readonly<Record<string, string>> = {
  native: 'Vedette device',
  extvision: 'other vision product',
  legacy: 'other kind of device',
  custom: 'other kind of device',
}

/** What a device is. */
export const kindOf = (kind: string | null | undefined): string =>
  kind === null || kind === undefined ? 'not known yet' : (KINDS[kind] ?? kind)

/** Who decides what holds for a stream, or for a device. */
export const decides = (authority: Peer['authority'], name: string): string =>
  authority === 'source' ? `${name} decides` : 'this device decides'

/** In groups that can be read aloud: `5f3a 9c0b ...`. */
export const fingerprintOf = (fingerprint: string): string => fingerprint.replace(/(.{4})(?=.)/g, '$1 ')

/** A fingerprint as the interface has it, of what somebody has typed or copied. */
export const fingerprintIn = (text: string): string => text.replaceAll(/[\s:]/g, '').toLowerCase()

/** Whether it can be paired: that is done by certificates, so over TLS alone. */
export const canPair = (base_url: string): boolean => base_url.startsWith('https:')
