// The record of an update: what of it is known now, with the times at which it came about, and on the disk. Lives as
// long as the service.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { type RecordDraft, stampRecord, type UpdateRecord } from '../../machines/update/record.ts'
import type { UpdateRecords } from '../../native/update/port.ts'

export class RecordKeeper {
  readonly #records: UpdateRecords
  readonly #nowMs: () => number
  #known: UpdateRecord | null = null

  constructor(records: UpdateRecords, nowMs: () => number) {
    this.#records = records
    this.#nowMs = nowMs
  }

  /** What an earlier run left behind. */
  readonly load: Effect.Effect<UpdateRecord | null> = Effect.suspend(() =>
    Effect.tap(this.#records.load, (record) =>
      Effect.sync(() => {
        this.#known = record
      }),
    ),
  )

  /** The record with its times. */
  stamp(draft: RecordDraft): UpdateRecord {
    this.#known = stampRecord(this.#known, draft, this.#nowMs())
    return this.#known
  }

  /** Has it on the disk. */
  save(draft: RecordDraft): Effect.Effect<void, Fault> {
    return Effect.suspend(() => this.#records.save(this.stamp(draft)))
  }

  /** The clock was set: what was noted since the start of this run came about so much later. */
  clockSet(byMs: number, startedMs: number): void {
    if (!this.#known) return
    const { since_ms, failure } = this.#known
    const shifted = (ms: number) => (ms >= startedMs ? ms + byMs : ms)
    this.#known = {
      ...this.#known,
      since_ms: shifted(since_ms),
      failure: failure && { ...failure, at_ms: shifted(failure.at_ms) },
    }
  }
}
