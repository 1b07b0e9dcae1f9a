// How sources outside of the service and their outputs are named.
import Type from '../../schema/type.ts'

const PATTERN = '^[a-z][a-z0-9_-]{0,39}$'

/** What they look like. */
export const OUTPUT_KEY_FORM = '1 to 40 lower-case letters, digits, - and _, beginning with a letter.'

/** The id of an external source. */
export const ExternalSourceId = Type.String({
  pattern: PATTERN,
  description: OUTPUT_KEY_FORM,
  examples: ['questnav'],
})

/** Which of the outputs of a source. */
export const OutputKey = Type.String({
  pattern: PATTERN,
  description: OUTPUT_KEY_FORM,
  examples: ['pose'],
})

const form = new RegExp(PATTERN)

/** Whether a text can be the key of an output at all. */
export const isOutputKey = (text: string): boolean => form.test(text)
