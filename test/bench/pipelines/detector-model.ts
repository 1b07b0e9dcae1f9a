// A detector in the manner of YOLOv8 that finds nothing in particular, and takes as long as those that people have: for
// a square of 640 pixels 5.5 GFLOP, between YOLOv5n (4.5) and YOLO11n (6.5).
import { type Constant, type Operation, onnxFile } from '../../support/engine/onnx.ts'

/** Channels behind each of the layers, and how far apart it looks. */
const LAYERS = [
  [16, 2],
  [32, 2],
  [64, 1],
  [64, 1],
  [64, 2],
  [128, 1],
  [128, 2],
  [128, 1],
] as const
const CLASSES = 3

/** Weights that differ, and are the same each time. */
const weights = (to: number, from: number, side: number): Constant => ({
  dims: [to, from, side, side],
  numbers: Float32Array.from(
    { length: to * from * side * side },
    (_, n) => Math.sin(n * 12.9898) / Math.sqrt(from * side * side),
  ),
})

/** The file of the model. sidePx: of what it takes, a multiple of 16. */
export const detectorModel = (sidePx: number): Buffer => {
  const operations: Operation[] = []
  const constants: Record<string, Constant> = {}
  let [channels, side, last] = [3, sidePx, 'images']
  for (const [n, [to, stride]] of LAYERS.entries()) {
    constants[`w${n}`] = weights(to, channels, 3)
    operations.push(
      {
        op: 'Conv',
        inputs: [last, `w${n}`],
        outputs: [`c${n}`],
        attributes: { strides: [stride, stride], pads: [1, 1, 1, 1] },
      },
      { op: 'Relu', inputs: [`c${n}`], outputs: [`r${n}`] },
    )
    channels = to
    side /= stride
    last = `r${n}`
  }
  constants.head = weights(4 + CLASSES, channels, 1)
  constants.rows = { dims: [3], numbers: BigInt64Array.of(1n, BigInt(4 + CLASSES), BigInt(side * side)) }
  operations.push(
    { op: 'Conv', inputs: [last, 'head'], outputs: ['found'] },
    { op: 'Reshape', inputs: ['found', 'rows'], outputs: ['output0'] },
  )
  return onnxFile({
    operations,
    constants,
    inputs: [{ name: 'images', dims: [1, 3, sidePx, sidePx] }],
    outputs: [{ name: 'output0', dims: [1, 4 + CLASSES, side * side] }],
  })
}
