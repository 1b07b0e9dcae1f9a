// A list of any length, of which only the pieces near the screen are drawn.
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'

/** So many lie whole in rows of 1, 2, 3, 4, 5, 6 or 8, so that no row has a gap where a piece ends. */
const PIECE_ITEMS = 120

const NEAR = '1000px' // it is there when it is scrolled into view

interface LongListProps<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** Of each piece, which is a list of its own. */
  readonly className: string
  readonly children: (item: Item) => ReactNode
}

interface Place {
  readonly isNear: boolean
  /** When it was drawn last. */
  readonly height: number
}

/** What has the focus stays, wherever somebody has scrolled to. */
const hasFocus = (element: Element): boolean => element.contains(document.activeElement)

const Piece = <Item,>({ items, keyOf, className, children }: LongListProps<Item>) => {
  const place = useRef<HTMLDivElement>(null)
  const [{ isNear, height }, setPlace] = useState<Place>({ isNear: true, height: 0 })
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1)
        if (entry && (entry.isIntersecting || !hasFocus(element)))
          setPlace({ isNear: entry.isIntersecting, height: entry.boundingClientRect.height })
      },
      { rootMargin: NEAR },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} style={isNear ? undefined : { height }}>
      {isNear && (
        <ul className={className}>
          {items.map((item) => (
            <Fragment key={keyOf(item)}>{children(item)}</Fragment>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The list. children: draws an item, as a list item. */
export const LongList = <Item,>(props: LongListProps<Item>) => {
  const { items } = props
  return Array.from({ length: Math.ceil(items.length / PIECE_ITEMS) }, (_, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the list
    <Piece key={n} {...props} items={items.slice(n * PIECE_ITEMS, (n + 1) * PIECE_ITEMS)} />
  ))
}
