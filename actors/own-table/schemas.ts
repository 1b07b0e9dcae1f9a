// The schemas of the structs that own tables are made of: once in each session, for the tables of all streams. The
// server keeps them when we are gone.
import { POSE_SCHEMAS } from '../../machines/own-table/structs.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'

interface Schemas {
  readonly values: readonly (readonly [handle: number, text: Uint8Array])[]
  readonly areWritten: boolean
}

const known = new WeakMap<Nt4Session, Schemas>()

/**
 * Whether the server has them now; if not, it is to be called again. What others have published, as robot programs do,
 * counts as well.
 */
export const publishSchemas = (session: Nt4Session): boolean => {
  const { values, areWritten } = known.get(session) ?? { values: announced(session), areWritten: false }
  const have = areWritten || session.write(values)
  known.set(session, { values, areWritten: have })
  return have
}

const announced = (session: Nt4Session): Schemas['values'] =>
  POSE_SCHEMAS.map(({ name, text }) => [
    session.publish(`/.schema/struct:${name}`, 'structschema', { retained: true }),
    new TextEncoder().encode(text),
  ])
