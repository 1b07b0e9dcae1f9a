// An animation as a picture of its whole time line: time to the right, pixels from above.
import { frameOf, type Picture } from '../../../machines/lighting/frame.ts'
import type { Drawing } from '../../drawing/drawing.ts'
import { cssColour } from './lamp-drawing.ts'

const ROWS = 16
const STEP_PX = 2

/** Draws it. Only what one track shows: the others would cover it. */
export const drawTimeLine = ({ pen, width, height }: Drawing, picture: Picture, group: string): void => {
  const isSame = picture.tracks.every(({ spread }) => spread === 0)
  const rows = isSame ? 1 : ROWS
  for (let x = 0; x < width; x += STEP_PX) {
    const frame = frameOf(picture, { group, pixels: rows }, (picture.duration_ms * x) / width)
    for (let row = 0; row < rows; row += 1) {
      pen.fillStyle = cssColour(frame, row)
      pen.fillRect(x, (height * row) / rows, STEP_PX, height / rows + 1)
    }
  }
}
