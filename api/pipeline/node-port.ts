// Ports of nodes on the wire.
import { PORT_FORMATS } from '../../machines/pipeline/kinds.ts'
import type { PortType } from '../../machines/pipeline/node-type.ts'
import { PortKindName } from '../../machines/pipeline/port-kind-name.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'

/** The schema of a document, with what a form needs beside the check. */
export const FormSchema = Type.Record(Type.String(), Type.Unknown(), {
  title: 'FormSchema',
  description: oneLine`
    A JSON Schema of an object. Each property has \`title\` (its label), \`x-order\` (its place in a form) and, where
    it has one, \`x-unit\` (µs, ms, px, m, deg, ...); of a number that is no integer \`x-step\` says how far it is to
    the next value.
  `,
})

/** An input or output of a node type. */
export const NodePort = Type.Object(
  {
    name: Type.String(),
    kind: PortKindName,
    format: Type.Optional(
      Type.Enum([...PORT_FORMATS], {
        description:
          'The pixels of a port of kind image. gray, colour, mask: these. any: an input takes all; one of gray also ' +
          'takes a mask. same: an output gives what the first input of its node has.',
      }),
    ),
    optional: Type.Boolean({ description: 'Whether an input may be left open.' }),
  },
  {
    additionalProperties: false,
    title: 'NodePort',
    description:
      'An input or output of a node. optional: an input may be left open; of an output, nothing need read it.',
  },
)

export const portOf = ({ optional, ...port }: PortType) => ({ ...port, optional: optional === true })
