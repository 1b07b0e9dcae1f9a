// A fault on the wire, as it stands in the status of what it concerns.
import Type from '../schema/type.ts'
import { CATALOGUE } from './catalogue.ts'

/** Of every fault that there is. */
export const FaultCode = Type.Enum(Object.keys(CATALOGUE) as (keyof typeof CATALOGUE)[], {
  title: 'FaultCode',
  description: 'The stable key of a fault, for programs.',
})

/** A fault as the wire shows it inside a status. */
export const FaultDocument = Type.Object(
  {
    code: FaultCode,
    detail: Type.String({ description: 'A sentence for people: what happened, and what to do.' }),
  },
  { additionalProperties: false, title: 'Fault', description: 'What is wrong.' },
)
