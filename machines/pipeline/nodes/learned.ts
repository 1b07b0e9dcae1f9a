// Nodes whose work a learned model does. Models are media items (machines/media).

import { DETECTOR_HEADS } from '../../models/head.ts'
import { MAX_SIDE_PX, MIN_SIDE_PX } from '../../models/input.ts'
import { ModelName } from '../../models/name.ts'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { imagePort, type NodeType, STRICT } from '../node-type.ts'
import { LIVE_OF_WORKERS } from '../workers.ts'

const Share = (value: number, description: string) =>
  Type.Number({ minimum: 0, maximum: 1, default: value, description })

/** What every node with a model has. */
const modelParams = {
  model: Type.Union([Type.Null(), ModelName], {
    default: null,
    description: 'The name of a media item of kind model. null: none is chosen yet, and nothing is found.',
  }),
  levels: Type.Enum(['unit', 'bytes', 'symmetric', 'imagenet'], {
    default: 'unit',
    description: oneLine`
      What numbers the model takes for colours. unit: 0 to 1. bytes: 0 to 255. symmetric: -1 to 1. imagenet: less the
      mean of that set of pictures, over its deviation. A model that takes bytes (uint8) gets bytes.
    `,
  }),
  input_px: Type.Integer({
    minimum: MIN_SIDE_PX,
    maximum: MAX_SIDE_PX,
    default: 640,
    description: 'Width and height of what the model is given, where the model leaves them open.',
  }),
  threads: Type.Integer({
    minimum: 1,
    maximum: 2,
    default: 1,
    description: 'Of the runtime of models. Two take less time, and leave less for other streams.',
  }),
  timeout_ms: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 500,
    description: 'What takes longer gives no result for that picture.',
  }),
}

/** Without a model it does nothing. */
const modelFactor = ({ model, threads }: Readonly<Record<string, unknown>>): number =>
  model === null ? 0 : 1 / Number(threads)

export const learnedNodes: Readonly<Record<string, NodeType>> = {
  'object-detector': {
    category: 'learned',
    description: oneLine`
      Finds what a learned model knows (ONNX): YOLOv5, YOLOv8, YOLO11 and SSD. The whole picture is fitted into what
      the model takes, with grey bars beside it. Boxes are cut to the picture; directions need a calibrated camera.
      What lies where the model of its lens does not hold is left out.
    `,
    inputs: [imagePort('any')],
    outputs: [{ name: 'objects', kind: 'objects' }],
    params: Type.Object(
      {
        ...modelParams,
        head: Type.Enum(['auto', ...DETECTOR_HEADS], {
          default: 'auto',
          description: oneLine`
            How the model says what it sees. yolov5: 1 x boxes x (5 + classes). yolov8: 1 x (4 + classes) x boxes,
            also of YOLO11. corners: 1 x boxes x 6, of models that sort out themselves what they find. ssd: boxes,
            classes, scores and a count. auto: by the shapes of what it gives.
          `,
        }),
        boxes: Type.Enum(['yxyx-share', 'xyxy-share', 'yxyx-px', 'xyxy-px'], {
          default: 'yxyx-share',
          description: oneLine`
            How an SSD writes boxes: rows or columns first, as shares of the input or in its pixels. TensorFlow writes
            yxyx-share, PyTorch xyxy-px.
          `,
        }),
        min_confidence: Share(0.5, 'Objects less sure than this are left out.'),
        max_overlap: Share(
          0.45,
          'Of two boxes of one class with a greater part in common (of both together) the likelier is kept.',
        ),
        classes: Type.Array(Type.Integer({ minimum: 0, maximum: 9999 }), {
          maxItems: 1000,
          uniqueItems: true,
          default: [],
          description: 'Only these classes, by their numbers from 0; empty: all.',
        }),
        limit: Type.Integer({ minimum: 1, maximum: 300, default: 20, description: 'Most objects of a picture.' }),
      },
      STRICT,
    ),
    labels: { input_px: { title: 'Input size' }, limit: { title: 'At most' } },
    live: LIVE_OF_WORKERS['object-detector'],
    needs: 'model',
    cost: { us: 50_000, factor: modelFactor },
  },
  classifier: {
    category: 'learned',
    description: oneLine`
      Says what a learned model (ONNX) takes the whole picture for: its classes with a share of 1 each, the likeliest
      first.
    `,
    inputs: [imagePort('any')],
    outputs: [{ name: 'classes', kind: 'classes' }],
    params: Type.Object(
      {
        ...modelParams,
        fit: Type.Enum(['middle', 'whole'], {
          default: 'middle',
          description: oneLine`
            middle: as much of the middle of the picture as fills what the model takes. whole: all of it, with grey
            bars beside it.
          `,
        }),
        min_confidence: Share(0, 'Classes with less than this are left out.'),
        limit: Type.Integer({ minimum: 1, maximum: 100, default: 5, description: 'Most classes of a picture.' }),
      },
      STRICT,
    ),
    labels: { input_px: { title: 'Input size' }, limit: { title: 'At most' } },
    live: LIVE_OF_WORKERS.classifier,
    needs: 'model',
    cost: { us: 10_000, factor: modelFactor },
  },
}
