// The forms in which events are written: JSON as text, and MessagePack.
import { pack } from 'msgpackr'
import { binaryFrame, textFrame } from '../../machines/websocket/server-frame.ts'

/** Writes a message out as a whole frame. */
export type EventForm = (message: object) => Buffer

export const asJson: EventForm = (message) => textFrame([Buffer.from(JSON.stringify(message))])

/** The packer uses its own buffer again; a frame has bytes of its own. */
export const asMessagePack: EventForm = (message) => binaryFrame([pack(message)])
