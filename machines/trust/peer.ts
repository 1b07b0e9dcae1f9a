// Another device, as far as it is trusted here.

/** id: of its entry in the trust list. name: what people call it. */
export interface Peer {
  readonly id: string
  readonly name: string
}
