// Models for tests that see red, green and blue: each field of 8x8 pixels is a box, as sure as it is full of one of
// them.
import { type Constant, type Described, type OnnxParts, type Operation, onnxFile } from './onnx.ts'

/** Pixels of what they take, on each side; and of a field. */
export const TINY_SIDE_PX = 64
export const FIELD_PX = 8

const ROW = TINY_SIDE_PX / FIELD_PX
const FIELDS = ROW * ROW

/** As YOLO notes them down. */
export const COLOUR_NAMES = { names: "{0: 'red', 1: 'green', 2: 'blue'}" }

const floats = (dims: readonly number[], at: (n: number) => number): Constant => ({
  dims,
  numbers: Float32Array.from({ length: dims.reduce((all, length) => all * length, 1) }, (_, n) => at(n)),
})
const shape = (...dims: readonly number[]): Constant => ({
  dims: [dims.length],
  numbers: BigInt64Array.from(dims, BigInt),
})

/** Where the n-th field begins. */
const fieldAt = (n: number) => ({ x: (n % ROW) * FIELD_PX, y: Math.floor(n / ROW) * FIELD_PX })

/** Centre and size, or corners. */
const centred = (n: number) => [fieldAt(n).x + FIELD_PX / 2, fieldAt(n).y + FIELD_PX / 2, FIELD_PX, FIELD_PX] as const
const cornered = (n: number) => [fieldAt(n).x, fieldAt(n).y, fieldAt(n).x + FIELD_PX, fieldAt(n).y + FIELD_PX] as const

/** How full of each colour each field is: [1, 3, FIELDS]. */
const FULL: readonly Operation[] = [
  {
    op: 'AveragePool',
    inputs: ['images'],
    outputs: ['fields'],
    attributes: { kernel_shape: [FIELD_PX, FIELD_PX], strides: [FIELD_PX, FIELD_PX] },
  },
  { op: 'Reshape', inputs: ['fields', 'flat'], outputs: ['full'] },
]

const images: Described = { name: 'images', dims: [1, 3, TINY_SIDE_PX, TINY_SIDE_PX] }
const flat = shape(1, 3, FIELDS)
const turn = { perm: [0, 2, 1] }

const model = (parts: Omit<OnnxParts, 'inputs'>, changes: Partial<OnnxParts>): Buffer =>
  onnxFile({ inputs: [images], metadata: COLOUR_NAMES, ...parts, ...changes })

type Changes = Partial<OnnxParts>

/** [1, 7, 64]. */
export const tinyYolov8 = (changes: Changes = {}): Buffer =>
  model(
    {
      outputs: [{ name: 'output0', dims: [1, 7, FIELDS] }],
      operations: [...FULL, { op: 'Concat', inputs: ['boxes', 'full'], outputs: ['output0'], attributes: { axis: 1 } }],
      constants: {
        flat,
        boxes: floats([1, 4, FIELDS], (n) => centred(n % FIELDS)[Math.floor(n / FIELDS)] as number),
      },
    },
    changes,
  )

/** [1, 64, 8]. */
export const tinyYolov5 = (changes: Changes = {}): Buffer =>
  model(
    {
      outputs: [{ name: 'output0', dims: [1, FIELDS, 8] }],
      operations: [
        ...FULL,
        { op: 'Transpose', inputs: ['full'], outputs: ['rows'], attributes: turn },
        { op: 'Concat', inputs: ['boxes', 'rows'], outputs: ['output0'], attributes: { axis: 2 } },
      ],
      constants: { flat, boxes: floats([1, FIELDS, 5], (n) => [...centred(Math.floor(n / 5)), 1][n % 5] as number) },
    },
    changes,
  )

const best = (keepdims: number): readonly Operation[] => [
  { op: 'ReduceMax', inputs: ['full'], outputs: ['best'], attributes: { axes: [1], keepdims } },
  { op: 'ArgMax', inputs: ['full'], outputs: ['which'], attributes: { axis: 1, keepdims } },
]

/** Boxes as TensorFlow writes them, classes as whole numbers, scores, and how many of them hold. */
export const tinySsd = (changes: Changes = {}): Buffer =>
  model(
    {
      outputs: [
        { name: 'num_detections', dims: [1] },
        { name: 'detection_boxes', dims: [1, FIELDS, 4] },
        { name: 'detection_scores', dims: [1, FIELDS] },
        { name: 'detection_classes', element: 'int64', dims: [1, FIELDS] },
      ],
      operations: [
        ...[...FULL, ...best(0)],
        { op: 'Identity', inputs: ['count'], outputs: ['num_detections'] },
        { op: 'Identity', inputs: ['boxes'], outputs: ['detection_boxes'] },
        { op: 'Identity', inputs: ['best'], outputs: ['detection_scores'] },
        { op: 'Identity', inputs: ['which'], outputs: ['detection_classes'] },
      ],
      constants: {
        flat,
        count: floats([1], () => FIELDS),
        boxes: floats([1, FIELDS, 4], (n) => {
          const [x0, y0, x1, y1] = cornered(Math.floor(n / 4))
          return ([y0, x0, y1, x1][n % 4] as number) / TINY_SIDE_PX
        }),
      },
    },
    changes,
  )

/** How much of each colour the whole picture has: [1, 3], which add up to what they do. */
export const tinyClassifier = (changes: Changes = {}): Buffer =>
  model(
    {
      outputs: [{ name: 'shares', dims: [1, 3] }],
      operations: [
        { op: 'GlobalAveragePool', inputs: ['images'], outputs: ['mean'] },
        { op: 'Reshape', inputs: ['mean', 'row'], outputs: ['shares'] },
      ],
      constants: { row: shape(1, 3) },
    },
    changes,
  )
