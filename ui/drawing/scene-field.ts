// The field with the robot, in three dimensions.
import {
  BackSide,
  DoubleSide,
  FrontSide,
  Group,
  type Line,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  type Side,
} from 'three'
import type { Documents } from '../api/documents.ts'
import { SIGMAS } from './field-plan.ts'
import type { FieldRobot } from './field-robot.ts'
import { keyOfTag, tagsOfMap } from './field-tags.ts'
import type { Colours } from './scene-colours.ts'
import { boxOf, cameraOf, disposeOf, lineOf, place, setPoints, sheetOf, TagModel } from './scene-models.ts'
import { fromAngles, type Point3, type QuaternionPose } from './scene-pose.ts'

type FieldMap = Documents['FieldMap']

const READABLE_M = 0.36 // from afar a tag as large as it is would not be read
const MAX_TRAIL = 400
const MAX_SEEN = 64
const WALL_M = 0.5
const STATION_M = 2
const ABOVE_M = 0.005 // so that what lies on the floor is seen
const FRUSTUM_M = 3
/** Whose size nobody has said. */
const USUAL_M = { length_m: 0.75, width_m: 0.75, height_m: 0.5 }

/** Which parts are drawn. */
export interface FieldLayers {
  readonly lines: boolean
  readonly frusta: boolean
  readonly trail: boolean
  readonly ellipse: boolean
  readonly truth: boolean
}

/** The stream through whose camera it is looked at has no robot in its way. */
export interface FieldContent {
  readonly robots: readonly FieldRobot[]
  readonly layers: FieldLayers
  readonly eyeOf: string | undefined
}

/** The field and all on it. */
export class FieldModel {
  readonly object = new Group()
  readonly #map: FieldMap
  readonly #colours: Colours
  readonly #tags = new Map<string, { readonly model: TagModel; readonly size_m: number }>()
  readonly #robots = new Map<string, RobotModel>()

  constructor(map: FieldMap, colours: Colours) {
    this.#map = map
    this.#colours = colours
    this.#addGround()
    for (const { key, id, pose, size_m } of tagsOfMap(map)) {
      const model = new TagModel(id, fromAngles(pose), size_m)
      this.#tags.set(key, { model, size_m })
      this.object.add(model.object)
    }
  }

  /** Shows what is known now. */
  update({ robots, layers, eyeOf }: FieldContent): void {
    const lit = new Map(
      robots.flatMap((robot) => (robot.seen ?? []).map((tag) => [keyOfTag(tag), this.#colourOf(robot)] as const)),
    )
    for (const [key, { model, size_m }] of this.#tags) {
      model.enlarge(eyeOf === undefined ? Math.max(1, READABLE_M / size_m) : 1)
      model.light(lit.get(key))
    }
    for (const [id, model] of this.#robots)
      if (!robots.some((robot) => robot.id === id)) {
        disposeOf(model.object)
        this.#robots.delete(id)
      }
    for (const robot of robots) this.#modelOf(robot).update(robot, layers, robot.id === eyeOf, this.#map)
  }

  /** Gives all of it back. */
  dispose(): void {
    disposeOf(this.object)
  }

  #colourOf({ tone = 'good' }: FieldRobot): string {
    return this.#colours[tone]
  }

  #modelOf(robot: FieldRobot): RobotModel {
    const known = this.#robots.get(robot.id)
    if (known?.fits(robot)) return known
    if (known) disposeOf(known.object)
    const model = new RobotModel(robot, this.#colourOf(robot), this.#colours.quiet)
    this.#robots.set(robot.id, model)
    this.object.add(model.object)
    return model
  }

  #addGround(): void {
    const { length_m, width_m } = this.#map
    const { surface, line, blue, red, edge } = this.#colours
    const floor = sheetOf(length_m, width_m, surface)
    floor.position.set(length_m / 2, width_m / 2, 0)
    this.object.add(floor)
    for (let x = 2; x < length_m; x += 2) this.#addLine(line, [x, 0, ABOVE_M], [x, width_m, ABOVE_M])
    for (let y = 2; y < width_m; y += 2) this.#addLine(line, [0, y, ABOVE_M], [length_m, y, ABOVE_M])
    this.#addLine(edge, [length_m / 2, 0, ABOVE_M], [length_m / 2, width_m, ABOVE_M])
    for (const y of [0, width_m]) this.#addWall(length_m, WALL_M, edge, [length_m / 2, y], 0, DoubleSide)
    // Drivers look through their own wall.
    this.#addWall(width_m, STATION_M, blue, [0, width_m / 2], Math.PI / 2, FrontSide)
    this.#addWall(width_m, STATION_M, red, [length_m, width_m / 2], Math.PI / 2, BackSide)
  }

  #addLine(colour: string, from: Point3, to: Point3): void {
    const line = lineOf(colour, 2)
    setPoints(line, [from, to])
    this.object.add(line)
  }

  #addWall(
    length_m: number,
    height_m: number,
    colour: string,
    [x, y]: readonly [number, number],
    turned: number,
    side: Side,
  ): void {
    const wall = sheetOf(length_m, height_m, colour, { opacity: 0.25, side })
    wall.rotation.set(Math.PI / 2, turned, 0)
    wall.position.set(x, y, height_m / 2)
    this.object.add(wall)
    const end = (way: number): Point3 => [
      x + (way * length_m * Math.cos(turned)) / 2,
      y + (way * length_m * Math.sin(turned)) / 2,
      height_m,
    ]
    this.#addLine(colour, end(-1), end(1))
  }
}

