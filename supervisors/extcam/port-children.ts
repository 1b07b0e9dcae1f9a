// One supervised listener for each port of its own that a stream wants, as long as it is shown as the vendor's camera.

import * as Effect from 'effect/Effect'
import type { Directory } from '../../actors/directory.ts'
import { extcamPortActor } from '../../actors/extcam/extcam-port-actor.ts'
import type { ExtcamTables } from '../../actors/extcam/tables.ts'
import type { ServeHttp } from '../../actors/http/http-server-actor.ts'
import type { StreamRegistry } from '../../actors/stream/stream-registry.ts'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { PORT_FIELDS, type PortField } from '../../machines/stream/extcam-ports.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import { anyChild, type Child } from '../supervision/supervisor.ts'

/**
 * A port of its own that a stream shall have. A stream that was deleted and created again is another one. owner: the
 * part of the service that owns it.
 */
interface WantedPort {
  readonly stream: StreamRuntime
  readonly table: string
  readonly field: PortField
  readonly port: number
  readonly owner: OwnPort | undefined
}

/** What the service itself listens with, and where. what: a name for people. */
export interface OwnPort {
  readonly what: string
  readonly port: number
}

/** What the listeners need. */
export interface PortChildrenParts {
  readonly directory: Directory
  readonly streams: StreamRegistry
  readonly tables: ExtcamTables
  /** The ports that no stream can have, as of now. */
  readonly own: () => readonly OwnPort[]
  /** What is to be at a port. */
  readonly serve: (field: PortField, table: string, port: number) => ServeHttp
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
}

export class PortChildren implements WantedChildren<WantedPort> {
  readonly name = 'extcam-ports'
  readonly #parts: PortChildrenParts

  constructor(parts: PortChildrenParts) {
    this.#parts = parts
  }

  readonly watch = (changed: () => void): (() => void) => {
    const subscription = this.#parts.directory.settings.subscribe(changed)
    return () => subscription.unsubscribe()
  }

  wanted(): ReadonlyMap<string, WantedPort> {
    const { tables, streams, own } = this.#parts
    const taken = own()
    const wanted = [...tables.claims()].flatMap(([streamId, claim]) => {
      const stream = streams.get(streamId)
      if (!stream || !('table' in claim)) return []
      return PORT_FIELDS.flatMap((field) => {
        const port = stream.manifest.extcam?.[field]
        const owner = taken.find((each) => each.port === port)
        return port === undefined ? [] : [{ stream, table: claim.table, field, port, owner }]
      })
    })
    return new Map(wanted.map((each) => [`${this.name}/${each.stream.id}/${each.field.replace('_port', '')}`, each]))
  }

  /**
   * Also one that is open is given up when the service itself is set to listen there, and had again when it is not any
   * more.
   */
  isSame(before: WantedPort, after: WantedPort): boolean {
    const isWhere = before.table === after.table && before.port === after.port
    return before.stream === after.stream && isWhere && before.owner?.what === after.owner?.what
  }

  start(id: string, { stream, table, field, port, owner }: WantedPort): Child {
    const { serve, record } = this.#parts
    const served = owner
      ? Effect.fail(ownFault(owner, stream.id, field))
      : Effect.mapError(serve(field, table, port), (fault) => portFault(fault, stream.id, field, port))
    return anyChild({ id, incarnate: Effect.sync(() => ({ logic: extcamPortActor({ serve: served, record }) })) })
  }
}

const ownFault = ({ what, port }: OwnPort, streamId: string, field: PortField): Fault => ({
  code: 'extcam.port_taken',
  resource: `streams/${streamId}`,
  detail: `port ${port} belongs to ${what} of this service; set another ${field} in extcam of the stream ${streamId}`,
})

/** What its people are told who have to choose another port. */
const portFault = ({ code, detail }: Fault, streamId: string, field: PortField, port: number): Fault => {
  const resource = `streams/${streamId}`
  if (code !== 'http.port_taken') return { code, detail: `${field} ${port} of extcam: ${detail}`, resource }
  return {
    code: 'extcam.port_taken',
    resource,
    detail: oneLine`
      port ${port} is taken by another program or another stream; set another ${field} in extcam of the stream
      ${streamId}, or free it. It is tried again every 15 s.
    `,
  }
}
