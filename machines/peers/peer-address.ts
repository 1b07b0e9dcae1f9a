// Where a peer is, as its link is told.

/** Where the peer is, and by what it is known: all that changes the link when it changes. */
export interface PeerAddress {
  readonly origin: string
  readonly fingerprint: string | null
  readonly token: string | null
}

/** Whether both are the same device, as far as that can be said beforehand. */
export const isSamePlace = (one: PeerAddress, other: PeerAddress): boolean =>
  one.origin === other.origin && one.fingerprint === other.fingerprint
