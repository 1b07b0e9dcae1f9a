// How streams are named.
import Type from './type.ts'

/** A stream's id: part of paths, files and topic names. */
export const StreamId = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description: '1 to 40 lower-case letters, digits, - and _, beginning with a letter.',
  examples: ['front'],
})
