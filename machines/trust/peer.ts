// Another device, as far as it is trusted here.

/** A device that is trusted. */
export interface Peer {
  /** Of its entry in the trust list. */
  readonly id: string
  /** What people call it. */
  readonly name: string
  /** As the entry says, where it is known; an entry that replaces another has the same. */
  readonly device_id: string | null
}
