// The versions of the protocol that robots speak, on the wire.
import Type from '../schema/type.ts'

/** Which of them is spoken on a link. */
export const Nt4ProtocolName = Type.Enum(['4.0', '4.1'], {
  title: 'Nt4Protocol',
  description: 'The version of NT4 that both speak: 4.0 or 4.1.',
})
