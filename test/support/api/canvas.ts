// What is drawn on a canvas of the page.
import type { Locator } from 'playwright-core'

/** What of one is asked, in the page. */
interface Drawn {
  readonly width: number
  readonly height: number
  readonly getContext: (kind: '2d') => {
    readonly getImageData: (x: number, y: number, w: number, h: number) => { readonly data: Uint8ClampedArray }
  }
}

/** How many of its points have a colour, `#rrggbb`, and are not transparent. */
export const pointsOf = (canvas: Locator, colour: string): Promise<number> =>
  canvas.evaluate(
    (element, wanted) => {
      const { width, height, getContext } = element as unknown as Drawn
      const { data } = getContext.call(element, '2d').getImageData(0, 0, width, height)
      let count = 0
      for (let at = 0; at < data.length; at += 4) {
        const value = (data[at] ?? 0) * 65_536 + (data[at + 1] ?? 0) * 256 + (data[at + 2] ?? 0)
        if (data[at + 3] === 255 && value === wanted) count += 1
      }
      return count
    },
    Number.parseInt(colour.slice(1), 16),
  )
