// The robot with its cameras, in three dimensions.
import { Group } from 'three'
import type { Documents } from '../api/documents.ts'
import { drawnSize } from './robot-plan.ts'
import type { Colours } from './scene-colours.ts'
import type { ViewLimits } from './scene-frustum.ts'
import { boxOf, cameraOf, disposeOf, lineOf, place, setPoints } from './scene-models.ts'
import { type AnglePose, fromAngles, type Point3 } from './scene-pose.ts'

/** What stands in it. */
export interface RobotContent {
  readonly robot: Documents['RobotDimensions'] | undefined
  readonly cameras: readonly {
    readonly key: string
    readonly tone: 'good' | 'peer'
    readonly pose: AnglePose
    readonly limits: ViewLimits
  }[]
}

const VIEW_M = 0.5
const GRID_M = 0.5
const GRID_LINES = 4 // to each side

/** The robot on the floor. */
export class RobotModel {
  readonly object = new Group()
  readonly #colours: Colours
  readonly #cameras = new Map<string, { readonly key: string; readonly object: Group }>()
  #body: { readonly key: string; readonly object: Group } | undefined

  constructor(colours: Colours) {
    this.#colours = colours
    const end = GRID_M * GRID_LINES
    for (let n = -GRID_LINES; n <= GRID_LINES; n += 1) {
      const at = n * GRID_M
      this.#addLine([at, -end, 0], [at, end, 0])
      this.#addLine([-end, at, 0], [end, at, 0])
    }
  }

  /** Shows what is known now. */
  update({ robot, cameras }: RobotContent): void {
    const size = drawnSize(robot)
    const bodyKey = JSON.stringify(size)
    if (this.#body?.key !== bodyKey) {
      if (this.#body) disposeOf(this.#body.object)
      this.#body = { key: bodyKey, object: bodyOf(size, this.#colours) }
      this.object.add(this.#body.object)
    }
    for (const [key, { object }] of this.#cameras)
      if (!cameras.some((camera) => camera.key === key)) {
        disposeOf(object)
        this.#cameras.delete(key)
      }
    for (const { key, tone, pose, limits } of cameras) place(this.#cameraOf(key, tone, limits), fromAngles(pose))
  }

  /** Gives all of it back. */
  dispose(): void {
    disposeOf(this.object)
  }

  #cameraOf(key: string, tone: 'good' | 'peer', limits: ViewLimits): Group {
    const look = JSON.stringify([tone, limits])
    const known = this.#cameras.get(key)
    if (known?.key === look) return known.object
    if (known) disposeOf(known.object)
    const object = cameraOf(limits, VIEW_M, this.#colours[tone])
    this.#cameras.set(key, { key: look, object })
    this.object.add(object)
    return object
  }

  #addLine(from: Point3, to: Point3): void {
    const line = lineOf(this.#colours.line, 2)
    setPoints(line, [from, to])
    this.object.add(line)
  }
}

const bodyOf = ({ length_m, width_m, height_m }: ReturnType<typeof drawnSize>, { edge }: Colours): Group => {
  const group = new Group()
  const box = boxOf([length_m, width_m, height_m], edge, 0.25)
  box.position.z = height_m / 2
  const nose = boxOf([length_m * 0.04, width_m * 0.5, height_m * 0.12], edge, 1)
  nose.position.set(length_m / 2, 0, height_m * 0.1)
  group.add(box, nose)
  return group
}
