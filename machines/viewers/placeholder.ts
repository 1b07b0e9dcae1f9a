// What viewers are shown while no picture comes: a picture that says so, and why.
import type { StreamState, StreamStatus } from '../stream/status.ts'
import { jpegOf, SQUARE_PX } from './jpeg.ts'
import { drawLetter, LETTER } from './letters.ts'

const WORDS: Readonly<Record<Exclude<StreamState, 'live'>, string>> = {
  disabled: 'This stream is turned off.',
  paused: 'The device has too little for all streams, so this one waits. It comes back by itself.',
  starting: 'Its vision engine is being started.',
  opening: 'The camera is being opened.',
  stalled: 'The camera gives no pictures just now. It is watched; they are shown as soon as they come.',
  'backing-off': 'The camera is gone, or does not open. It is tried again in a moment.',
  resetting: 'The camera gives no pictures, so the system takes it away and finds it anew.',
  'power-cycling': 'The camera gives no pictures, so its USB port is switched off and on.',
  ended: 'The source has played its last picture.',
  restarting: 'Its vision engine has ended, and another is started in a moment.',
  failed: 'This stream has failed. It is tried again every 15 s.',
}

/** What is to be said instead of pictures, a line of text each; null: pictures come. */
export const wordsFor = (
  id: string,
  { state, fault }: Pick<StreamStatus, 'state' | 'fault'>,
): readonly string[] | null =>
  state === 'live' ? null : [`${id}: no picture`, '', WORDS[state], ...(fault ? ['', fault.detail] : [])]

/**
 * The text for viewers of an output of the pipeline when that gives no picture of the name any more. Short: letters are
 * large.
 */
export const wordsForOutput = (id: string, output: string): readonly string[] => [
  `${id}: no picture`,
  '',
  `The pipeline gives no picture ${output} now. It comes back with a pipeline that does.`,
]

interface Size {
  readonly width_px: number
  readonly height_px: number
}

const DEFAULT: Size = { width_px: 1280, height_px: 720 }
const WIDTH = { least: 640, most: 1280 } as const // narrower no sentence has room, wider it costs more than it says
const GAP = 1 // squares between letters
const MIN_LETTERS = 24 // in a line
const ADVANCE = LETTER.width + GAP
const LINE = LETTER.height + 3

/**
 * A JPEG with these lines, broken where they are too long, as large as the stream's pictures or in a simple relation to
 * them. What has no room is left out.
 */
export const placeholderOf = (lines: readonly string[], pictures: Size = DEFAULT): Uint8Array => {
  const { width_px, height_px } = sizeFor(pictures)
  const [columns, rows] = [Math.ceil(width_px / SQUARE_PX), Math.ceil(height_px / SQUARE_PX)]
  const scale = Math.max(1, Math.floor(columns / (MIN_LETTERS * ADVANCE)))
  const margin = ADVANCE * scale
  const room = {
    letters: Math.floor((columns - 2 * margin) / (ADVANCE * scale)),
    lines: Math.max(1, Math.floor((rows - 2 * margin) / (LINE * scale))),
  }
  const inked = new Uint8Array(columns * rows)
  for (const [n, line] of lines
    .flatMap((each) => brokenLines(each, room.letters))
    .slice(0, room.lines)
    .entries()) {
    for (const [at, letter] of [...line].entries()) {
      drawLetter(letter, (x, y) => {
        const [left, top] = [margin + (at * ADVANCE + x) * scale, margin + (n * LINE + y) * scale]
        for (let dy = 0; dy < scale && top + dy < rows; dy += 1)
          inked.fill(1, (top + dy) * columns + left, (top + dy) * columns + Math.min(left + scale, columns))
      })
    }
  }
  const ink = (column: number, row: number) => column < columns && row < rows && inked[row * columns + column] === 1
  return jpegOf({ width_px, height_px, ink })
}

const sizeFor = ({ width_px, height_px }: Size): Size => {
  const factor =
    width_px < WIDTH.least ? Math.ceil(WIDTH.least / width_px) : 1 / Math.max(1, Math.ceil(width_px / WIDTH.most))
  return { width_px: Math.round(width_px * factor), height_px: Math.max(1, Math.round(height_px * factor)) }
}

/** At blanks, where there are; a word that is too long is cut. */
const brokenLines = (text: string, letters: number): readonly string[] => {
  const lines = ['']
  for (const word of text.split(' ').flatMap((each) => each.match(new RegExp(`.{1,${letters}}`, 'gu')) ?? [''])) {
    const line = lines.at(-1) as string
    const longer = line === '' ? word : `${line} ${word}`
    if ([...longer].length <= letters) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
