// What the number of the team means for where the robot is: the one place that decides it, for all ways of setting the
// number.
import type { SchemaError } from '../schema/explain.ts'
import type { MergePatch } from '../settings/commit.ts'
import type { Nt4Settings } from './settings.ts'
import { parseNt4Target, teamIn } from './target.ts'

/** A change of the settings: what is left out stays. */
export type Nt4Change = Partial<Nt4Settings>

interface Nt4Before {
  /** What was ever changed. */
  readonly stored: Partial<Nt4Settings>
  /** That over what the start says. */
  readonly inForce: Nt4Settings
}

/** What a change becomes in the stored document, or what is wrong with it. What is so already is not stored. */
export const nt4Patch = (change: Nt4Change, before: Nt4Before): MergePatch<Nt4Settings> | SchemaError => {
  const { target, team, ...rest } = change
  const chosen = target === undefined ? chooseByTeam(team, before) : chooseByTarget(target, team, before)
  if ('pointer' in chosen) return chosen
  const { stored, inForce } = before
  const news = Object.entries(rest).filter(([name, value]) => inForce[name as keyof Nt4Settings] !== value)
  return {
    ...Object.fromEntries(news),
    ...(chosen.target !== inForce.target && { target: chosen.target }),
    ...(chosen.team !== (stored.team ?? null) && { team: chosen.team }),
  }
}

/**
 * What is stored of both. A target with a number in it says it all; the number is stored beside all others, for the day
 * on which it is wanted.
 */
interface ChosenTarget {
  readonly target: string
  readonly team: number | null
}

const withTeam = (team: number): ChosenTarget => ({ target: `team:${team}`, team: null })

/** `team` alone stands for the number that is known. */
const chooseByTarget = (
  text: string,
  said: number | null | undefined,
  { inForce }: Nt4Before,
): ChosenTarget | SchemaError => {
  const known = said === undefined ? inForce.team : said
  if (text === 'team')
    return known === null
      ? { pointer: '/target', message: 'takes a number: nobody has said which team; write team:1234' }
      : withTeam(known)
  const parsed = parseNt4Target(text)
  if (!parsed.ok) return { pointer: '/target', message: parsed.reason }
  const named = teamIn(text)
  if (named === undefined) return { target: text, team: known }
  return said === undefined || said === named
    ? withTeam(named)
    : { pointer: '/team', message: `must be the number of the target, ${named}, or be left out` }
}

/**
 * The robot of the team is looked for, unless another target was chosen. Forgetting the number ends the search, if it
 * was the team's robot that was.
 */
const chooseByTeam = (team: number | null | undefined, { stored, inForce }: Nt4Before): ChosenTarget => {
  const isByTeam = teamIn(inForce.target) !== undefined
  const { target } = inForce
  if (team === undefined) return { target, team: stored.team ?? null }
  if (team === null) return { target: isByTeam ? 'off' : target, team: null }
  return isByTeam || stored.target === undefined ? withTeam(team) : { target, team }
}
