// What scenes are made of, in three dimensions: each gives back what it holds by `dispose`.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  type ColorRepresentation,
  DoubleSide,
  EdgesGeometry,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  PlaneGeometry,
  type Side,
  SRGBColorSpace,
  Vector3,
} from 'three'
import { frustumOf, type ViewLimits } from './scene-frustum.ts'
import { IDENTITY, type Point3, type QuaternionPose } from './scene-pose.ts'
import { axesOfTag } from './scene-view.ts'

/** Gives back what an object and all in it hold. */
export const disposeOf = (object: Object3D): void => {
  object.removeFromParent()
  object.traverse((each) => {
    const { geometry, material } = each as Partial<Mesh>
    geometry?.dispose()
    for (const one of [material ?? []].flat()) {
      ;(one as MeshBasicMaterial).map?.dispose()
      one.dispose()
    }
  })
}

/** Puts an object where a pose says. */
export const place = (object: Object3D, { x_m, y_m, z_m, qw, qx, qy, qz }: QuaternionPose): void => {
  object.position.set(x_m, y_m, z_m)
  object.quaternion.set(qx, qy, qz, qw)
}

/** Lines one after the other; as many as fit may be set at any time. */
export const lineOf = (colour: ColorRepresentation, max_points: number, isDashed = false): Line => {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(max_points * 3), 3))
  geometry.setDrawRange(0, 0)
  const material = new LineBasicMaterial({ color: colour, transparent: isDashed, opacity: isDashed ? 0.6 : 1 })
  const Kind = isDashed ? LineSegments : Line
  const line = new Kind(geometry, material)
  line.frustumCulled = false
  return line
}

/** Sets where a line goes. */
export const setPoints = ({ geometry }: Line, points: readonly Point3[]): void => {
  const position = geometry.getAttribute('position') as BufferAttribute
  const count = Math.min(points.length, position.count)
  for (let n = 0; n < count; n += 1) position.setXYZ(n, ...(points[points.length - count + n] as Point3))
  position.needsUpdate = true
  geometry.setDrawRange(0, count)
}

/** A box with its edges. */
export const boxOf = (size: Point3, colour: ColorRepresentation, opacity: number): Group => {
  const group = new Group()
  const box = new BoxGeometry(...size)
  if (opacity > 0)
    group.add(
      new Mesh(
        box,
        new MeshLambertMaterial({ color: colour, transparent: opacity < 1, opacity, depthWrite: opacity === 1 }),
      ),
    )
  group.add(new LineSegments(new EdgesGeometry(box), new LineBasicMaterial({ color: colour })))
  if (opacity === 0) box.dispose()
  return group
}

/** A flat part. side: from where it is seen, on the z axis; both where nothing is said. */
export const sheetOf = (
  width: number,
  height: number,
  colour: ColorRepresentation,
  { opacity = 1, side = DoubleSide }: { readonly opacity?: number; readonly side?: Side } = {},
): Mesh =>
  new Mesh(
    new PlaneGeometry(width, height),
    new MeshBasicMaterial({ color: colour, side, transparent: opacity < 1, opacity, depthWrite: opacity === 1 }),
  )

const TAG_PX = 128
const FRAME = 1.25 // that shows that it is seen
const BORDER = 1.25 // of white around the black square, as tags are printed

const pictureOfTag = (id: number): CanvasTexture => {
  const canvas = document.createElement('canvas')
  canvas.width = TAG_PX
  canvas.height = TAG_PX
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const border = (TAG_PX * (1 - 1 / BORDER)) / 2
  context.fillStyle = '#fff'
  context.fillRect(0, 0, TAG_PX, TAG_PX)
  context.fillStyle = '#000'
  context.fillRect(border, border, TAG_PX - 2 * border, TAG_PX - 2 * border)
  context.fillStyle = '#fff'
  context.font = `bold ${TAG_PX * 0.42}px sans-serif`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(String(id), TAG_PX / 2, TAG_PX / 2)
  const texture = new CanvasTexture(canvas)
  texture.colorSpace = SRGBColorSpace
  return texture
}

/** A tag with its number, and a frame that shows when it is seen. */
export class TagModel {
  readonly object = new Group()
  readonly #frame: Mesh<PlaneGeometry, MeshBasicMaterial>

  constructor(id: number, pose: QuaternionPose, size_m: number) {
    const edge = size_m * BORDER
    const face = new Mesh(new PlaneGeometry(edge, edge), new MeshBasicMaterial({ map: pictureOfTag(id) }))
    this.#frame = new Mesh(new PlaneGeometry(edge * FRAME, edge * FRAME), new MeshBasicMaterial({ side: DoubleSide }))
    this.#frame.position.z = -0.01
    this.#frame.visible = false
    this.object.add(face, this.#frame)
    const [right, up, out] = axesOfTag(pose).map((axis) => new Vector3(...axis)) as [Vector3, Vector3, Vector3]
    this.object.setRotationFromMatrix(new Matrix4().makeBasis(right, up, out))
    this.object.position.set(pose.x_m, pose.y_m, pose.z_m)
  }

  /** Shows it so many times as large as it is. */
  enlarge(times: number): void {
    this.object.scale.setScalar(times)
  }

  /** colour: of who sees it; undefined: nobody. */
  light(colour: string | undefined): void {
    this.#frame.visible = colour !== undefined
    if (colour !== undefined) this.#frame.material.color.set(colour)
  }
}

/** A camera: a small box that looks along its x, and the edges of what it has in view. */
export const cameraOf = (limits: ViewLimits, ahead_m: number, colour: ColorRepresentation): Group => {
  const group = new Group()
  group.add(boxOf([0.03, 0.08, 0.04], colour, 1))
  const [tip, ...corners] = frustumOf(IDENTITY, limits, ahead_m)
  const edges = corners.flatMap((corner, n) => [tip, corner, corner, corners[(n + 1) % corners.length] as Point3])
  const line = lineOf(colour, edges.length, true)
  setPoints(line, edges)
  group.add(line)
  return group
}
