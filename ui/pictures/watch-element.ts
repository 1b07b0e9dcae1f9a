// What a picture must know of the element that it is in.

/** A size in pixels of the screen, and how many of them are one of the page. */
export interface ScreenSize {
  readonly widthPx: number
  readonly heightPx: number
  readonly ratio: number
}

/** Tells the size of an element, now and whenever it is another one; returns what ends that. */
export const watchSize = (element: HTMLElement, tell: (size: ScreenSize) => void): (() => void) => {
  const observer = new ResizeObserver(([entry]) => {
    if (!entry) return
    const ratio = devicePixelRatio
    const [exact] = entry.devicePixelContentBoxSize ?? [] // Safari has none
    const { width, height } = entry.contentRect
    const widthPx = Math.max(1, exact?.inlineSize ?? Math.round(width * ratio))
    const heightPx = Math.max(1, exact?.blockSize ?? Math.round(height * ratio))
    tell({ widthPx, heightPx, ratio })
  })
  try {
    observer.observe(element, { box: 'device-pixel-content-box' })
  } catch {
    observer.observe(element)
  }
  return () => observer.disconnect()
}

const NEAR = '100px' // it is there when it is scrolled into view

/** Tells whether an element can be seen: it is near what is on the screen, and the tab is in front. */
export const watchSeen = (element: HTMLElement, tell: (isSeen: boolean) => void): (() => void) => {
  let isNear = false
  const tellNow = () => tell(isNear && !document.hidden)
  const observer = new IntersectionObserver(
    (entries) => {
      isNear = entries.at(-1)?.isIntersecting ?? false
      tellNow()
    },
    { rootMargin: NEAR },
  )
  observer.observe(element)
  document.addEventListener('visibilitychange', tellNow)
  return () => {
    observer.disconnect()
    document.removeEventListener('visibilitychange', tellNow)
  }
}
