// In the browser: draws pictures with the page's own code and looks, in what was drawn, whether the outlines of tags
// lie on the tags of the picture. A tag has a black border within its outline and a white one around it.
import { readPacket } from '../../../ui/api/packet.ts'
import { placingOf } from '../../../ui/drawing/placing.ts'
import { Picture } from '../../../ui/pictures/picture.ts'

const SIZE = { width: 1920, height: 1200 } // large, so that the outlines hide little of the tags
const MARK = [53, 224, 161]
const MIN_SIDE_PX = 60
const MIN_MOVED_PX = 12
const AT = [0.2, 0.35, 0.5, 0.65, 0.8] // along each side

globalThis.sameFrameCounts = { compared: 0, same: 0, unmarked: 0, asBefore: 0 }

/** Of the last frames, by their numbers: what was found. */
const remember = (known, message) => {
  const { results } = readPacket(message)
  if (results?.seq === undefined) return
  known.set(results.seq, results)
  known.delete(results.seq - 60)
}

const tagsOf = (results) =>
  new Map(
    Object.values(results?.outputs ?? {})
      .filter(({ kind }) => kind === 'detections')
      .flatMap(({ rows }) => rows.map(({ id, corners }) => [id, corners])),
  )

const between = (one, other, share) => ({
  x: one.x + (other.x - one.x) * share,
  y: one.y + (other.y - one.y) * share,
})

const sidesOf = (corners) => corners.map((corner, n) => [corner, corners[(n + 1) % corners.length]])

const pixelAt = ({ data, width, height }, { x, y }) => {
  const [column, row] = [Math.round(x), Math.round(y)]
  if (column < 0 || row < 0 || column >= width || row >= height) return undefined
  const at = 4 * (row * width + column)
  return [data[at], data[at + 1], data[at + 2]]
}

/** Whether dark lies within and bright around, on all sides. */
const fits = (picture, corners) => {
  const middle = {
    x: corners.reduce((sum, { x }) => sum + x, 0) / 4,
    y: corners.reduce((sum, { y }) => sum + y, 0) / 4,
  }
  let good = 0
  let all = 0
  for (const [from, to] of sidesOf(corners))
    for (const share of AT) {
      const place = between(from, to, share)
      const inside = pixelAt(picture, between(middle, place, 0.84))?.[1]
      const outside = pixelAt(picture, between(middle, place, 1.16))?.[1]
      if (inside === undefined || outside === undefined) continue
      all += 1
      if (outside > inside + 25) good += 1
    }
  return all > 0 && good / all > 0.9
}

const isMark = (pixel) => pixel?.every((value, n) => Math.abs(value - MARK[n]) < 60) ?? false

/** Whether the outline is drawn there: it is 2 px wide, and its rims are mixed with what is beside it. */
const isMarked = (picture, corners) => {
  const near = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down]))
  const sides = sidesOf(corners).filter(([from, to]) => {
    const { x, y } = between(from, to, 0.5)
    return near.some(([right, down]) => isMark(pixelAt(picture, { x: x + right, y: y + down })))
  })
  return sides.length >= 3 // one may lie beneath a label
}

const sideOf = ([one, other]) => Math.hypot(one.x - other.x, one.y - other.y)

const movedBetween = (corners, before) =>
  Math.max(...corners.map(({ x, y }, n) => Math.hypot(x - before[n].x, y - before[n].y)))

const compare = (surface, known, { seq, widthPx, heightPx }) => {
  const { left, top, scale } = placingOf({ width: widthPx, height: heightPx }, SIZE)
  const inCanvas = (corners) => corners.map(({ x_px, y_px }) => ({ x: left + x_px * scale, y: top + y_px * scale }))
  const before = tagsOf(known.get(seq - 1))
  let picture
  for (const [id, found] of tagsOf(known.get(seq))) {
    const corners = inCanvas(found)
    if (!before.has(id) || Math.min(...sidesOf(corners).map(sideOf)) < MIN_SIDE_PX) continue
    const previous = inCanvas(before.get(id))
    if (movedBetween(corners, previous) < MIN_MOVED_PX) continue
    picture ??= surface.getImageData(0, 0, SIZE.width, SIZE.height)
    const counts = globalThis.sameFrameCounts
    counts.compared += 1
    const [hasOutline, isOfPicture] = [isMarked(picture, corners), fits(picture, corners)]
    if (hasOutline && isOfPicture) counts.same += 1
    if (!hasOutline) counts.unmarked += 1
    if (fits(picture, previous)) counts.asBefore += 1
    return
  }
}

/** Begins; what comes of it stands in `sameFrameCounts`. */
export const start = (streams) => {
  const known = new Map() // by the path of the socket
  const Real = globalThis.WebSocket
  globalThis.WebSocket = class extends Real {
    constructor(url) {
      super(url)
      const { pathname } = new URL(url)
      const frames = known.get(pathname) ?? new Map()
      known.set(pathname, frames)
      this.addEventListener('message', ({ data }) => data instanceof ArrayBuffer && remember(frames, data))
    }
  }
  for (let n = 0; n < streams; n += 1) {
    const canvas = new OffscreenCanvas(SIZE.width, SIZE.height)
    const path = `/v1/streams/s${n}/frames`
    const look = { overlay: { tags: true }, fit: 'contain', widthPx: SIZE.width, heightPx: SIZE.height, ratio: 1 }
    const picture = new Picture(n, canvas, look, (report) => {
      if (report.kind === 'frame') compare(canvas.getContext('2d'), known.get(path), report.facts)
    })
    picture.setSource({ path: `${path}?results=true`, whyPath: `/v1/streams/s${n}/preview`, oldAfterMs: 2000 })
    picture.setSeen(true)
  }
}
