// RAUC and a boot loader that counts, in memory: over a bus of a test, or without one.
import { Variant } from '@jellybrick/dbus-next'
import * as Effect from 'effect/Effect'
import type { DbusCall, DbusConnection, DbusFailure, DbusListener, DbusPort } from '../../../native/dbus/port.ts'
import { DbusVariant } from '../../../native/dbus/variant.ts'
import { type Answer, dbusError, type FakeService, type Method } from '../dbus/fake-service.ts'

const KEPT = 99 // starts that are not counted any more
const FIRST_TRIES = 2
const INSTALLER = 'de.pengutronix.rauc.Installer'
const GENERAL = 'org.gtk.GDBus.UnmappedGError.Quark._g_2dio_2derror_2dquark.Code30' // as RAUC 1.8 names them all

/** A slot of the device. */
export interface ModelSlot {
  readonly name: string
  tries: number
  version: string | null
  installs: number
}

/** A device with two slots. */
export class RaucModel {
  readonly slots: readonly [ModelSlot, ModelSlot] = [
    { name: 'rootfs.0', tries: KEPT, version: '1.0.0', installs: 1 },
    { name: 'rootfs.1', tries: KEPT, version: null, installs: 0 },
  ]
  primary = 'rootfs.0'
  booted = 'rootfs.0'
  boots = 1
  operation = 'idle'
  lastError = ''
  /** What a bundle says of itself. */
  bundle = { compatible: 'vedette-test', version: '2.0.0' }
  /** How the next install ends; empty: well. */
  installFails = ''
  /** Called before and after everything that stays when the power goes. */
  onStep: () => void = () => {}

  slot(name: string): ModelSlot {
    const slot = this.slots.find((each) => each.name === name)
    if (!slot) throw dbusError(GENERAL, `No slot with name ${name}`)
    return slot
  }

  get other(): ModelSlot {
    return this.slot(this.booted === 'rootfs.0' ? 'rootfs.1' : 'rootfs.0')
  }

  get bootId(): string {
    return `run ${this.boots}`
  }

  /** Starts the device again: what the selector of a boot loader does. */
  boot(): void {
    const preferred = this.slot(this.primary)
    const slot = preferred.tries > 0 ? preferred : this.slot(this.slots.find((each) => each !== preferred)?.name ?? '')
    if (slot.tries > 0 && slot.tries < KEPT) slot.tries -= 1
    this.booted = slot.name
    this.boots += 1
    this.operation = 'idle'
    this.lastError = ''
  }

  /** Each step of an install, as RAUC does them; the last one ends it. */
  *install(): Generator<void> {
    const target = this.other
    this.operation = 'installing'
    this.lastError = ''
    this.#keep(() => {
      target.tries = 0
    })
    yield
    if (this.installFails !== '') {
      this.lastError = this.installFails
      this.operation = 'idle'
      return
    }
    this.#keep(() => {
      target.version = this.bundle.version
      target.installs += 1
    })
    yield
    this.#keep(() => this.#setPrimary(target))
    this.operation = 'idle'
  }

  mark(state: string, name: string): void {
    if (this.operation !== 'idle') throw dbusError(GENERAL, 'Already processing a different method')
    const slot = this.slot(name)
    this.#keep(() => {
      if (state === 'active') this.#setPrimary(slot)
      else slot.tries = state === 'good' ? KEPT : 0
    })
  }

  #setPrimary(slot: ModelSlot): void {
    slot.tries = FIRST_TRIES
    this.primary = slot.name
  }

  #keep(change: () => void): void {
    this.onStep()
    change()
    this.onStep()
  }
}

const METHODS: Readonly<Record<string, (model: RaucModel, values: readonly unknown[]) => Answer>> = {
  GetSlotStatus: (model) => [
    'a(sa{sv})',
    model.slots.map((slot) => [
      slot.name,
      {
        class: new Variant('s', 'rootfs'),
        bootname: new Variant('s', slot.name === 'rootfs.0' ? 'A' : 'B'),
        state: new Variant('s', slot.name === model.booted ? 'booted' : 'inactive'),
        'boot-status': new Variant('s', slot.tries > 0 ? 'good' : 'bad'),
        ...(slot.version !== null && { 'bundle.version': new Variant('s', slot.version) }),
        'installed.count': new Variant('u', slot.installs),
      },
    ]),
  ],
  GetPrimary: ({ primary }) => ['s', primary],
  Get: (model, [, name]) => {
    const values: Readonly<Record<string, string>> = {
      Operation: model.operation,
      LastError: model.lastError,
      Compatible: 'vedette-test',
    }
    return ['v', new Variant('s', values[String(name)] ?? '')]
  },
  Mark: (model, [state, slot]) => {
    model.mark(String(state), String(slot))
    return ['ss', String(slot), `marked slot(s) ${slot} as ${state}`]
  },
  Info: ({ bundle }) => ['ss', bundle.compatible, bundle.version],
}

/** The methods of RAUC 1.8 for a service on a bus. `installing`: what InstallBundle does before it answers. */
export const raucMethods = (
  model: RaucModel,
  installing: (path: string) => void | Promise<void>,
): readonly (readonly [string, Method])[] => [
  ...Object.entries(METHODS).map(([name, method]): readonly [string, Method] => [
    name,
    (...values) => method(model, values),
  ]),
  [
    'InstallBundle',
    async (path) => {
      if (model.operation !== 'idle') throw dbusError(GENERAL, 'Already processing a different method')
      await installing(String(path))
      return ['']
    },
  ],
]

/** Tells how far an install is. */
export const tellProgress = (service: FakeService, percent: number): void =>
  service.signal(
    '/',
    'org.freedesktop.DBus.Properties',
    'PropertiesChanged',
    'sa{sv}as',
    INSTALLER,
    { Progress: new Variant('(isi)', [percent, 'Copying image', 1]) },
    [],
  )

/** Tells that one has ended. */
export const tellCompleted = (service: FakeService, result: number): void =>
  service.signal('/', INSTALLER, 'Completed', 'i', result)

const failureOf = (error: unknown): DbusFailure => {
  const { type, text } = error as { readonly type?: string; readonly text?: string }
  if (type === undefined) throw error
  return { kind: 'error', name: type, text: text ?? '' }
}

const received = (value: unknown): unknown => {
  if (value instanceof Variant) return new DbusVariant(value.signature, received(value.value))
  if (Array.isArray(value)) return value.map(received)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, received(inner)]))
}

/** The same without a bus: an install is done before its order is answered. */
export const modelDbus = (model: RaucModel): DbusPort => {
  const call = ({ member, body = [] }: DbusCall, listeners: ReadonlySet<DbusListener>): Answer => {
    const method = METHODS[member]
    if (method) return method(model, body)
    if (member !== 'InstallBundle') throw dbusError('org.freedesktop.DBus.Error.UnknownMethod', `No such ${member}`)
    for (const _ of model.install());
    const result = model.lastError === '' ? 0 : 1
    for (const { signal } of listeners)
      signal?.({ path: '/', interface: INSTALLER, member: 'Completed', body: [result] })
    return ['']
  }
  return {
    connect: Effect.sync((): DbusConnection => {
      const listeners = new Set<DbusListener>()
      return {
        call: (each) =>
          Effect.try({ try: () => received((call(each, listeners) ?? []).slice(1)) as unknown[], catch: failureOf }),
        follow: (_, listener) =>
          Effect.as(
            Effect.acquireRelease(
              Effect.sync(() => void listeners.add(listener)),
              () => Effect.sync(() => void listeners.delete(listener)),
            ),
            ':1.1',
          ),
        lost: Effect.never,
      }
    }),
  }
}
