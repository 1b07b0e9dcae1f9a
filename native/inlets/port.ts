// Where an engine of this device has the pictures of another one: an address here, for one engine. It never calls that
// device itself.
import type { Socket } from 'node:net'
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

/** Live pictures. */
export interface TakenPictures {
  /** With their boundary. */
  readonly mediaType: string
  /** Is given a connection whose answer has its head, for good. */
  readonly join: (socket: Socket) => void
}

/** Gets them, or says why there are none. */
export type TakePictures = () => Promise<TakenPictures | Fault>

export interface InletPort {
  /**
   * Opens an address (`http://`) at which they are. Only a reader that was told of it knows it. All connections to it
   * end with the scope.
   */
  readonly open: (take: TakePictures) => Effect.Effect<string, never, Scope.Scope>
}

/** The inlets of this device. */
export const INLETS = token<InletPort>('inlets')
