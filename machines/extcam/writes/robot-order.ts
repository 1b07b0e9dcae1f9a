// What a robot program orders by writing a key, once it has been read and found to make sense.
import type { PoseDocument } from '../../localization/pose.ts'
import type { Heading, LiveControls } from '../live.ts'

/**
 * One order.
 *
 * live: what changes of the live controls. mount: where the camera sits on the robot; null: where its stream says.
 * lights: 0 as the pipeline says, 1 off, 2 blinking, 3 on, 4 to 8 halves and patterns. layout: of the video, 0 side by
 * side, 1 and 2 one camera within the other. keystone: skew of the picture, horizontal and vertical, -0.95 to 0.95.
 * rewind: whether the last pictures go on being kept. snapshot, clip: asked for by a rise of the count; seconds: how
 * much of the last pictures.
 */
export type RobotOrder =
  | { readonly type: 'pipeline'; readonly slot: number }
  | { readonly type: 'lights'; readonly mode: number }
  | { readonly type: 'layout'; readonly layout: number }
  | { readonly type: 'keystone'; readonly skew: readonly [horizontal: number, vertical: number] }
  | { readonly type: 'live'; readonly change: Partial<LiveControls> }
  | ({ readonly type: 'heading' } & Omit<Heading, 'at_us'>)
  | { readonly type: 'mount'; readonly mount: PoseDocument | null }
  | { readonly type: 'rewind'; readonly isKept: boolean }
  | { readonly type: 'snapshot'; readonly count: number }
  | { readonly type: 'clip'; readonly count: number; readonly seconds: number }
