// What the room of peers offers to others.
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'
import type { PeerAnswer, PeerRequest, PeerTarget } from '../../native/peers/port.ts'
import type { PeerAccess } from './peer-access.ts'
import type { PeerRegistry } from './peer-registry.ts'
import type { RegisterPeer } from './register-peer.ts'
import type { RemoteResults } from './remote-results.ts'
import type { Tunnels } from './tunnels.ts'

/** All registered peers. */
export const PEER_REGISTRY = token<PeerRegistry>('peer-registry')

/** Registers a peer. */
export const REGISTER_PEER = token<RegisterPeer>('register-peer')

/**
 * The access to a peer of this kind, also while there is no link: the one who asks then learns from the wire whether it
 * can be reached.
 *
 * `peer.not_found`; `peer.not_native`; `peer.not_linked`: it has not greeted since the start of the service, so that
 * nobody knows what it is; and why its link is refused, for as long as there is none: another device may answer there
 * by now. Not after a flood: then it is the one that was met, and may be asked to end that.
 */
export const PEER_ACCESS = token<(peer_id: string) => PeerAccess | Fault>('peer-access')

/** Asks a peer for something, for as long as it is a peer and where it was. */
export const ASK_PEER = token<(target: PeerTarget, request: PeerRequest) => Promise<PeerAnswer | Fault>>('ask-peer')

/** Pictures of peers, for all servers of this device. */
export const TUNNELS = token<Tunnels>('tunnels')

/** What is found in the frames of streams of peers. */
export const REMOTE_RESULTS = token<RemoteResults>('remote-results')
