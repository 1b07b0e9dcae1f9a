// What a robot program has set on its camera, in words.
import type { Documents } from '../../api/client.ts'
import { figureOf } from '../../words.ts'

/** What it has set. */
export type RobotSet = Documents['StreamRobotSet']

const MAX_IDS_SHOWN = 8

const idsInWords = (ids: readonly number[]): string => {
  const shown = ids.slice(0, MAX_IDS_SHOWN).join(', ')
  const more = ids.length - MAX_IDS_SHOWN
  const others = more > 0 ? ` and ${more} more` : ''
  return `its place is solved from ${ids.length === 1 ? 'tag' : 'tags'} ${shown}${others} alone`
}

const mountInWords = ({ x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg }: NonNullable<RobotSet['mount']>): string => {
  const place = [x_m, y_m, z_m].map((each) => figureOf(each, 3)).join(', ')
  const turn = [roll_deg, pitch_deg, yaw_deg].map((each) => figureOf(each, 1)).join(', ')
  return `the camera sits at ${place} m and is turned by ${turn}°, whatever its settings say`
}

/** Each thing that is otherwise than without it. */
export const robotWords = (set: RobotSet): readonly string[] =>
  [
    set.skip > 0 && `only every ${set.skip + 1}${endOf(set.skip + 1)} frame is processed`,
    set.window !== null && 'tags are looked for in a part of the picture',
    set.decimate !== null && `tags are looked for in pictures that are ${figureOf(set.decimate, 1)} times smaller`,
    set.priority_id !== null && `the target is tag ${set.priority_id} alone`,
    set.aim_m !== null && 'the target is a place beside the tag',
    set.localization_ids !== null && idsInWords(set.localization_ids),
    set.mount !== null && mountInWords(set.mount),
    !set.keeps_rewind && 'the rewind is paused',
  ].filter((words) => words !== false)

const endOf = (count: number): string => {
  const [tens, ones] = [count % 100, count % 10]
  if (tens > 10 && tens < 14) return 'th'
  return ['th', 'st', 'nd', 'rd'][ones] ?? 'th'
}
