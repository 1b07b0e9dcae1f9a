// The name under which a pipeline is stored.
import Type from '../schema/type.ts'

/** A stored pipeline's id: part of paths. */
export const GraphId = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description: '1 to 40 lower-case letters, digits, - and _, beginning with a letter.',
  examples: ['tags-near'],
})
