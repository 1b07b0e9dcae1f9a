// The robot with its cameras in three dimensions.

import { SceneCanvas } from './scene-canvas.tsx'
import type { Colours } from './scene-colours.ts'
import { type RobotContent, RobotModel } from './scene-robot.ts'
import type { Viewpoint } from './scene-view.ts'

/** What is shown, and from where. */
export interface RobotSceneProps {
  readonly content: RobotContent
  readonly view: Viewpoint
  /** What it shows, in words. */
  readonly label: string
}

const make = (colours: Colours) => new RobotModel(colours)

/** The robot in three dimensions. */
const RobotScene = ({ content, view, label }: RobotSceneProps) => (
  <SceneCanvas make={make} content={content} view={view} label={label} />
)

export default RobotScene
