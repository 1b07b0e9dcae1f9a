// The forms in which events are written: JSON as text, and MessagePack.
import { pack } from 'msgpackr'

/** What is written to a socket. */
export interface Written {
  readonly bytes: Buffer
  readonly binary: boolean
}

export type EventForm = (message: object) => Written

export const asJson: EventForm = (message) => ({ bytes: Buffer.from(JSON.stringify(message)), binary: false })

/** The packer uses its own buffer again; sockets keep what they are given. */
export const asMessagePack: EventForm = (message) => ({ bytes: Buffer.from(pack(message)), binary: true })
