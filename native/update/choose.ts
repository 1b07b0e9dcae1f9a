// Who installs updates on this device: RAUC where it is there, whoever else otherwise. It is asked at the first use,
// since the bus answers in its own time.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { noRelease } from '../../machines/update/system-bundle.ts'
import { busCall } from '../dbus/bus-names.ts'
import { toFault } from '../dbus/failure.ts'
import type { DbusConnection, DbusFailure, DbusPort } from '../dbus/port.ts'
import type { UpdateBackend } from './port.ts'
import { RAUC } from './rauc/service.ts'

/** Who could install. */
export interface Installers {
  readonly dbus: DbusPort
  readonly rauc: UpdateBackend
  readonly otherwise: UpdateBackend
}

/**
 * RAUC when it is on the bus, or can be started by it. What it is, is known from the first use on: `kind` and
 * `unavailable` are of the other one until then.
 */
export const chooseBackend = ({ dbus, rauc, otherwise }: Installers): UpdateBackend => {
  let chosen: UpdateBackend | undefined
  const choose: Effect.Effect<UpdateBackend, Fault> = Effect.suspend(() =>
    chosen
      ? Effect.succeed(chosen)
      : Effect.map(hasRauc(dbus), (found) => {
          chosen ??= found ? rauc : otherwise
          return chosen
        }),
  )
  return {
    get kind() {
      return (chosen ?? otherwise).kind
    },
    get unavailable() {
      return (chosen ?? otherwise).unavailable
    },
    slots: Effect.flatMap(choose, ({ slots }) => slots),
    install: (bundle, onProgress) =>
      Effect.flatMap(choose, (installer) => {
        const no = installer === rauc ? null : noRelease(bundle.manifest)
        return no === null
          ? installer.install(bundle, onProgress)
          : Effect.fail<Fault>({ code: 'update.refused', detail: `the bundle is refused: ${no}` })
      }),
    activate: (name) => Effect.flatMap(choose, (backend) => backend.activate(name)),
    commit: Effect.flatMap(choose, ({ commit }) => commit),
    goBack: (reason) => Effect.flatMap(choose, (backend) => backend.goBack(reason)),
    restart: Effect.flatMap(choose, ({ restart }) => restart),
  }
}

/**
 * A package without a configuration has a name that can be started, and a service that ends at once: that is none. What
 * does not answer in time is no answer: a device that has just started is slow, and is asked again.
 */
const hasRauc = (dbus: DbusPort): Effect.Effect<boolean, Fault> =>
  Effect.catch(
    Effect.scoped(Effect.flatMap(dbus.connect, (connection) => Effect.andThen(start(connection), isThere(connection)))),
    (failure) =>
      failure.kind === 'no-bus' || failure.kind === 'error'
        ? Effect.succeed(false)
        : Effect.fail(toFault('whether RAUC is here is not known yet')(failure)),
  )

const isThere = (connection: DbusConnection): Effect.Effect<boolean, DbusFailure> =>
  Effect.map(connection.call(busCall('NameHasOwner', RAUC)), ([is]) => is === true)

const start = (connection: DbusConnection): Effect.Effect<void, DbusFailure> =>
  Effect.gen(function* () {
    if (yield* isThere(connection)) return
    yield* connection.call({ ...busCall('StartServiceByName'), signature: 'su', body: [RAUC, 0] })
  })
