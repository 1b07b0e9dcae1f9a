// What the endpoints of streams are made of.
import { CAMERAS } from '../../actors/cameras/tokens.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import { FORMAT_BENCH } from '../../actors/formats/tokens.ts'
import { PEER_REGISTRY } from '../../actors/peers/tokens.ts'
import { FRESH_PICTURE, PIPELINE_ORDER, STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { BANDWIDTH_BUDGET } from '../../machines/bandwidth/budget.ts'
import { LOOK_FOR_MAPS } from '../../machines/localization/field-map.ts'
import { STORED_MODELS } from '../../machines/models/stored-models.ts'
import { UNAVAILABLE_NODES } from '../../machines/pipeline/availability.ts'
import type { Given } from '../../machines/token.ts'
import { VIEWER_PLACES } from '../../machines/viewers/viewer-places.ts'
import { CODECS } from '../../native/codecs/port.ts'
import { MEDIA_STORE } from '../../native/media/port.ts'
import { MEDIA_ROOTS } from '../../native/media-roots/port.ts'
import { jobNeeds } from '../jobs/answer.ts'

export const streamNeeds = {
  ...jobNeeds,
  bench: FORMAT_BENCH,
  unavailable: UNAVAILABLE_NODES,
  models: STORED_MODELS,
  freshPicture: FRESH_PICTURE,
  pipelineOrder: PIPELINE_ORDER,
  peers: PEER_REGISTRY,
  directory: DIRECTORY,
  streams: STREAM_REGISTRY,
  lookForMaps: LOOK_FOR_MAPS,
  media: MEDIA_ROOTS,
  cameras: CAMERAS,
  store: MEDIA_STORE,
  viewers: VIEWER_PLACES,
  codecs: CODECS,
  budget: BANDWIDTH_BUDGET,
}

/**
 * streams: all that are stored. lookForMaps: answers with all that are known. media: where files may lie. cameras: what is plugged in. store: of what is recorded.
 * freshPicture: gives one. pipelineOrder: has one tried, and stored. codecs: of this device. bench: measures modes.
 * unavailable: node types that it does not have. models: that it has.
 * budget: of the bandwidth of previews. viewers: their places. peers: whose streams are shown beside.
 */
export type StreamParts = Given<typeof streamNeeds>
