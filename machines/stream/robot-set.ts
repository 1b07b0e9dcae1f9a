// What a robot program has set on its camera, as people see it. It is no setting: it holds until the robot takes it
// back, until the stream is no robot's camera any more, or until the next boot.
import type { Static } from 'typebox'
import { PoseDocument } from '../localization/pose.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const
const share = Type.Number({ minimum: 0, maximum: 1 })

const Window = Type.Object(
  { x0: share, y0: share, x1: share, y1: share },
  { ...strict, title: 'StreamWindow', description: 'A part of the picture, as shares of it from the top left.' },
)

/** As a status has it. */
export const RobotSet = Type.Object(
  {
    skip: Type.Integer({ minimum: 0, description: 'How many frames are left out after each that is processed.' }),
    window: Type.Union([Window, Type.Null()], {
      description: 'Where in the picture tags are looked for; null: everywhere, or as the crop of the stream says.',
    }),
    priority_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The only tag that the robot aims at; null: any.',
    }),
    aim_m: Type.Union([Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }), Type.Null()], {
      description: 'Where beside the tag it aims, right, down and into the tag; null: at its centre.',
    }),
    localization_ids: Type.Union([Type.Array(Type.Integer()), Type.Null()], {
      description: "The only tags from which the robot's pose is solved; null: all of the map.",
    }),
    decimate: Type.Union([Type.Number(), Type.Null()], {
      description: 'What tag detectors decimate by; null: what the pipeline says.',
    }),
    mount: Type.Union([PoseDocument, Type.Null()], {
      description: 'Where the camera sits on the robot; null: where the pose of the stream says.',
    }),
    keeps_rewind: Type.Boolean({ description: 'false: the rewind is paused.' }),
  },
  {
    ...strict,
    title: 'StreamRobotSet',
    description: 'What a robot program has set on its camera, as far as it holds.',
  },
)
export type RobotSet = Static<typeof RobotSet>
