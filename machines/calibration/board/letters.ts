// Letters for pictures, which have no fonts: capital letters, digits and what stands between them, each of 5 by 7 dots.

/** Dots along a letter, with the gap to the next one. */
export const LETTER_PITCH = 6

/** Dots of a letter's height. */
export const LETTER_HEIGHT = 7

/** Letters side by side, as they look. */
const DRAWN: readonly (readonly [letters: string, drawing: string])[] = [
  [
    'ABCDEFGHIJKLMNOP',
    `
  .###. ####. .#### ####. ##### ##### .#### #...# .###. ..### #...# #.... #...# #...# .###. ####.
  #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #..#. #.... ##.## ##..# #...# #...#
  #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.# #.#.# #...# #...#
  ##### ####. #.... #...# ####. ####. #..## ##### ..#.. ...#. ##... #.... #.#.# #.#.# #...# ####.
  #...# #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...# #..## #...# #....
  #...# #...# #.... #...# #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...# #...# #...# #....
  #...# ####. .#### ####. ##### #.... .#### #...# .###. .##.. #...# ##### #...# #...# .###. #....
`,
  ],
  [
    'QRSTUVWXYZ012345',
    `
  .###. ####. .#### ##### #...# #...# #...# #...# #...# ##### .###. ..#.. .###. ####. ...#. #####
  #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....# #...# .##.. #...# ....# ..##. #....
  #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#. #..## ..#.. ....# ....# .#.#. ####.
  #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#.. #.#.# ..#.. ..##. .###. #..#. ....#
  #.#.# #.#.. ....# ..#.. #...# .#.#. #.#.# .#.#. ..#.. .#... ##..# ..#.. .#... ....# ##### ....#
  #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...# ..#.. #.... #...# ..#.. #.... ....# ...#. #...#
  .##.# #...# ####. ..#.. .###. ..#.. #...# #...# ..#.. ##### .###. .###. ##### ####. ...#. .###.
`,
  ],
  [
    '6789.,:-_%()',
    `
  .###. ##### .###. .###. ..... ..... ..... ..... ..... ##..# ...#. .#...
  #.... ....# #...# #...# ..... ..... .##.. ..... ..... ##..# ..#.. ..#..
  #.... ...#. #...# #...# ..... ..... .##.. ..... ..... ...#. .#... ...#.
  ####. ...#. .###. .#### ..... ..... ..... .###. ..... ..#.. .#... ...#.
  #...# ..#.. #...# ....# ..... ..#.. .##.. ..... ..... .#... .#... ...#.
  #...# ..#.. #...# ....# .##.. ..#.. .##.. ..... ..... #..## ..#.. ..#..
  .###. ..#.. .###. .###. .##.. .#... ..... ..... ##### #..## ...#. .#...
`,
  ],
]

const readLetters = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    DRAWN.flatMap(([letters, drawing]) => {
      const rows = drawing.split('\n').filter((row) => row.trim() !== '')
      return [...letters].map((letter, at): [string, readonly string[]] => [
        letter,
        rows.map((row) => row.slice(2 + at * LETTER_PITCH, 2 + at * LETTER_PITCH + 5)),
      ])
    }),
  )

const LETTERS = readLetters()

/** A run of dots in a row of letters. */
export interface DotRun {
  readonly column: number
  readonly row: number
  readonly length: number
}

/** The dots of a text, in capital letters. What has no letter here is left blank. */
export const dotsOf = (text: string): readonly DotRun[] =>
  [...text.toUpperCase()].flatMap((letter, at) =>
    (LETTERS.get(letter) ?? []).flatMap((dots, row) =>
      [...dots.matchAll(/#+/g)].map((run) => ({
        column: at * LETTER_PITCH + run.index,
        row,
        length: run[0].length,
      })),
    ),
  )

/** Whether each letter of a text can be drawn. */
export const canBeDrawn = (text: string): boolean =>
  [...text.toUpperCase()].every((letter) => letter === ' ' || LETTERS.has(letter))
