// One supervised adapter for each stream that the robot shall see as the vendor's camera, as long as the setting says
// so.
import * as Effect from 'effect/Effect'
import type { Directory } from '../../actors/directory.ts'
import type { RecordFault } from '../../actors/errors/error-keeper-actor.ts'
import { Controls, type ControlsParts } from '../../actors/extcam/controls.ts'
import { extcamActor } from '../../actors/extcam/extcam-actor.ts'
import { makeRobotOperations, type RobotOperationParts } from '../../actors/extcam/robot-operations.ts'
import type { ExtcamTables } from '../../actors/extcam/tables.ts'
import type { ExtcamAdapters } from '../../actors/extcam/tokens.ts'
import type { WriteScheduler } from '../../actors/nt4/write-scheduler.ts'
import type { StreamRegistry } from '../../actors/stream/stream-registry.ts'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { TableClaim } from '../../machines/extcam/table.ts'
import type { Publishing } from '../../machines/nt4/settings.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import { anyChild, type Child } from '../supervision/supervisor.ts'

/** An adapter that a stream shall have. A stream that was deleted and created again is another one. */
interface WantedAdapter {
  readonly stream: StreamRuntime | undefined
  readonly claim: TableClaim
  readonly publishing: Publishing
}

/** What a robot has set on a stream under a name. It outlives adapters that differ in how they publish. */
interface KeptControls extends Pick<WantedAdapter, 'stream'> {
  readonly table: string | undefined
  readonly controls: Controls
}

const PREFIX = 'extcam/'

/** What the adapters need. */
export interface ExtcamChildrenParts extends Omit<RobotOperationParts, 'directory'> {
  readonly directory: Directory
  readonly streams: StreamRegistry
  /** Which stream has which. */
  readonly tables: ExtcamTables
  readonly adapters: ExtcamAdapters
  /** Enters a fault in the error history. */
  readonly record: RecordFault
  readonly turns: WriteScheduler
  readonly nt4Settings: () => { readonly value: Publishing }
  readonly lights: ControlsParts['lights']
}

export class ExtcamChildren implements WantedChildren<WantedAdapter> {
  readonly name = 'extcam'
  readonly #parts: ExtcamChildrenParts
  readonly #kept = new Map<string, KeptControls>()

  constructor(parts: ExtcamChildrenParts) {
    this.#parts = parts
  }

  readonly watch = (changed: () => void): (() => void) => {
    const subscription = this.#parts.directory.settings.subscribe(changed)
    return () => subscription.unsubscribe()
  }

  wanted(): ReadonlyMap<string, WantedAdapter> {
    const { tables, streams, nt4Settings } = this.#parts
    const { publish_period_ms, json } = nt4Settings().value
    const publishing = { publish_period_ms, json }
    const claims = [...tables.claims()]
    return new Map(claims.map(([id, claim]) => [PREFIX + id, { stream: streams.get(id), claim, publishing }]))
  }

  isSame(before: WantedAdapter, after: WantedAdapter): boolean {
    return before.stream === after.stream && said(before) === said(after)
  }

  start(id: string, { stream, claim, publishing }: WantedAdapter): Child {
    if (!stream) throw new Error(`the directory knows nothing of the stream of ${id}`)
    const { newSnapshot, ...made } = this.#parts.adapters.sourcesOf(stream)
    const sources = {
      ...made,
      noResult: stream.noResult,
      turns: this.#parts.turns,
      frames: () => stream.meter.frames,
      controls: this.#controlsOf(id, stream, claim),
      publishing,
      record: (fault: Fault) => this.#parts.record(fault),
    }
    const incarnate = Effect.sync(() => ({
      logic: extcamActor({ ...sources, snapshot: newSnapshot() }),
      options: { input: { streamId: stream.id, claim } },
    }))
    return anyChild({ id, incarnate })
  }

  /** No robot finds it any more: what one has set ends with that. */
  dropped(id: string): void {
    this.#kept.delete(id)
    this.#parts.streams.get(id.slice(PREFIX.length))?.robot.forget()
  }

  /**
   * They count what the robot asks for, and know what it has said already. Under another table it is another camera's,
   * and what was set ends.
   */
  #controlsOf(id: string, stream: StreamRuntime, claim: TableClaim): Controls {
    const table = 'table' in claim ? claim.table : undefined
    const before = this.#kept.get(id)
    if (before?.stream === stream && before.table === table) return before.controls
    stream.robot.forget()
    const controls = this.#newControls(stream)
    this.#kept.set(id, { stream, table, controls })
    return controls
  }

  #newControls(stream: StreamRuntime): Controls {
    const { record, directory, lights } = this.#parts
    const resource = `streams/${stream.id}`
    return new Controls({
      stream,
      clock: directory.clock,
      lights,
      operations: makeRobotOperations(stream, this.#parts),
      record: (fault, times) => record({ resource, ...fault }, times),
    })
  }
}

const said = ({ claim, publishing }: WantedAdapter): string => JSON.stringify({ claim, publishing })
