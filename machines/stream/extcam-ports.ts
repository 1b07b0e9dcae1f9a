// The ports of their own that streams may have: clients of the vendor's camera ask at the root of such a port, and
// cannot be told of a path.
import Type from '../schema/type.ts'

const Port = (about: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: about }))

/** The vendor's numbers are 5800, 5807 and 5806. None is served unless it is named here. */
export const portFields = {
  stream_port: Port('A port at whose root the live pictures are, as on port 5800 of the vendor. Default: none.'),
  results_port: Port('A port at whose root /results and /status are, as on port 5807 of the vendor. Default: none.'),
  push_port: Port(
    'A port whose root is a WebSocket with the results of each frame, as on port 5806 of the vendor. Default: none.',
  ),
}

/** Which of them. */
export type PortField = keyof typeof portFields
export const PORT_FIELDS = Object.keys(portFields) as PortField[]
