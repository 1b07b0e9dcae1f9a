// The services of the system that speak D-Bus: whoever asks them has a connection of its own for as long as it needs
// one, so that what goes wrong on it touches nobody else.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { token } from '../../machines/token.ts'

/** Why a service of the system did not do something. */
export interface DbusFailure {
  /**
   * no-bus: there is none. lost: the connection ended meanwhile. no-answer: not within the limit; it may be doing it
   * all the same. error: it said no. unsendable: a value does not fit its signature.
   */
  readonly kind: 'no-bus' | 'lost' | 'no-answer' | 'error' | 'unsendable'
  /** Of the error, as `org.freedesktop.DBus.Error.ServiceUnknown`; null: it is none of a service. */
  readonly name: string | null
  /** For people; without a full stop. */
  readonly text: string
}

/** A method of an object that a service offers. */
export interface DbusCall {
  /** The name of the service, as `org.freedesktop.login1`. */
  readonly service: string
  readonly path: string
  readonly interface: string
  readonly member: string
  /** Of the arguments; missing: there are none. */
  readonly signature?: string
  /** Variants are DbusVariant of native/dbus/variant.ts, 64-bit numbers bigint, `ay` a Buffer, dictionaries objects. */
  readonly body?: readonly unknown[]
  /** How long an answer is waited for. */
  readonly limitMs?: number
}

/** What a service told everybody. */
export interface DbusSignal {
  readonly path: string
  readonly interface: string
  readonly member: string
  readonly body: readonly unknown[]
}

/** Told of a service. Neither may throw. */
export interface DbusListener {
  /** Called for each of its signals. */
  readonly signal?: (signal: DbusSignal) => void
  /** Called when another process has the name: by its name on the bus; null: none has. */
  readonly owner?: (owner: string | null) => void
}

/** A connection to the bus. */
export interface DbusConnection {
  /** What the method answered: its values in order, with DbusVariant for variants. */
  readonly call: (call: DbusCall) => Effect.Effect<readonly unknown[], DbusFailure>
  /**
   * Listens to a service from the moment when this returns, for as long as the scope is open. Gives who has its name at
   * first; null: nobody, and signals come as soon as somebody has.
   */
  readonly follow: (service: string, listener: DbusListener) => Effect.Effect<string | null, DbusFailure, Scope.Scope>
  /** Fails when the connection has ended, and never ends otherwise: for whoever waits for a signal. */
  readonly lost: Effect.Effect<never, DbusFailure>
}

export interface DbusPort {
  /** A connection for as long as the scope is open. Fails with `no-bus`, or `no-answer`. */
  readonly connect: Effect.Effect<DbusConnection, DbusFailure, Scope.Scope>
}

/** The bus of the system. */
export const DBUS = token<DbusPort>('dbus')
