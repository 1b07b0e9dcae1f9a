// The tuning files of cameras, as clients see them, and the order that changes one.
import type { Static } from 'typebox'
import { about } from '../schema/about.ts'
import { enumOf } from '../schema/enum-of.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { MAX_ENTRY, MIN_ENTRY } from './ccm.ts'
import { PLACES } from './places.ts'

const strict = { additionalProperties: false } as const

const MAX_PATH_LENGTH = 300

/** Path of a tuning file, by which it is named in requests. */
export const TuningPath = Type.String({
  pattern: '^/[A-Za-z0-9_.+/-]{1,294}[.](json|yaml)$',
  maxLength: MAX_PATH_LENGTH,
  description:
    'The characters of a path that begins with / and ends in json or yaml. One of the tuning files that are listed.',
  examples: ['/usr/share/libcamera/ipa/rpi/vc4/imx219.json'],
})

const Temperature = Type.Number({
  minimum: 1000,
  maximum: 25_000,
  description: 'Colour temperature of the light, kelvin.',
})

const Entry = Type.Number({ minimum: MIN_ENTRY, maximum: MAX_ENTRY, description: 'What libcamera keeps is within it.' })

/** Nine numbers. */
export const CcmEntries = Type.Array(Entry, {
  minItems: 9,
  maxItems: 9,
  description: oneLine`
    Row by row: red, green and blue after, from those before, in linear light after the white balance. Each row sums to
    1.
  `,
})

/** A matrix as it stands in a file, which may hold anything. */
const TuningMatrix = Type.Object(
  {
    ct: Type.Number({ description: 'Colour temperature of the light, kelvin.' }),
    ccm: Type.Array(Type.Number({ description: 'An entry.' }), { description: 'Nine numbers, row by row.' }),
  },
  { ...strict, title: 'ColourMatrix', description: 'A colour matrix, for the light of a temperature.' },
)

const Matrices = orNull(
  Type.Array(TuningMatrix, { description: 'By rising temperature; between two of them libcamera goes in proportion.' }),
  'Its colour matrices; null: it has none that can be read, and `detail` says why.',
)

const Detail = (description: string) => orNull(Type.String({ description: 'A sentence.' }), description)

/** A file in the list. */
export const TuningFile = Type.Object(
  {
    file: TuningPath,
    module: Type.String({ description: 'The module of libcamera that reads it.', examples: ['rpi/vc4'] }),
    sensor: Type.String({ description: 'The model of the sensor, with its variant.', examples: ['imx219'] }),
    format: enumOf({ json: 'can be changed here', yaml: 'is shown' }, 'TuningFormat'),
    place: enumOf(PLACES, 'TuningPlace'),
    in_force: Type.Boolean({ description: 'Whether libcamera reads this one for its sensor, and no other.' }),
    made_at_ms: orNull(
      Type.Integer({ minimum: 0, description: 'Unix time.' }),
      'When this service wrote it; null: it did not, or somebody changed it since.',
    ),
  },
  { ...strict, title: 'TuningFile', description: 'A tuning file that was found.' },
)
export type TuningFile = Static<typeof TuningFile>

const CameraTuning = Type.Object(
  {
    name: Type.String({ description: 'What people call the camera: the sensor, or the USB product.' }),
    sensor: orNull(Type.String({ description: 'Its model.' }), 'The sensor; null: a camera over USB hides its own.'),
    file: orNull(TuningPath, 'What is in force for it; null: nothing is.'),
    matrices: Matrices,
    detail: Type.String({ description: 'The same in words.' }),
  },
  { ...strict, title: 'CameraTuning', description: 'A camera of this device, and its tuning file.' },
)
export type CameraTuning = Static<typeof CameraTuning>

const ShownTuning = Type.Object(
  { file: TuningPath, matrices: Matrices, detail: Detail('Why there are none; null: there are.') },
  { ...strict, title: 'ShownTuning', description: 'What stands in the file that was asked for.' },
)

