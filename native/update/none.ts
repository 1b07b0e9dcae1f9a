// Updates where there are none: a checkout, and a service that no launcher has started.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { BundleStore, UpdateBackend, UpdateRecords } from './port.ts'

const WHY = oneLine`
  this service was started from a checkout, and nobody could start another version of it: update the checkout with git,
  or install the package
`

const fault: Fault = { code: 'update.unavailable', detail: WHY }

/** version: of this service. */
export const noUpdates = (version: string): UpdateBackend => ({
  kind: 'none',
  unavailable: WHY,
  slots: Effect.succeed({
    running: { name: 'checkout', version, built_at_ms: null },
    other: null,
    isTrial: false,
    chosen: 'checkout',
    failed: null,
    floor: null,
  }),
  install: () => Effect.fail(fault),
  activate: () => Effect.fail(fault),
  commit: Effect.fail(fault),
  goBack: () => Effect.fail(fault),
  restart: Effect.fail(fault),
})

/** Takes nothing. */
export const noBundles: BundleStore = {
  kept: Effect.succeed(null),
  begin: () => Effect.fail(fault),
  append: () => Effect.fail(fault),
  endAppending: Effect.void,
  complete: () => Effect.fail(fault),
  verify: () => Effect.fail(fault),
  clear: Effect.void,
}

/** Keeps nothing. */
export const noRecords: UpdateRecords = { load: Effect.succeed(null), save: () => Effect.void }
