// In the steady state no step of a plan asks for memory in a frame, nor does the packing of its result. What the
// libraries that do the work ask for themselves is named here, with how often at most, so that it is seen when that
// grows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'
import { nodeTypes } from '../../../machines/pipeline/registry.ts'
import { allocations } from '../../support/engine/stepped.ts'

/** Done by JavaScript, in threads of its own. */
const HOSTED: readonly string[] = ['script', 'object-detector', 'classifier']

const SQUARE_M = [0, 0, 0, 0.2, 0, 0, 0.2, 0.2, 0, 0, 0.2, 0]

/** `id: type`, with its inputs, in their order. */
const DRAWN: readonly (readonly [id: string, type: string, inputs: Record<string, string>, params?: object])[] = [
  ['source', 'source', {}],
  ['tags', 'apriltag', { image: 'source.image' }],
  ['markers', 'aruco', { image: 'source.image' }],
  ['theirs', 'apriltag', { image: 'source.image' }, { engine: 'reference', decimate: 2 }],
  ['some', 'id-filter', { detections: 'tags.detections' }, { ids: [1, 2, 3, 4, 5], mode: 'drop' }],
  ['points', 'undistort-points', { detections: 'tags.detections' }],
  ['poses', 'tag-pose', { points: 'points.points' }],
  ['pose', 'field-pose', { points: 'points.points', tag_poses: 'poses.poses' }],
  ['first', 'priority', { detections: 'some.detections', poses: 'poses.poses' }, { by: 'closest', alone: false }],
  ['beside', 'tag-offset', { poses: 'poses.poses' }, { right_m: 0.3 }],

  ['bright', 'hsv-threshold', { image: 'source.colour' }, { saturation_min: 0, value_min: 120 }],
  ['clean', 'morphology', { mask: 'bright.mask' }],
  ['outlines', 'contours', { mask: 'clean.mask' }],
  ['filter', 'contour-filter', { contours: 'outlines.contours' }, { area_share_max: 0.5 }],
  ['group', 'contour-group', { contours: 'filter.contours' }],
  ['sort', 'sort', { contours: 'filter.contours' }],
  ['corners', 'polygons', { contours: 'filter.contours' }],
  ['round', 'circles', { contours: 'filter.contours' }, { tolerance: 0.3, arc_min: 0.2 }],
  ['aim', 'target', { contours: 'sort.contours' }, { model_points_m: SQUARE_M }],
  ['codes', 'barcode', { image: 'source.image' }],

  ['straight', 'undistort', { image: 'source.image' }],
  ['part', 'crop', { image: 'straight.image' }, { x_px: 20, y_px: 10, width_px: 600, height_px: 380 }],
  ['half', 'resize', { image: 'part.image' }, { width_px: 320, height_px: 200 }],
  ['turned', 'rotate', { image: 'half.image' }, { angle_deg: 90 }],
  ['mirrored', 'flip', { image: 'turned.image' }],
  ['soft', 'blur', { image: 'mirrored.image' }],
  ['median', 'blur', { image: 'soft.image' }, { method: 'median' }],
  ['box', 'blur', { image: 'median.image' }, { method: 'box' }],
  ['seen', 'keystone', { image: 'box.image' }],
  [
    'hidden',
    'mask',
    { image: 'seen.image', mask: 'clean.mask' },
    {
      polygons: [
        [
          [0, 0],
          [1, 0],
          [0, 1],
        ],
      ],
    },
  ],
  [
    'drawn',
    'overlay',
    {
      image: 'hidden.image',
      detections: 'tags.detections',
      contours: 'corners.contours',
      targets: 'aim.targets',
      circles: 'round.circles',
      barcodes: 'codes.barcodes',
    },
  ],
  ['grey', 'gray', { image: 'drawn.image' }],
  ['light', 'exposure-stats', { image: 'grey.image' }],
  ['focus', 'focus-metric', { image: 'grey.image' }],
]

const OUTPUTS = ['tags.detections', 'poses.poses', 'pose.pose', 'first.detections', 'beside.poses', 'beside.targets']
OUTPUTS.push(
  'markers.detections',
  'theirs.detections',
  'group.contours',
  'corners.contours',
  'round.circles',
  'round.contours',
  'aim.targets',
)
OUTPUTS.push('codes.barcodes', 'light.exposure', 'focus.focus')

const graph: GraphDocument = {
  nodes: DRAWN.map(([id, type, , params]) => ({ id, type, ...(params && { params: { ...params } }) })),
  edges: DRAWN.flatMap(([id, , inputs]) =>
    Object.entries(inputs).map(([port, from]) => ({ from, to: `${id}.${port}` })),
  ),
  outputs: OUTPUTS.map((from, n) => ({ port: `out${n}`, from })),
}

/**
 * Most times in a frame, by step and library, a quarter above what was counted: libapriltag's lists of edges and quads,
 * outlines and hulls of OpenCV, its small matrices in all that solves poses, the blocks of its filters and of what it
 * draws, and ZXing's reading of rows. None of it is kept beyond the call.
 */
const LIBRARIES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  theirs: { libapriltag: 14_500 },
  points: { libopencv_calib3d: 8 },
  poses: { libopencv_calib3d: 255 },
  pose: { libopencv_calib3d: 940, libopencv_core: 5 },
  beside: { libopencv_calib3d: 27 },
  bright: { libopencv_core: 1 },
  clean: { libopencv_imgproc: 23 },
  outlines: { libopencv_imgproc: 36 },
  group: { libopencv_imgproc: 12 },
  corners: { libopencv_imgproc: 27 },
  aim: { libopencv_calib3d: 4400, libopencv_core: 90 },
  codes: { libZXing: 180 },
  straight: { libopencv_imgproc: 5 },
  half: { libopencv_imgproc: 3 },
  soft: { libopencv_imgproc: 12 },
  box: { libopencv_imgproc: 10 },
  seen: { libopencv_imgproc: 410 },
  hidden: { libopencv_imgproc: 5 },
  drawn: { libopencv_imgproc: 21_000 },
}

test('no step of a plan asks for memory in a frame, but for the libraries that do its work', async () => {
  const missing = Object.keys(nodeTypes).filter(
    (type) => !HOSTED.includes(type) && !DRAWN.some(([, each]) => each === type),
  )
  assert.deepEqual(missing, [], 'types of nodes that this test does not know yet')
  const source = { backend: 'synthetic', motion: 'orbit', width_px: 640, height_px: 400 } as const

  const { steps, packing, numbers } = await allocations({
    manifest: { source, pipeline: graph },
    frames: 8,
    every: 3,
    headingOffDeg: 0,
  })

  assert.deepEqual(packing, {})
  assert.ok(numbers > 300, 'there was something to pack')
  for (const [step, asked] of Object.entries(steps))
    for (const [library, times] of Object.entries(asked)) {
      const name = library.replace(/[-.].*$/, '')
      const most = LIBRARIES[step]?.[name] ?? 0
      assert.ok(times <= most, `${step}: ${library} asks ${times} times in a frame, ${most} are known of`)
    }
})
