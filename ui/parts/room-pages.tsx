// The ways to the pages of a room that has several.
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'

/** One page of a room. */
export interface RoomPage {
  /** Its whole address. */
  readonly path: string
  readonly name: string
}

/** room: its name, for who hears the page. The page whose address begins that of now is the present one. */
export const RoomPages = ({ room, pages }: { readonly room: string; readonly pages: readonly RoomPage[] }) => {
  const [address] = useLocation()
  const present = pages.findLast(({ path }) => address === path || address.startsWith(`${path}/`))
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    // on a phone there are more of them than fit
    const link = present && list.current?.querySelector('[aria-current]')
    link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [present])
  return (
    <nav className="room-pages" aria-label={room} ref={list}>
      {pages.map((page) => (
        <Link key={page.path} href={page.path} aria-current={page === present ? 'page' : undefined}>
          {page.name}
        </Link>
      ))}
    </nav>
  )
}