/** The robot, as one stream has it. */
class RobotModel {
  readonly object = new Group()
  readonly #body = new Group()
  readonly #truth: Group
  readonly #camera: Group | undefined
  readonly #lines: Line
  readonly #trail: Line
  readonly #ellipse: Mesh
  readonly #key: string

  constructor(robot: FieldRobot, colour: string, quiet: string) {
    this.#key = keyOf(robot)
    const size = sizeOf(robot)
    this.#body.add(onFloor(boxOf(size, colour, 0.35), size))
    const nose = boxOf([size[0] * 0.12, size[1] * 0.3, size[2] * 0.2], colour, 1)
    nose.position.set(size[0] / 2, 0, size[2] * 0.5)
    this.#body.add(nose)
    this.#truth = new Group()
    this.#truth.add(onFloor(boxOf(size, quiet, 0), size))
    this.#lines = lineOf(colour, MAX_SEEN * 2, true)
    this.#trail = lineOf(colour, MAX_TRAIL)
    this.#ellipse = new Mesh(
      new RingGeometry(0.94, 1, 48),
      new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.8 }),
    )
    if (robot.camera) this.#camera = cameraOf(robot.camera.limits, FRUSTUM_M, colour)
    this.object.add(this.#body, this.#truth, this.#lines, this.#trail, this.#ellipse)
    if (this.#camera) this.object.add(this.#camera)
  }

  /** Whether it is still as large, with the same camera. */
  fits(robot: FieldRobot): boolean {
    return this.#key === keyOf(robot)
  }

  update(robot: FieldRobot, layers: FieldLayers, isEye: boolean, map: FieldMap): void {
    const { pose, truth, camera, deviations, trail = [], seen = [] } = robot
    show(this.#body, !isEye, pose)
    show(this.#truth, layers.truth && !isEye, truth)
    if (this.#camera) show(this.#camera, layers.frusta && !isEye, camera?.pose)
    this.#lines.visible = layers.lines && camera !== undefined && !isEye
    if (camera) {
      const keys = new Set(seen.map(keyOfTag))
      const eye: Point3 = [camera.pose.x_m, camera.pose.y_m, camera.pose.z_m]
      setPoints(
        this.#lines,
        tagsOfMap(map)
          .filter(({ key }) => keys.has(key))
          .flatMap(({ pose: { x_m, y_m, z_m } }) => [eye, [x_m, y_m, z_m]]),
      )
    }
    this.#trail.visible = layers.trail
    setPoints(
      this.#trail,
      trail.map(([x, y]) => [x, y, 2 * ABOVE_M]),
    )
    this.#ellipse.visible = layers.ellipse && pose !== undefined && deviations !== undefined && !isEye
    if (pose && deviations) {
      this.#ellipse.position.set(pose.x_m, pose.y_m, 3 * ABOVE_M)
      this.#ellipse.scale.set(SIGMAS * deviations.x_m, SIGMAS * deviations.y_m, 1)
    }
  }
}

const show = (object: Group, isShown: boolean, pose: QuaternionPose | undefined): void => {
  object.visible = isShown && pose !== undefined
  if (pose) place(object, pose)
}

const sizeOf = ({ size }: FieldRobot): Point3 => [
  size?.length_m ?? USUAL_M.length_m,
  size?.width_m ?? USUAL_M.width_m,
  size?.height_m ?? USUAL_M.height_m,
]

const keyOf = (robot: FieldRobot): string => JSON.stringify([sizeOf(robot), robot.camera?.limits, robot.tone])

const onFloor = (box: Group, [, , height]: Point3): Group => {
  box.position.z = height / 2
  return box
}
