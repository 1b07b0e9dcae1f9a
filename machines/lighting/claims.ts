// Who has the lights, and why: everybody who wants them to show something has a claim, and of each group the one of the
// highest priority is shown.
import type { Static } from 'typebox'
import { enumOf } from '../schema/enum-of.ts'
import type { Picture } from './frame.ts'
import type { ShownWord } from './show.ts'

/** Who wants the lights. */
export const OwnerKind = enumOf(
  {
    person: 'somebody who sent a command to the API',
    robot: 'a robot program, by the ledMode of its camera',
    device: 'the device itself, to tell how it is',
    idle: 'nobody: it is what the configuration says for then',
  },
  'LightingOwner',
)
export type OwnerKind = Static<typeof OwnerKind>

/**
 * What claims have when nothing else is said; the higher one has the light. A robot is above people, so that a command
 * that somebody has forgotten on a page costs no match; who means it says a priority above the robot's.
 */
export const PRIORITY = {
  idle: 0,
  target_seen: 10,
  link_lost: 12,
  starting: 14,
  update_runs: 16,
  person: 40,
  robot: 50,
} as const

/** A priority is no higher than this. */
export const MAX_PRIORITY = 100

/** That somebody wants lights to show something. Times are CLOCK_MONOTONIC. */
export interface Claim {
  /** `person`, `robot:front`, `device:link_lost`, `idle`. */
  readonly owner: string
  readonly kind: OwnerKind
  readonly priority: number
  /** null: every group. */
  readonly group: string | null
  readonly picture: Picture
  /** The same at level 1, of which another brightness is made; undefined: nobody can order one. */
  readonly undimmed?: Picture
  /** What it shows, in a word. */
  readonly shows: ShownWord
  /** For people, a sentence. */
  readonly why: string
  readonly since_ms: number
  /** When it ends by itself, since nothing was heard of its owner; null: with its owner. */
  readonly until_ms: number | null
}

/** How a group stands. */
export interface Standing {
  /** Who is shown; undefined: nobody wants it, and it is dark. */
  readonly holder: Claim | undefined
  /** Who would be next, in order; of each owner one. */
  readonly waiting: readonly Claim[]
}

/** Those of groups that are not there any more wait for their end; no more than this are kept. */
const MAX_CLAIMS = 128

/** With a claim that takes the place of what its owner wanted of the same group, or of all when it is for all. */
export const withClaim = (claims: readonly Claim[], claim: Claim): readonly Claim[] => [
  ...withoutOwner(claims, claim.owner, claim.group).slice(1 - MAX_CLAIMS),
  claim,
]

/** The same for several, one after the other. */
export const withClaims = (claims: readonly Claim[], more: readonly Claim[]): readonly Claim[] =>
  more.reduce(withClaim, claims)

/** Without what an owner wants of a group; null: of all. */
export const withoutOwner = (claims: readonly Claim[], owner: string, group: string | null = null): readonly Claim[] =>
  claims.filter((each) => each.owner !== owner || (group !== null && each.group !== group))

/**
 * Without what an owner wants of one of these groups: of a claim for all, those for the others are left, but where it
 * wants something else of them already.
 */
export const withoutGroup = (
  claims: readonly Claim[],
  { owner, group, groups }: { readonly owner: string; readonly group: string; readonly groups: readonly string[] },
): readonly Claim[] => {
  const own = new Set(claims.filter((each) => each.owner === owner).map((each) => each.group))
  const others = groups.filter((name) => name !== group && !own.has(name))
  return claims.flatMap((each) => {
    if (each.owner !== owner) return each
    if (each.group === null) return others.map((name) => ({ ...each, group: name }))
    return each.group === group ? [] : each
  })
}

/** Without those whose time is over. */
export const withoutExpired = (claims: readonly Claim[], now_ms: number): readonly Claim[] =>
  claims.some(({ until_ms }) => until_ms !== null && until_ms <= now_ms)
    ? claims.filter(({ until_ms }) => until_ms === null || until_ms > now_ms)
    : claims

/** When the next one ends by itself; undefined: none does. */
export const nextExpiry = (claims: readonly Claim[]): number | undefined => {
  const times = claims.flatMap(({ until_ms }) => until_ms ?? [])
  return times.length > 0 ? Math.min(...times) : undefined
}

/** Who has a group, and who waits for it. Of the same priority the newer one has it. */
export const standingOf = (claims: readonly Claim[], group: string): Standing => {
  const ordered = claims
    .filter((each) => each.group === null || each.group === group)
    .map((claim, order) => ({ claim, order }))
    .sort((a, b) => b.claim.priority - a.claim.priority || b.claim.since_ms - a.claim.since_ms || b.order - a.order)
    .map(({ claim }) => claim)
  const [holder, ...waiting] = ordered.filter(
    ({ owner }, index) => ordered.findIndex((each) => each.owner === owner) === index,
  )
  return { holder, waiting }
}
