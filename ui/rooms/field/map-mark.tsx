// A map by its name and by what is in it.
import { Link } from 'wouter'

/** So many digits of a hash tell maps apart. */
export const shortHash = (hash: string): string => hash.slice(0, 8)

/** What it takes. */
export interface MapMarkProps {
  readonly id: string
  readonly name?: string | undefined
  readonly hash: string
}

/** Its name leads to it; its hash is the same wherever the same tags hang in the same places. */
export const MapMark = ({ id, name, hash }: MapMarkProps) => (
  <>
    <Link href={`/field/maps?map=${encodeURIComponent(id)}`}>{name ?? id}</Link>{' '}
    <code title={hash}>@{shortHash(hash)}</code>
  </>
)
