// How a viewer says what it wants to see.

import { PortName } from '../../../machines/pipeline/graph.ts'
import { about } from '../../../machines/schema/about.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import Type from '../../../machines/schema/type.ts'

/** How a viewer wants the pictures. */
export const pictureQuery = {
  output: Type.Optional(
    about(
      PortName,
      oneLine`
        An output of the pipeline that is a picture (\`image\` in the list of outputs), as the pipeline makes it.
        Default: the camera's picture.
      `,
    ),
  ),
  max_width: Type.Optional(
    Type.Integer({
      minimum: 16,
      maximum: 8192,
      description: 'Pixels; wider pictures are scaled down. Default: as they are.',
    }),
  ),
  quality: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: "Of the JPEG. Default: the camera's own, else 75." }),
  ),
  overlay: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Outlines and ids of the tags drawn in. With an output it says nothing: its pipeline draws what it draws.',
    }),
  ),
}
