// What cannot be the key of an output.
import type { Fault } from '../../machines/errors/fault.ts'
import { quote } from '../../machines/schema/quote.ts'
import { fault } from '../problems/problem.ts'

/** form: what one looks like, as a sentence. */
export const malformedKey = (key: string, form: string): Fault =>
  fault('output_key.malformed', `${quote(key)} cannot be the key of an output. It is: ${form}`)
