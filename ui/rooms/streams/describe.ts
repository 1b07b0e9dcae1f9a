// Streams in words: what gives the pictures, in which mode, what runs on them.
import { type AnyStream, isRemote, type Stream } from '../../state/streams.ts'
import { figureOf } from '../../words.ts'

const SOURCES: Readonly<Record<Stream['spec']['source']['backend'], string>> = {
  v4l2: 'camera',
  synthetic: 'synthetic camera',
  images: 'pictures from files',
  file: 'video from a file',
  url: 'camera on the network',
  peer: 'camera of another device',
}

/** What gives the pictures. cameraName: what the maker of the camera calls it, where that is known. */
export const describeSource = ({ source }: Stream['spec'], cameraName?: string): string =>
  source.backend === 'v4l2' ? (cameraName ?? source.camera_uid) : SOURCES[source.backend]

/** `1280×800`. */
export const describeSize = (width: number | null, height: number | null): string =>
  width === null || height === null ? '–' : `${width}×${height}`

/** `1280×800 at 30 fps`: what is asked of the camera, or what came. */
export const describeMode = (stream: AnyStream): string => {
  const { width_px, height_px } = stream.status
  const fps = isRemote(stream) ? stream.status.fps : 'fps' in stream.spec.source ? stream.spec.source.fps : null
  const size = describeSize(width_px, height_px)
  return fps === null || fps === undefined ? size : `${size} at ${figureOf(fps, Number.isInteger(fps) ? 0 : 1)} fps`
}

/** What runs on the pictures: the stored pipeline by its id, or that it is the stream's own. */
export const describePipeline = ({ status, spec }: Stream): string =>
  status.pipeline.graph_id ?? (spec.pipeline.name || 'its own')

/** The address of the page of a stream. */
export const streamAddress = (id: string): string => `/streams/${encodeURIComponent(id).replace('%3A', ':')}`

/** The address of an item of the media. */
export const mediaAddress = (name: string): string => `/media/${encodeURIComponent(name)}`

/** The address of the editor of the pipeline that a stream runs. */
export const pipelineAddress = ({ id, status }: Stream): string =>
  status.pipeline.graph_id === null
    ? `/pipelines/of/${encodeURIComponent(id)}`
    : `/pipelines/${encodeURIComponent(status.pipeline.graph_id)}`

/** The address of the editor of what a stream of another device runs. */
export const remotePipelineAddress = (listedId: string): string =>
  `/pipelines/of/${encodeURIComponent(listedId).replace('%3A', ':')}`
