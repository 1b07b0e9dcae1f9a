// How wide a drawing may be.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** For an element that is as wide as its place: its width in pixels, kept up to date. first: until it is known. */
export const useWidth = <T extends Element>(first: number): readonly [RefObject<T | null>, number] => {
  const ref = useRef<T>(null)
  const [width, setWidth] = useState(first)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      const now = Math.round(element.getBoundingClientRect().width)
      if (now > 0) setWidth(now)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
