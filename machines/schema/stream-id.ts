// How streams are named.
import Type from './type.ts'

/**
 * What no stream may be called: where streams stand by their ids, as among the robot's tables and in what other devices
 * read, these stand for the device itself and for what all of its cameras give together.
 */
export const NAMES_OF_THE_DEVICE: readonly string[] = ['device', 'localization']

/** A stream's id: part of paths, files and topic names. */
export const StreamId = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description: '1 to 40 lower-case letters, digits, - and _, beginning with a letter.',
  examples: ['front'],
})
