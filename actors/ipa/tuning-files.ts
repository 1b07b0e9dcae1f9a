// The tuning files, read when somebody asks, and changed by one caller at a time. What reads them next is a start of
// the engine; whoever changes one may ask for that.
import * as Effect from 'effect/Effect'
import * as Semaphore from 'effect/Semaphore'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { roundedCcm } from '../../machines/ipa/ccm.ts'
import {
  copyIn,
  fileOfSensor,
  flawOfOrder,
  listed,
  notChanged,
  unreadable,
  wanted,
  withEnd,
} from '../../machines/ipa/choice.ts'
import { ipaChanged } from '../../machines/ipa/events.ts'
import type { CameraTuning, CcmOrder, Ipa, TuningChange } from '../../machines/ipa/ipa.ts'
import { copyOf, type FoundTuning, flawOfCopying, isInForce, type TuningLook } from '../../machines/ipa/places.ts'
import { addMatrix, isTuningFlaw, readTuning, type Tuning, type TuningFlaw } from '../../machines/ipa/tuning-text.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { restartStream } from '../../machines/stream/orders.ts'
import { ownCameraOf } from '../../machines/stream/sources/traits.ts'
import type { IpaPort } from '../../native/ipa/port.ts'
import { askNow } from '../ask.ts'
import type { Cameras } from '../cameras/cameras.ts'
import type { Directory } from '../directory.ts'
import type { Restarts } from '../restart/restarts.ts'
import { answerOf } from '../run.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'

/** What it works with. */
export interface TuningFilesParts {
  readonly port: IpaPort
  readonly cameras: Pick<Cameras, 'recognised' | 'present'>
  readonly streams: Pick<StreamRegistry, 'all'>
  readonly restarts: Pick<Restarts, 'refusal'>
  readonly directory: Pick<Directory, 'actor' | 'events' | 'clock'>
}

/** A file with its bytes. */
export interface TuningBytes {
  readonly path: string
  readonly bytes: Uint8Array
}

const RESTART = { target: 'stream', when: 'now', force: false } as const

export class TuningFiles {
  readonly #parts: TuningFilesParts
  readonly #turns = Semaphore.makeUnsafe(1)
  #last: TuningChange | null = null

  constructor(parts: TuningFilesParts) {
    this.#parts = parts
  }

