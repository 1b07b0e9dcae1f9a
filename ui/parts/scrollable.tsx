// What is wider than its place on small screens, as tables are: it scrolls by itself, also by keys.
import type { ReactNode } from 'react'

interface ScrollableProps {
  /** What it is, for who does not see it. */
  readonly name: string
  /** More of its classes. */
  readonly className?: string
  readonly children: ReactNode
}

/** A part of a page that is named, and scrolls sideways. */
export const Scrollable = ({ name, className, children }: ScrollableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached by keys
  <section className={className ? `scroll-x ${className}` : 'scroll-x'} aria-label={name} tabIndex={0}>
    {children}
  </section>
)
