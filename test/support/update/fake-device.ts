// A device whose disk outlives the runs of its updater: each run is an updater of its own, as after a restart.
import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import * as Effect from 'effect/Effect'
import { type Actor, createActor, type SimulatedClock } from 'xstate'
import { askNow } from '../../../actors/ask.ts'
import { RecordKeeper } from '../../../actors/update/record-keeper.ts'
import { updateActor } from '../../../actors/update/update-actor.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { Latest } from '../../../machines/latest.ts'
import type { DeviceUse } from '../../../machines/restart/device-use.ts'
import type { UpdateFigures } from '../../../machines/update/progress.ts'
import type { RanBefore } from '../../../machines/update/record.ts'
import { type updateMachine, updateStateName } from '../../../machines/update/update-machine.ts'
import type { UpdateStateName } from '../../../machines/update/update-state.ts'
import { FakeBundles, FakeUpdateBackend, FakeUpdateRecords } from '../../../native/update/fake.ts'
import { simulatedClock, untilState } from '../clock/clock.ts'

/** A run. */
export interface Run {
  readonly actor: Actor<typeof updateMachine>
  readonly clock: SimulatedClock
  readonly state: () => UpdateStateName | null
  readonly until: (state: UpdateStateName) => Promise<void>
  /** Uploads a text whole. */
  readonly upload: (text: string) => Promise<void>
  readonly apply: (when: 'now' | 'idle', allowDowngrade?: boolean) => ReturnType<typeof askNow>
  readonly cancel: () => ReturnType<typeof askNow>
}

export class FakeDevice {
  readonly backend = new FakeUpdateBackend()
  readonly store = new FakeBundles()
  readonly records = new FakeUpdateRecords()
  readonly progress = new Latest<UpdateFigures>()
  readonly use = new Latest<DeviceUse>()
  readonly recorded: Fault[] = []
  before: RanBefore = { streams: ['front'], parts: ['http'], robot_link: true }
  /** What a trial finds, and what it was asked with. */
  missing: readonly string[] = []
  lookedWith: (RanBefore | null)[] = []
  nowMs = 1_767_225_600_000
  #run: Run | null = null

  constructor(t: TestContext) {
    t.after(() => this.cut())
  }

  /** Starts what a launcher would start. */
  async start(): Promise<Run> {
    this.cut()
    this.backend.start()
    this.nowMs += 60_000
    const clock = simulatedClock()
    const logic = updateActor({
      backend: this.backend,
      store: this.store,
      keeper: new RecordKeeper(this.records, () => this.nowMs),
      progress: this.progress,
      watchUse: (tell) => {
        if (this.use.value) tell(this.use.value)
        return this.use.subscribe(tell)
      },
      ranBefore: () => this.before,
      health: (before) =>
        Effect.sync(() => {
          this.lookedWith.push(before)
          return this.missing
        }),
      betweenLooks: '1 millis',
      record: (fault) => this.recorded.push(fault),
    })
    const actor = createActor(logic, { clock, input: { unavailable: this.backend.unavailable } }).start()
    const state = () => updateStateName(actor.getSnapshot())
    await untilState(actor, () => state() !== null)
    const run: Run = {
      actor,
      clock,
      state,
      until: async (wanted) => void (await untilState(actor, () => state() === wanted, wanted)),
      upload: (text) => uploadTo(this.store, actor, text),
      apply: (when, allowDowngrade = false) => askNow(actor, { type: 'update.apply', when, allowDowngrade }),
      cancel: () => askNow(actor, { type: 'update.cancel' }),
    }
    this.#run = run
    return run
  }

  /** The power goes. */
  cut(): void {
    this.#run?.actor.stop()
    this.#run = null
  }
}

const uploadTo = async (store: FakeBundles, actor: Run['actor'], text: string): Promise<void> => {
  const announced = { bytes: text.length, resumable: true }
  const begun = await askNow(actor, { type: 'update.receive', announced })
  if (begun.outcome !== 'done' || !begun.value) throw new Error(JSON.stringify(begun))
  const { id } = begun.value
  await Effect.runPromise(store.append(id, 0, Readable.from([Buffer.from(text)]), () => {}))
  const received = await askNow(actor, { type: 'update.received', id })
  if (received.outcome !== 'done') throw new Error(received.fault.detail)
}
