// The vendor's type name for a pipeline of ours, by its outputs.
import type { OutputKind, ResultLayout } from '../engine/result.ts'

/** The vendor's names. A sighting has the place of one in this list. */
export const PIPELINE_TYPES = [
  'pipe_fiducial',
  'pipe_color',
  'pipe_neuraldetector',
  'pipe_neuralclassifier',
  'pipe_barcode',
  'pipe_python',
  'pipe_focus',
  'pipe_viewfinder',
] as const

/** What makes a pipeline one of each type, in their order. The last one is what is left. */
const MADE_BY: readonly (readonly OutputKind[])[] = [
  ['detections', 'points', 'tag_poses', 'field_pose'],
  ['targets', 'contours'],
  ['objects'],
  ['classes'],
  ['barcodes'],
  ['values'],
  ['focus'],
]

/**
 * A place in PIPELINE_TYPES. The vendor's pipelines do one thing; of ours that does several the first in that list
 * counts.
 */
export const pipelineTypeOf = ({ outputs }: ResultLayout): number => {
  const type = MADE_BY.findIndex((kinds) => outputs.some(({ kind }) => kinds.includes(kind)))
  return type < 0 ? PIPELINE_TYPES.length - 1 : type
}
