// A box that is turned as the robot is, seen from behind it, its right and above. Its front is another colour.
// Robot and world: x forward, y left, z up.
import type { Drawing } from './drawing.ts'
import { IDENTITY, type Point3, turn } from './scene-pose.ts'

/** A unit quaternion from the robot to the world: w, x, y, z. */
export type Quaternion = readonly [number, number, number, number]

const HALF: Point3 = [0.5, 0.4, 0.16] // of a robot: longer than wide, and flat
const LOOKS_LEFT = 0.5 // rad: the eye is so far to the right of the line behind it
const LOOKS_DOWN = 0.45 // rad
const REACH = 0.85 // of what is to be seen around its middle, in the same measure

const FACES = [
  { name: 'front', normal: [1, 0, 0], colour: '#35e0a1' },
  { name: 'back', normal: [-1, 0, 0], colour: '#8d6a5f' },
  { name: 'left', normal: [0, 1, 0], colour: '#5f7d8d' },
  { name: 'right', normal: [0, -1, 0], colour: '#6f8f9f' },
  { name: 'top', normal: [0, 0, 1], colour: '#c3ccc7' },
  { name: 'bottom', normal: [0, 0, -1], colour: '#4a544d' },
] as const satisfies readonly { readonly name: string; readonly normal: Point3; readonly colour: string }[]

const WAY = 0.35 // how far a line goes out of the front
const EDGE = '#04130c'
const FLOOR = 'rgb(255 255 255 / 25%)'
const WORDS = '#e9eeea'

/** To the right, up, and towards the eye. */
const seenFromEye = ([x, y, z]: Point3): Point3 => {
  const [c, s] = [Math.cos(LOOKS_LEFT), Math.sin(LOOKS_LEFT)]
  const [ahead, left] = [c * x + s * y, c * y - s * x]
  const [cd, sd] = [Math.cos(LOOKS_DOWN), Math.sin(LOOKS_DOWN)]
  return [-left, cd * z + sd * ahead, sd * z - cd * ahead]
}

/** The four corners of a face, around it. */
const cornersOf = (normal: Point3): readonly Point3[] => {
  const along = normal.findIndex((part) => part !== 0)
  const [u, v] = [(along + 1) % 3, (along + 2) % 3]
  const ways: readonly (readonly [number, number])[] = [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ]
  return ways.map(([a, b]) => {
    const corner = [0, 0, 0]
    corner[along] = (normal[along] ?? 0) * (HALF[along] ?? 0)
    corner[u] = a * (HALF[u] ?? 0)
    corner[v] = b * (HALF[v] ?? 0)
    return corner as unknown as Point3
  })
}

/** Draws it. */
export const drawTurnedBox = ({ pen, width, height }: Drawing, [qw, qx, qy, qz]: Quaternion): void => {
  const scale = Math.min(width, height) / (2 * REACH)
  const pose = { ...IDENTITY, qw, qx, qy, qz }
  const place = (point: Point3): readonly [number, number] => {
    const [right, up] = seenFromEye(point)
    return [width / 2 + right * scale, height / 2 - up * scale]
  }
  const trace = (points: readonly Point3[]) => {
    pen.beginPath()
    for (const point of points) pen.lineTo(...place(point))
  }
  pen.lineWidth = 1
  pen.strokeStyle = FLOOR
  const floor: readonly (readonly Point3[])[] = [
    [
      [-1, 0, -HALF[2]],
      [1, 0, -HALF[2]],
    ],
    [
      [0, -1, -HALF[2]],
      [0, 1, -HALF[2]],
    ],
  ]
  for (const line of floor) {
    trace(line)
    pen.stroke()
  }
  const drawWay = () => {
    trace([turn(pose, [HALF[0], 0, 0]), turn(pose, [HALF[0] + WAY, 0, 0])])
    pen.strokeStyle = WORDS
    pen.lineWidth = 2
    pen.stroke()
    pen.lineWidth = 1
  }
  const isFrontSeen = seenFromEye(turn(pose, FACES[0].normal))[2] > 0
  if (!isFrontSeen) drawWay() // the box covers its beginning
  for (const { name, normal, colour } of FACES) {
    if (seenFromEye(turn(pose, normal))[2] <= 0) continue // it looks away
    trace(cornersOf(normal).map((corner) => turn(pose, corner)))
    pen.closePath()
    pen.fillStyle = colour
    pen.fill()
    pen.strokeStyle = EDGE
    pen.stroke()
    if (name !== 'front' && name !== 'back') continue
    const middle = turn(pose, [normal[0] * HALF[0], 0, 0])
    pen.fillStyle = EDGE
    pen.font = '600 12px system-ui, sans-serif'
    pen.textAlign = 'center'
    pen.fillText(name, ...place(middle))
  }
  if (isFrontSeen) drawWay()
}
