// A device that can be killed at any moment and started again on what it has stored: the service as the product puts it
// together, with its API, on fake ports.
import type { TestContext } from 'node:test'
import * as Effect from 'effect/Effect'
import type { FastifyInstance } from 'fastify'
import { interdeviceArea } from '../../../../api/interdevice/area.ts'
import { helloArea } from '../../../../api/interdevice/hello.ts'
import { peerArea } from '../../../../api/peers/area.ts'
import { createApi } from '../../../../api/server/server.ts'
import type { Fault } from '../../../../machines/errors/fault.ts'
import type { EventDocument } from '../../../../machines/events/event.ts'
import type { Commit } from '../../../../machines/settings/store.ts'
import { CLOCK } from '../../../../native/clock/port.ts'
import { FakeDocuments } from '../../../../native/documents/fake.ts'
import { DOCUMENTS, type Documents, type DocumentsPort } from '../../../../native/documents/port.ts'
import { fakeIdentity, fakeIdentityPort } from '../../../../native/identity/fake.ts'
import { IDENTITY } from '../../../../native/identity/port.ts'
import { fakeSecrets } from '../../../../native/peer-secrets/fake.ts'
import { PEER_SECRETS } from '../../../../native/peer-secrets/port.ts'
import { PEER_WIRE } from '../../../../native/peers/port.ts'
import { value } from '../../../../supervisors/composition/container.ts'
import { API } from '../../../../supervisors/http/branch.ts'
import { peerBranch } from '../../../../supervisors/peers/branch.ts'
import { settingsBranch } from '../../../../supervisors/settings/branch.ts'
import { streamBranch } from '../../../../supervisors/stream/branch.ts'
import { type FakeService, fakeService } from '../../service.ts'
import type { SimulatedTime } from './time.ts'
import type { BadWire } from './wire.ts'

/** Whether what is being written when a device is killed is on its disk. */
export type Disk = 'before' | 'after'

const BRANCHES = [settingsBranch, streamBranch, peerBranch]
const AREAS = [interdeviceArea, helloArea, peerArea]
const IDENTITIES = { source: fakeIdentity(), receiver: fakeIdentity() } // a key costs as much as a hundred requests

const OFF: Fault = { code: 'storage.failed', detail: 'the device is off' }

/** One run of the service. events: all that it has published. */
export interface Run {
  readonly fake: FakeService
  readonly app: FastifyInstance
  readonly events: readonly EventDocument[]
}

/** What was stored, and when, in ms of simulated time. */
export interface Stored extends Commit {
  readonly atMs: number
}

/** What of a device outlives its runs. */
export class SimulatedDevice {
  /** Everything that was ever stored, oldest first. */
  readonly stored: Stored[] = []
  /** All its runs, the newest last. */
  readonly runs: Run[] = []
  /** The one that there is now. */
  run: Run | undefined
  readonly #time: SimulatedTime
  readonly #wire: BadWire
  readonly #documents = new FakeDocuments()
  readonly #secrets = fakeSecrets()
  readonly #identity
  readonly #ends: (() => unknown)[] = []
  #power = { isOn: false }
  #writing: (() => void) | undefined
  #freeMs = 0

  /** wire: by which it calls others. */
  constructor(time: SimulatedTime, name: keyof typeof IDENTITIES, wire: BadWire) {
    this.#time = time
    this.#wire = wire
    this.#identity = IDENTITIES[name]
  }

  async start(): Promise<Run> {
    const power = { isOn: true }
    this.#power = power
    const t = { after: (end: () => unknown) => void this.#ends.push(end) } as Pick<TestContext, 'after'>
    const fake = await fakeService(t, {
      branches: [],
      ports: [
        value(CLOCK, this.#time),
        value(IDENTITY, fakeIdentityPort(this.#identity)),
        value(PEER_SECRETS, this.#secrets),
        value(DOCUMENTS, this.#disk(power)),
        value(
          PEER_WIRE,
          this.#wire.wireOf(() => power.isOn),
        ),
      ],
    })
    const events: EventDocument[] = []
    fake.directory.events.subscribe((event) => {
      if (power.isOn) events.push(event)
    })
    await fake.start(...BRANCHES)
    const areas = AREAS.map((make) => make(fake.resolve, () => []))
    const app = await createApi({ ...fake.resolve(API), areas: () => areas })
    t.after(() => app.close())
    const run = { fake, app, events }
    this.runs.push(run)
    this.run = run
    return run
  }

  /** From here on nothing of the present run reaches its disk, or anybody. */
  kill(disk: Disk): void {
    if (disk === 'after') this.#writing?.()
    this.#writing = undefined
    this.#power.isOn = false
    this.run = undefined
    this.#freeMs = 0
  }

  /** For so long nothing is written. */
  slowDisk(ms: number): void {
    this.#freeMs = this.#time.passedMs + ms
  }

  /** Waits for the end of all runs, which takes time. */
  async end(): Promise<void> {
    this.kill('before')
    const ended = Promise.all(this.#ends.splice(0).map((end) => end()))
    let isOver = false
    void ended.finally(() => {
      isOver = true
    })
    while (!isOver) await this.#time.pass(END_STEP_MS)
    await ended
  }

  #disk(power: { readonly isOn: boolean }): DocumentsPort {
    const commit = (inner: Documents, each: Commit): Effect.Effect<void, Fault> =>
      Effect.callback((resume) => {
        const write = () => {
          this.#time.stirred += 1
          Effect.runSync(inner.commit(each))
          this.stored.push({ ...each, atMs: this.#time.passedMs })
        }
        const finish = () => {
          if (!power.isOn) return // the one who waits is dead
          this.#writing = undefined
          write()
          resume(Effect.void)
        }
        this.#writing = write
        const waitMs = this.#freeMs - this.#time.passedMs
        if (waitMs > 0) this.#time.later(finish, waitMs)
        else setImmediate(finish)
      })
    const whileOn = <Value>(effect: Effect.Effect<Value, Fault>): Effect.Effect<Value, Fault> =>
      Effect.suspend(() => (power.isOn ? effect : Effect.fail(OFF)))
    const open = Effect.map(
      this.#documents.open,
      (inner): Documents => ({
        ...inner,
        commit: (each) => whileOn(commit(inner, each)),
        findRequest: (key) => whileOn(inner.findRequest(key)),
        finishRequest: (mark, answer) => whileOn(inner.finishRequest(mark, answer)),
        setAside: (aside) => whileOn(inner.setAside(aside)),
        saveErrors: (kept) => whileOn(inner.saveErrors(kept)),
      }),
    )
    return { open }
  }
}

const END_STEP_MS = 100
