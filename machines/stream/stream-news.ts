// What is told of the parts of a stream when its manifest was changed.
import { type News, news } from '../events/kind.ts'
import type { DocumentTurn } from '../settings/collection.ts'
import { isSameJson } from '../settings/same-json.ts'
import { localizationSourceChanged, pipelineChanged, poseChanged } from './events.ts'
import type { CanonicalManifest } from './manifest.ts'
import { localizationOutputsOf } from './outputs.ts'
import { cameraUidOf, pipelineIdOf } from './part-names.ts'

/** Of a stream that was there before and is there still: its parts come and go with it. */
export const streamNews = ({
  id: stream_id,
  revision,
  before,
  after,
}: DocumentTurn<CanonicalManifest>): readonly News[] => {
  if (!before || !after) return []
  const { pipeline_id, camera_uid } = { pipeline_id: pipelineIdOf(after), camera_uid: cameraUidOf(after) }
  const hasOtherPipeline = pipeline_id !== pipelineIdOf(before) || !isSameJson(before.pipeline, after.pipeline)
  const hasOtherPose = camera_uid !== cameraUidOf(before) || !isSameJson(before.pose, after.pose)
  return [
    ...(hasOtherPipeline ? [news(pipelineChanged, { resource_ref: { stream_id, pipeline_id }, revision })] : []),
    ...(hasOtherPose ? [news(poseChanged, { resource_ref: { stream_id, camera_uid }, revision })] : []),
    ...otherOutputs(before, after).map((output_id) =>
      news(localizationSourceChanged, { resource_ref: { stream_id, output_id }, revision }),
    ),
  ]
}

/** Those that came, went, or are of another kind. */
const otherOutputs = (before: CanonicalManifest, after: CanonicalManifest): readonly string[] => {
  const kinds = (manifest: CanonicalManifest) =>
    new Map(localizationOutputsOf(manifest).map(({ port, kind }) => [port, kind]))
  const [was, is] = [kinds(before), kinds(after)]
  return [...new Set([...was.keys(), ...is.keys()])].filter((port) => was.get(port) !== is.get(port))
}
