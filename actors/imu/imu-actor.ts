// The IMU, with its effects: what is asked of the chip, and what is made of its samples.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { Fusion } from '../../machines/imu/fusion.ts'
import {
  type ImuActions,
  type ImuEffects,
  type ImuEvent,
  type ImuWanted,
  imuMachine,
} from '../../machines/imu/imu-machine.ts'
import { mountMatrix } from '../../machines/imu/mount.ts'
import type { RawImuBatch } from '../../machines/imu/reading.ts'
import { imuSettingsIn } from '../../machines/imu/settings-collection.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { SettingsStore } from '../../machines/settings/store.ts'
import type { ImuDevices } from '../../native/imu/port.ts'
import { fromEffect, fromScoped, type Talk } from '../run.ts'
import { type StartTimer, startTimer } from '../timer.ts'
import type { ImuView } from './imu-view.ts'

/** What it works with. */
export interface ImuActorParts {
  readonly devices: ImuDevices
  readonly settings: SettingsStore
  readonly view: ImuView
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
  readonly later?: StartTimer
}

/** A chip that says nothing for so long is broken, or its driver is. */
export const SILENT_MS = 1_000
const RESOURCE = 'imu'
const RAD = Math.PI / 180

/** The IMU of this device. */
export const imuActor = (parts: ImuActorParts) => {
  const { devices, settings, view, record, later = startTimer } = parts

  return imuMachine.provide({
    actions: {
      noteFound: (_, found) => {
        view.found = found
      },
      noteUsed: (_, used) => {
        view.used = used
      },
      noteFault: (_, fault) => {
        view.fault = fault
        record({ resource: RESOURCE, ...fault })
      },
    } satisfies Required<ImuActions>,
    actors: {
      watchSettings: fromScoped<never, void, ImuEvent>((_, { send, guard }) => {
        let before = ''
        const look = guard(() => {
          const { enabled: isEnabled, imu, rate_hz } = imuSettingsIn(settings).value
          const now = JSON.stringify([isEnabled, imu, rate_hz])
          if (now === before) return
          before = now
          if (!isEnabled) view.fault = null
          send({ type: 'settings.changed', isEnabled, request: { imu, rate_hz } })
        })
        look()
        return Effect.andThen(subscribed(settings, look), Effect.never)
      }),
      findImu: fromEffect(() => devices.find),
      readImu: fromScoped<never, ImuWanted, ImuEvent>((wanted, talk) =>
        Effect.gen(function* () {
          const reading = new Reading(view, settings, wanted.imu.id, talk)
          yield* Effect.addFinalizer(() => Effect.sync(() => reading.end()))
          let end: (fault: Fault) => void = () => {}
          const broken = new Promise<Fault>((resolve) => {
            end = resolve
          })
          const silence = new Silence(later, () => end(silent(wanted)))
          yield* Effect.addFinalizer(() => Effect.sync(() => silence.stop()))
          view.opened = yield* devices.open(
            { id: wanted.imu.id, rate_hz: wanted.rate_hz },
            talk.guard((batch: RawImuBatch) => {
              silence.heard()
              reading.feed(batch)
            }),
            end,
          )
          silence.begin()
          yield* subscribed(
            settings,
            talk.guard(() => reading.look()),
          )
          return yield* Effect.flatMap(
            Effect.promise(() => broken),
            (fault) => Effect.fail(fault),
          )
        }),
      ),
    } satisfies Required<ImuEffects>,
  })
}

/** Calls back when the settings may be others, for as long as the scope is open. */
const subscribed = (settings: SettingsStore, look: () => void) =>
  Effect.acquireRelease(
    Effect.sync(() => settings.subscribe(look)),
    ({ unsubscribe }) => Effect.sync(() => unsubscribe()),
  )

const silent = ({ imu: { name } }: ImuWanted): Fault => ({
  code: 'imu.silent',
  detail: oneLine`
    The IMU ${name} has said nothing for ${SILENT_MS / 1000} s. It is opened again; if that goes on, look at its cable
    and at what the kernel says of it.
  `,
})

/** Looks in that time. One look alone says nothing: this process may have stood still, and not the chip. */
const SILENT_LOOKS = 4

/** Notices when nothing was heard at some looks in a row; a batch starts no timer. */
class Silence {
  readonly #later: StartTimer
  readonly #tell: () => void
  #stop: (() => void) | undefined
  #wasHeard = true
  #silentLooks = 0

  constructor(later: StartTimer, tell: () => void) {
    this.#later = later
    this.#tell = tell
  }

  heard(): void {
    this.#wasHeard = true
  }

  begin(): void {
    this.#stop = this.#later(SILENT_MS / SILENT_LOOKS, () => {
      this.#silentLooks = this.#wasHeard ? 0 : this.#silentLooks + 1
      this.#wasHeard = false
      if (this.#silentLooks < SILENT_LOOKS) this.begin()
      else this.#tell()
    })
  }

  stop(): void {
    this.#stop?.()
  }
}

/** What is made of the samples of one IMU, from when it is opened until it is closed. */
class Reading {
  readonly #view: ImuView
  readonly #settings: SettingsStore
  readonly #imu: string
  readonly #talk: Talk<ImuEvent>
  #setup = ''
  #fusion: Fusion
  #state: 'opening' | 'settling' | 'running' = 'opening'

  constructor(view: ImuView, settings: SettingsStore, imu: string, talk: Talk<ImuEvent>) {
    this.#view = view
    this.#settings = settings
    this.#imu = imu
    this.#talk = talk
    this.#fusion = this.#fusionNow()
    view.forget()
  }

  /** The settings may be others. */
  look(): void {
    const before = this.#setup
    const fusion = this.#fusionNow()
    if (this.#setup === before) return
    this.#fusion = fusion
    this.#unsettle()
  }

  feed(batch: RawImuBatch): void {
    if (this.#state === 'opening') this.#become('settling', { type: 'imu.opened' })
    const readings = this.#fusion.feed(batch)
    if (readings.count > 0 && this.#state === 'settling') {
      this.#view.fault = null
      this.#become('running', { type: 'imu.settled' })
    } else if (readings.count === 0 && batch.count > 0) this.#unsettle()
    this.#view.remainder = this.#fusion.remainder
    this.#view.isAtRest = this.#fusion.isAtRest
    this.#view.add(batch, readings)
  }

  end(): void {
    const view = this.#view
    view.forget()
    view.opened = null
    view.temperature_c = null
    view.bias = null
    view.remainder = null
  }

  #unsettle(): void {
    if (this.#state !== 'running') return
    this.#view.forget()
    this.#become('settling', { type: 'imu.unsettled' })
  }

  #become(state: 'settling' | 'running', event: ImuEvent): void {
    this.#state = state
    this.#talk.send(event)
  }

  #fusionNow(): Fusion {
    const { value, bias } = imuSettingsIn(this.#settings)
    const own = bias?.imu === this.#imu ? bias : null
    this.#view.bias = own
    this.#setup = JSON.stringify([value.mount, own])
    const [x = 0, y = 0, z = 0] = own?.gyro_dps ?? []
    return new Fusion({ mount: mountMatrix(value.mount), bias: own && [RAD * x, RAD * y, RAD * z] })
  }
}
