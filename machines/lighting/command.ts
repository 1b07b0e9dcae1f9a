// What people tell the lights.
import type { Static } from 'typebox'
import { enumOf } from '../schema/enum-of.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { GroupName } from './animation.ts'
import { type Claim, MAX_PRIORITY, PRIORITY, standingOf } from './claims.ts'
import { dimmed, type NoPicture, pictureOf, type Show, type ShowLibrary, showFields, steady, WHITE } from './show.ts'

/** How long a command lasts when nothing else is said: whoever is still there says it again. */
export const DEFAULT_TTL_MS = 600_000
const MAX_TTL_MS = 86_400_000

/** A command. */
export const LightingCommand = Type.Object(
  {
    command: enumOf(
      {
        off: 'dark',
        on: 'white, or the colour that is given',
        blink: 'on and off',
        brightness: 'what each group was told last, at another level; where none was told anything, white',
        colour: 'one colour',
        animation: 'a saved animation or a built-in template, by its name',
      },
      'LightingCommandName',
    ),
    group: Type.Optional(orNull(GroupName, 'Which lights. null, or left out: all of them.')),
    ...showFields,
    priority: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_PRIORITY,
        description: oneLine`
          Who comes first has the light. Default: ${PRIORITY.person}, which is above what the device shows of itself
          (${PRIORITY.target_seen} to ${PRIORITY.update_runs}) and below what a robot wants (${PRIORITY.robot}); of
          brightness, that of what was told before.
        `,
      }),
    ),
    ttl_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_TTL_MS,
        description: oneLine`
          After so long the command ends by itself, unless it comes again, ms. Default: ${DEFAULT_TTL_MS}. 0: it ends
          at once what was told before, and the light goes to who comes next.
        `,
      }),
    ),
  },
  { additionalProperties: false, title: 'LightingCommand', description: 'What lights shall show, and for how long.' },
)
export type LightingCommand = Static<typeof LightingCommand>

/** Whoever sends commands over HTTP is one owner. */
export const PERSON = 'person'

/** What claims are made with. */
interface CommandParts {
  readonly claims: readonly Claim[]
  readonly groups: readonly { readonly name: string }[]
  readonly library: ShowLibrary
  readonly now_ms: number
}

/** The claims that a command makes, in the order in which they are made; or what is wrong with it. */
export const claimsOf = (
  body: LightingCommand,
  { claims, groups, library, now_ms }: CommandParts,
): readonly Claim[] | NoPicture => {
  const { command, group = null, ttl_ms = DEFAULT_TTL_MS } = body
  if (group !== null && !groups.some(({ name }) => name === group))
    return { pointer: '/group', message: `there is no group ${group}; ${groupsInWords(groups)}` }
  const made = command === 'brightness' ? brighter(body, toldOf(claims, group)) : shownBy({ ...body, command }, library)
  if ('pointer' in made) return made
  return made.map(
    (each): Claim => ({
      owner: PERSON,
      kind: 'person',
      group,
      since_ms: now_ms,
      ...each,
      priority: body.priority ?? each.priority ?? PRIORITY.person,
      why: 'A command over HTTP.',
      until_ms: now_ms + ttl_ms,
    }),
  )
}

type Made = Pick<Claim, 'picture' | 'undimmed' | 'shows'> & Partial<Pick<Claim, 'group' | 'priority' | 'since_ms'>>

const shownBy = ({ level = 1, ...show }: Show, library: ShowLibrary): readonly Made[] | NoPicture => {
  const undimmed = pictureOf(show, library)
  if ('pointer' in undimmed) return undimmed
  return [{ picture: level === 1 ? undimmed : dimmed(undimmed, level), undimmed, shows: show.command }]
}

/** What people have told a group; null: all that they have told, be it of one group or of all of them. */
const toldOf = (claims: readonly Claim[], group: string | null): readonly Claim[] => {
  const told = claims.filter(({ owner }) => owner === PERSON)
  if (group === null) return told
  const { holder } = standingOf(told, group)
  return holder ? [{ ...holder, group }] : []
}

/** What was told, each at another level, and goes on where it was; where nothing was told, or dark, white. */
const brighter = ({ level }: LightingCommand, told: readonly Claim[]): readonly Made[] | NoPicture => {
  if (level === undefined) return { pointer: '/level', message: 'is missing: the command brightness needs it' }
  const white = { picture: steady(WHITE, level), undimmed: steady(WHITE, 1), shows: 'on' } as const
  if (told.length === 0) return [white]
  return told.map(({ group, priority, undimmed, shows, since_ms }) =>
    undimmed && shows !== 'off'
      ? { group, priority, since_ms, picture: dimmed(undimmed, level), undimmed, shows }
      : { group, priority, ...white },
  )
}

const groupsInWords = (groups: readonly { readonly name: string }[]): string =>
  groups.length === 0 ? 'none is set up' : `there are ${groups.map(({ name }) => name).join(', ')}`
