// Many robots from the pictures of one: pictures show what nobody has said otherwise, and mounts, lenses and map are
// said to be a little otherwise, each time by chance. To draw pictures takes long, and all poses of a robot are off
// alike, by its one set of faults: how often deviations hold is seen by many robots only.
import type { FieldMap } from '../../../machines/localization/field-map.ts'
import {
  mountOf,
  OBSERVATION_HEAD,
  OBSERVATION_TAG,
  type Observation,
  tagAt,
  tagCountOf,
} from '../../../machines/localization/observation.ts'
import {
  compose,
  invert,
  type Pose,
  type PoseDocument,
  poseFromDocument,
  poseToDocument,
} from '../../../machines/localization/pose.ts'
import { type Chance, chance } from '../../support/localization/chance.ts'
import { offsetBy } from '../../support/localization/offset.ts'
import { USUAL_FAULTS } from '../../support/localization/worlds.ts'
import type { Drive } from './moving.ts'
import { FIELD } from './robots.ts'

const MOUNT = OBSERVATION_HEAD.indexOf('robot_camera_x_m')
const FOCAL = [OBSERVATION_HEAD.indexOf('fx_px'), OBSERVATION_HEAD.indexOf('fy_px')] as const
const CORNERS = OBSERVATION_TAG.indexOf('x0')

/** The drive of a robot of which everything is said wrong by usual faults, and the map that it has. */
export const withOtherFaults = (drive: Drive, seed: number): { readonly drive: Drive; readonly map: FieldMap } => {
  const draw = chance(seed)
  const cameras = new Map<string, Said>()
  const saidOf = (streamId: string): Said => {
    const said = cameras.get(streamId) ?? drawSaid(draw)
    cameras.set(streamId, said)
    return said
  }
  const seen = drive.seen.map((one) => {
    const observation = saidOtherwise(one.frame.observation, saidOf(one.frame.streamId))
    return { ...one, frame: { ...one.frame, observation, starts: [] } }
  })
  return { drive: { seed: drive.seed, seen }, map: drawMap(draw) }
}

/** What is said of a camera: where it sits, seen from where it does, and its focal length over that which it has. */
interface Said {
  readonly mount: Pose
  readonly focal: number
}

const drawSaid = (draw: Chance): Said => ({
  mount: invert(poseFromDocument(offsetBy(draw, USUAL_FAULTS.mount_m, USUAL_FAULTS.mount_deg))),
  focal: 1 / (1 + draw.normal() * USUAL_FAULTS.lens_share),
})

const drawMap = (draw: Chance): FieldMap => {
  const { map_m, map_deg } = USUAL_FAULTS
  const moved = (pose: PoseDocument) =>
    poseToDocument(compose(poseFromDocument(pose), poseFromDocument(offsetBy(draw, map_m, map_deg))))
  return { ...FIELD, tags: FIELD.tags.map((tag) => ({ ...tag, pose: moved(tag.pose) })) }
}

/** Pixels stay what they are. */
const saidOtherwise = (observation: Observation, { mount, focal }: Said): Observation => {
  const other = observation.slice()
  for (const place of FOCAL) other[place] = (observation[place] as number) * focal
  const sits = mountOf(observation)
  if (sits) {
    const { x, y, z, qw, qx, qy, qz } = compose(sits, mount)
    other.set([x, y, z, qw, qx, qy, qz], MOUNT)
  }
  for (let n = 0; n < tagCountOf(observation); n++)
    for (let k = 0; k < 8; k++) {
      const place = tagAt(n) + CORNERS + k
      other[place] = (observation[place] as number) / focal
    }
  return other
}
