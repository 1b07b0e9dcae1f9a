// The kinds of ports, as words of the interface.
import Type from '../schema/type.ts'
import { PORT_KINDS } from './kinds.ts'

export const PortKindName = Type.Enum([...PORT_KINDS], {
  title: 'PortKind',
  description: 'What travels along an edge. An output of images is a picture, made while somebody watches it.',
})