const TuningChange = Type.Object(
  {
    file: TuningPath,
    change: enumOf({ written: 'a copy was written', removed: 'the copy was removed' }, 'TuningChangeKind'),
    at_ms: Type.Integer({ minimum: 0, description: 'Unix time.' }),
    restarted: orNull(
      Type.Array(Type.String({ description: 'Id of a stream.' }), { description: 'May be none.' }),
      oneLine`
        The streams whose engine was restarted with it: those of cameras that are not on USB. null: that was not asked
        for.
      `,
    ),
    detail: Type.String({ description: 'The same in words.' }),
  },
  { ...strict, title: 'TuningChange', description: 'A change of a tuning file.' },
)
export type TuningChange = Static<typeof TuningChange>

/** The document. */
export const Ipa = Type.Object(
  {
    cameras: Type.Array(CameraTuning, { description: 'Those that are there now.' }),
    files: Type.Array(TuningFile, { description: 'In the order in which libcamera looks for them.' }),
    shown: orNull(ShownTuning, 'The content of the file that was asked for by `file`; null: none was.'),
    last_change: orNull(TuningChange, 'The last one since this service was started.'),
  },
  { ...strict, title: 'Ipa', description: 'The tuning files of cameras, and the colour matrices in force.' },
)
export type Ipa = Static<typeof Ipa>

/** The change of a file. */
export const CcmOrder = Type.Object(
  {
    file: Type.Optional(about(TuningPath, 'The file in force; default: that of the one sensor that is there.')),
    ct: Type.Optional(Temperature),
    ccm: Type.Optional(CcmEntries),
    remove: Type.Optional(
      Type.Literal(true, {
        description: oneLine`
          In place of \`ct\` and \`ccm\`: the copy that this service wrote is removed, so that the file of the package
          is in force again.
        `,
      }),
    ),
    restart_engine: Type.Optional(
      Type.Boolean({
        description: oneLine`
          Restart the streams of cameras that are not on USB, so that it holds at once; default: not. Refused while the
          robot is enabled.
        `,
      }),
    ),
  },
  { ...strict, title: 'CcmOrder', description: 'A colour matrix for a tuning file, or the way back.' },
)
export type CcmOrder = Static<typeof CcmOrder>

/** As the references show it. */
export const ccmOrderExample: CcmOrder = {
  file: '/usr/share/libcamera/ipa/rpi/vc4/imx219.json',
  ct: 4100,
  ccm: [1.72, -0.51, -0.21, -0.33, 1.58, -0.25, -0.04, -0.73, 1.77],
}

/** As the references show it. */
export const ipaExample: Ipa = {
  cameras: [
    {
      name: 'imx219',
      sensor: 'imx219',
      file: '/etc/libcamera/ipa/rpi/vc4/imx219.json',
      matrices: [{ ct: 4100, ccm: [1.72, -0.51, -0.21, -0.33, 1.58, -0.25, -0.04, -0.73, 1.77] }],
      detail: 'libcamera reads /etc/libcamera/ipa/rpi/vc4/imx219.json, which this service wrote.',
    },
  ],
  files: [
    {
      file: '/etc/libcamera/ipa/rpi/vc4/imx219.json',
      module: 'rpi/vc4',
      sensor: 'imx219',
      format: 'json',
      place: 'own',
      in_force: true,
      made_at_ms: 1_795_000_000_000,
    },
    {
      file: '/usr/share/libcamera/ipa/rpi/vc4/imx219.json',
      module: 'rpi/vc4',
      sensor: 'imx219',
      format: 'json',
      place: 'package',
      in_force: false,
      made_at_ms: null,
    },
  ],
  shown: null,
  last_change: {
    file: '/etc/libcamera/ipa/rpi/vc4/imx219.json',
    change: 'written',
    at_ms: 1_795_000_000_000,
    restarted: null,
    detail: 'The matrix for 4100 K was written; it holds from the next start of the engine on.',
  },
}
