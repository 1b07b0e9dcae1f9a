// Nodes that belong to no other room.

import { SYMBOLOGIES } from '../../engine/symbologies.ts'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { imagePort, type NodeType, STRICT } from '../node-type.ts'
import { scriptNode } from './script.ts'

export const otherNodes: Readonly<Record<string, NodeType>> = {
  barcode: {
    category: 'other',
    description: oneLine`
      Reads QR codes, and other codes that are asked for, with zxing-cpp: at most 100, with at most 65,536 bytes of
      text together. Corners are whole pixels. A picture with more than 400 places that may be the corners of QR codes
      is not searched for these, which the warning \`picture.too_full\` says.
    `,
    inputs: [imagePort('gray')],
    outputs: [{ name: 'barcodes', kind: 'barcodes' }],
    params: Type.Object(
      {
        symbologies: Type.Array(Type.Enum([...SYMBOLOGIES]), {
          minItems: 1,
          maxItems: SYMBOLOGIES.length,
          uniqueItems: true,
          default: ['qr'],
          description: oneLine`
            The kinds of codes that are looked for. Each one takes time. Of Data Matrix codes, and of those of lines
            (code-128, code-39, ean-13) together, one in a picture is found; the corners of these are those of the
            part across which it was read.
          `,
        }),
        thorough: Type.Boolean({
          default: true,
          description: oneLine`
            Also searches the picture turned, and for square codes made smaller: finds more, and takes several times
            as long.
          `,
        }),
        limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most codes of a picture.' }),
      },
      STRICT,
    ),
    labels: { limit: { title: 'At most' } },
    live: ['symbologies', 'thorough', 'limit'],
    cost: { us: 500, ns_per_px: 30 },
  },
  'focus-metric': {
    category: 'other',
    description: oneLine`
      How sharp the picture is, for turning the ring of a lens: the greater, the sharper, with the best since the
      camera was opened. Only numbers of the same scene can be compared.
    `,
    inputs: [imagePort('gray')],
    outputs: [{ name: 'focus', kind: 'focus' }],
    cost: { us: 5, ns_per_px: 0.6 },
    params: Type.Object({}, STRICT),
  },
  script: scriptNode,
}
