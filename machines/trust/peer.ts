// Another device, as far as it is trusted here.

/** id: of its entry in the trust list. name: what people call it. device_id: as the entry says, where it is known; an entry that replaces another has the same. */
export interface Peer {
  readonly id: string
  readonly name: string
  readonly device_id: string | null
}
