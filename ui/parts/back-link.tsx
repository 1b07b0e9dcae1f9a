// The way back from a page to the one above it.
import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'

interface BackLinkProps {
  readonly href: string
  /** Where it leads, for who does not see it. */
  readonly name: string
}

/** An arrow before the heading. */
export const BackLink = ({ href, name }: BackLinkProps) => (
  <Link className="button" data-kind="plain" data-size="icon" href={href} aria-label={name}>
    <ArrowLeft size={18} aria-hidden />
  </Link>
)
