// The node `script`: what it takes, and how much of it there may be.
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { PORT_KINDS } from '../kinds.ts'
import { type NodeType, type PortType, STRICT } from '../node-type.ts'
import { LIVE_OF_WORKERS } from '../workers.ts'
import { scriptRefusal } from './script-syntax.ts'

/** All that can leave the engine, each under its own name. */
export const scriptInputs = PORT_KINDS.flatMap((kind) => (kind === 'image' ? [] : [{ name: kind, kind }]))

const MAX_CHARACTERS = 20_000 // a graph is stored whole, and told whole; a screen has 2,000

/** The script of a new node. */
const EXAMPLE = `// Called for each picture, with what is connected, and gives values by their names.
function step({ width_px, detections = [] }) {
  const [nearest] = detections.toSorted((a, b) => b.margin - a.margin)
  return nearest && { id: nearest.id, is_left: nearest.center.x_px < width_px / 2 }
}
`

/** A step of a pipeline that its user wrote. */
export const scriptNode: NodeType = {
  category: 'other',
  description: oneLine`
    A function in JavaScript: from what is connected, with the names that results have, to at most 64 values of its
    own. It has limits of time and memory; what it throws or gives otherwise costs its values of that picture. At most
    4 of them.
  `,
  inputs: scriptInputs.map((port): PortType => ({ ...port, optional: true })),
  outputs: [{ name: 'values', kind: 'values' }],
  params: Type.Object(
    {
      source: Type.String({
        minLength: 1,
        maxLength: MAX_CHARACTERS,
        default: EXAMPLE,
        description: oneLine`
          Has a function called step, which is called for each picture with an object: seq, captured_us, width_px,
          height_px, and the rows of each input that is connected. It gives an object with numbers, texts, flags and
          lists of such, or nothing.
        `,
      }),
      timeout_ms: Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 50,
        description: 'The picture waits for it no longer than that, and has none of its values then.',
      }),
      memory_mb: Type.Integer({
        minimum: 16,
        maximum: 128,
        default: 32,
        description: 'What its data may take. What needs more is ended, and begun anew.',
      }),
    },
    STRICT,
  ),
  labels: { source: { title: 'Script' } },
  live: LIVE_OF_WORKERS.script,
  refusal: ({ source }) => {
    const message = scriptRefusal(source as string)
    return message === undefined ? undefined : { param: 'source', message }
  },
  cost: { us: 150 },
}
