// A part of the service, as health shows it.
import type { Static } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import { FaultDocument } from '../errors/fault-document.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

/** A part on the wire. */
export const HealthPart = Type.Object(
  {
    name: Type.String({ description: 'As `streams/front`.' }),
    state: Type.String({
      description: oneLine`
        starting, restarting after a crash, failed (crashed too often, and tried again every 15 s), or the state in
        which it runs.
      `,
    }),
    since_ms: Type.Integer({
      description: 'When this state began, Unix time. Looking now and then is one state, whatever it is called.',
    }),
    restarts: Type.Integer({ minimum: 0, description: 'Starts after a crash.' }),
    fault: Type.Union([FaultDocument, Type.Null()], {
      description: 'What is wrong with it now, and what can be done; null: nothing.',
    }),
  },
  { additionalProperties: false, title: 'HealthPart', description: 'A part of the service.' },
)
export type HealthPart = Static<typeof HealthPart>

/** ok: no part has a fault. degraded: some part has one. */
export const HealthStatus = Type.Enum(['ok', 'degraded'], {
  description: 'ok: no part has a fault. degraded: some part has one.',
})
export type HealthStatus = Static<typeof HealthStatus>

/** What follows from the parts for the whole. */
export const healthStatusOf = (parts: readonly { readonly fault: unknown }[]): HealthStatus =>
  parts.some(({ fault }) => fault) ? 'degraded' : 'ok'

/** A part as its supervisor knows it. */
interface KnownPart extends Omit<HealthPart, 'fault'> {
  readonly fault: Fault | null
}

/** A part as the wire has it. */
export const healthPartOf = ({ name, state, since_ms, restarts, fault }: KnownPart): HealthPart => ({
  name,
  state,
  since_ms,
  restarts,
  fault: fault && { code: fault.code, detail: fault.detail },
})

/** A part as the references show one that is well. */
export const healthyPartExample: HealthPart = {
  name: 'streams/front',
  state: 'live',
  since_ms: 1_767_225_601_000,
  restarts: 0,
  fault: null,
}

/** The same of one that is not. */
export const faultyPartExample: HealthPart = {
  name: 'https',
  state: 'failed',
  since_ms: 1_767_225_603_000,
  restarts: 4,
  fault: {
    code: 'child.failed',
    detail: oneLine`
      The part https failed 5 times in a row: 10.12.34.11:443 is taken by another program; stop it, or listen
      elsewhere. It is tried again every 15 s. If it goes on, restart the service, and report it with the file of GET
      /v1/errors/export.
    `,
  },
}