  /** As it is now. file: whose content is to be shown; one that is not listed is `ipa.not_found`. */
  async status(file?: string): Promise<Ipa | Fault> {
    const look = await Effect.runPromise(this.#parts.port.look)
    const found = file === undefined ? null : listed(look, file)
    if (isFault(found)) return found
    const shown = found && { file: found.path, ...(await this.#content(found)) }
    return {
      cameras: await this.#cameras(look),
      files: look.files.map((each) => ({
        file: each.path,
        module: each.module,
        sensor: each.sensor,
        format: each.format,
        place: each.place,
        in_force: isInForce(look.files, each),
        made_at_ms: copyIn(look, each.path)?.made_at_ms ?? null,
      })),
      shown,
      last_change: this.#last,
    }
  }

  /** The bytes of a file that is listed; with none named, of that of the one sensor. */
  async download(file: string | undefined): Promise<TuningBytes | Fault> {
    const look = await Effect.runPromise(this.#parts.port.look)
    const found = wanted(look, file)
    if (isFault(found)) return found
    const bytes = await Effect.runPromise(this.#parts.port.bytes(found.path))
    return bytes ? { path: found.path, bytes } : unreadable(found.path)
  }

  /** What stands in a file that is listed; with none named, in that of the one sensor. */
  async tuning(file: string | undefined): Promise<{ readonly path: string; readonly tuning: Tuning } | Fault> {
    const look = await Effect.runPromise(this.#parts.port.look)
    const found = wanted(look, file)
    if (isFault(found)) return found
    const tuning = await this.#read(found)
    return isTuningFlaw(tuning) ? notChanged(`${found.path}: ${tuning.flaw}`) : { path: found.path, tuning }
  }

  /** Carries an order out, one after the other. */
  change(order: CcmOrder): Promise<undefined | Fault> {
    return Effect.runPromise(this.#turns.withPermits(1)(Effect.promise(() => this.#change(order))))
  }

  async #change(order: CcmOrder): Promise<undefined | Fault> {
    const flaw = flawOfOrder(order)
    if (flaw) return flaw
    if (order.restart_engine) {
      const refusal = await this.#parts.restarts.refusal(RESTART)
      if (refusal) return refusal
    }
    const look = await Effect.runPromise(this.#parts.port.look)
    const found = wanted(look, order.file)
    if (isFault(found)) return found
    const done = order.remove ? await this.#remove(look, found) : await this.#write(look, found, order)
    if (isFault(done)) return done
    this.#parts.directory.events.publish(ipaChanged, { resource_ref: {}, data: { file: done.file } })
    const restarted = order.restart_engine ? await this.#restart() : null
    this.#last = { ...done, at_ms: this.#parts.directory.clock.nowMs(), restarted, detail: withEnd(done, restarted) }
    return undefined
  }

  async #write(look: TuningLook, found: FoundTuning, { ct = 0, ccm = [] }: CcmOrder) {
    const refusal = flawOfCopying(look.files, found, copyIn(look, found.path) !== undefined)
    if (refusal) return notChanged(refusal)
    const bytes = await Effect.runPromise(this.#parts.port.bytes(found.path))
    if (!bytes) return unreadable(found.path)
    const text = addMatrix(textOf(bytes), { ct, ccm: roundedCcm(ccm) })
    if (typeof text !== 'string') return notChanged(`${found.path}: ${text.flaw}`)
    const file = copyOf(found)
    const put = await answerOf(this.#parts.port.put(file, Buffer.from(text, 'latin1')))
    return isFault(put) ? put : ({ file, change: 'written', detail: `The matrix for ${ct} K was written` } as const)
  }

  async #remove(look: TuningLook, found: FoundTuning) {
    const file = copyOf(found)
    if (!copyIn(look, file))
      return notChanged(oneLine`
        there is no copy that this service has written for ${found.sensor} of ${found.module}, or somebody has changed
        it since
      `)
    const removed = await answerOf(this.#parts.port.remove(file))
    return isFault(removed) ? removed : ({ file, change: 'removed', detail: 'The copy was removed' } as const)
  }

  /** Those that libcamera may serve. */
  async #restart(): Promise<string[]> {
    const { streams, cameras, directory } = this.#parts
    const ids: string[] = []
    for (const { id, manifest } of streams.all()) {
      const uid = ownCameraOf(manifest.source)?.camera_uid
      const camera = uid === undefined ? undefined : cameras.present(uid)
      if (!camera || camera.node.usb) continue
      const [order, actor] = [restartStream(manifest), directory.actor('streams')]
      if (isFault(order) || !actor) continue
      const reply = await askNow(actor, order)
      if (reply.outcome === 'done') ids.push(id)
    }
    return ids
  }

  async #read(found: FoundTuning): Promise<Tuning | TuningFlaw> {
    if (found.format !== 'json') return { flaw: 'it is YAML, of which this service reads no matrices' }
    const bytes = await Effect.runPromise(this.#parts.port.bytes(found.path))
    return bytes ? readTuning(textOf(bytes)) : { flaw: 'it cannot be read, or is longer than 1 MiB' }
  }

  async #content(found: FoundTuning) {
    const tuning = await this.#read(found)
    return isTuningFlaw(tuning)
      ? { matrices: null, detail: `${tuning.flaw}.` }
      : { matrices: [...tuning.matrices.map(({ ct, ccm }) => ({ ct, ccm: [...ccm] }))], detail: null }
  }

  async #cameras(look: TuningLook): Promise<CameraTuning[]> {
    const overUsb = this.#parts.cameras.recognised.present
      .filter(({ node }) => node.usb !== null)
      .map(({ unit }) => ({ name: unit.name, sensor: null, file: null, matrices: null, detail: OVER_USB }))
    const sensors = look.sensors.map(async (sensor): Promise<CameraTuning> => {
      const found = fileOfSensor(look, sensor)
      if (!found)
        return { name: sensor, sensor, file: null, matrices: null, detail: `No tuning file for ${sensor} was found.` }
      const { matrices, detail } = await this.#content(found)
      const who = copyIn(look, found.path) ? ', which this service wrote' : ''
      const words = `libcamera reads ${found.path}${who}.${detail === null ? '' : ` No matrices: ${detail}`}`
      return { name: sensor, sensor, file: found.path, matrices, detail: words }
    })
    return [...(await Promise.all(sensors)), ...overUsb]
  }
}

const OVER_USB = 'Tuning files are not of this camera: over USB a camera works on its pictures itself.'

/** Each byte a character: whatever a file holds is kept. */
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
