// What a stream can be made of: limits and defaults.

import { BANDWIDTH_BUDGET } from '../../machines/bandwidth/budget.ts'
import { knownTypes } from '../../machines/pipeline/known-types.ts'
import { formOf } from '../../machines/schema/form.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { canonicalManifest } from '../../machines/stream/canonical-manifest.ts'
import { MAX_STREAMS } from '../../machines/stream/collection.ts'
import { CanonicalManifest } from '../../machines/stream/manifest.ts'
import { MAX_PICTURE_KINDS } from '../../machines/stream/picture.ts'
import type { Given } from '../../machines/token.ts'
import { MAX_VIEWERS } from '../../machines/viewers/viewer-places.ts'
import { read } from '../endpoints/read.ts'
import { FormSchema, NodePort, portOf } from '../pipeline/node-port.ts'
import { specExample } from './wire.ts'

/** The needs of the catalogue. */
export const catalogueNeeds = {
  budget: BANDWIDTH_BUDGET,
}
type CatalogueParts = Given<typeof catalogueNeeds>

const strict = { additionalProperties: false } as const

const Capabilities = Type.Object(
  {
    limits: Type.Object(
      {
        streams: Type.Integer(),
        picture_kinds: Type.Integer({ description: 'Of a stream: sizes, qualities and overlays that are watched.' }),
        viewers: Type.Integer({ description: 'Of all previews, and of all recordings that are played, together.' }),
        bandwidth_mbit_s: Type.Union([Type.Number(), Type.Null()], {
          description: oneLine`
            What all previews together may take of the network, in Mbit/s (\`--bandwidth-mbit-s\`); null: no limit.
            What does not fit is made slower first, then smaller, those of the lowest \`priority\` before the others;
            H.264 counts with all that it may take, and who finds no room for it is refused. Viewers on the device
            itself do not count, and nothing but previews is limited.
          `,
        }),
      },
      { ...strict, title: 'StreamLimits', description: 'At most so many at a time.' },
    ),
    defaults: CanonicalManifest,
    node_types: Type.Array(
      Type.Object(
        {
          type: Type.String(),
          description: Type.String(),
          inputs: Type.Array(NodePort),
          outputs: Type.Array(NodePort),
          params: FormSchema,
        },
        { ...strict, title: 'NodeType', description: 'A type of node of which graphs are made.' },
      ),
    ),
  },
  {
    ...strict,
    title: 'StreamCapabilities',
    description: 'What streams can be made of. defaults: the manifest of a synthetic stream of which nothing was said.',
  },
)

/** budget: of the bandwidth. */
export const catalogueRows = ({ budget }: CatalogueParts) => [
  read('GET', '/v1/streams/capabilities', {
    summary: 'Limits and defaults of streams',
    isLasting: true,
    answer: Capabilities,
    example: {
      limits: { streams: 16, picture_kinds: 6, viewers: 64, bandwidth_mbit_s: 4 },
      defaults: specExample,
      node_types: [
        {
          type: 'gray',
          description: 'One channel of 8 bits.',
          inputs: [{ name: 'image', kind: 'image', format: 'any', optional: false }],
          outputs: [{ name: 'image', kind: 'image', format: 'gray', optional: false }],
          params: { type: 'object', properties: {} },
        },
      ],
    },
    get: () => ({
      limits: {
        streams: MAX_STREAMS,
        picture_kinds: MAX_PICTURE_KINDS,
        viewers: MAX_VIEWERS,
        bandwidth_mbit_s: budget.mbit_s,
      },
      defaults: defaults(),
      node_types: Object.entries(knownTypes()).map(([type, node]) => ({
        type,
        description: node.description,
        inputs: node.inputs.map(portOf),
        outputs: node.outputs.map(portOf),
        params: formOf(node.params, node.labels),
      })),
    }),
  }),
]

const defaults = () => {
  const canonical = canonicalManifest({ source: { backend: 'synthetic' } })
  if (!canonical.ok) throw new Error('the default manifest is not valid')
  return canonical.manifest
}
