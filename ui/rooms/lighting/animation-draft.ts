// An animation while somebody edits it: what can be done to its tracks and keyframes.
import { withValues } from '../../../machines/lighting/template-values.ts'
import type { LightingAnimation, LightingTemplate } from '../../state/lighting.ts'
import type { ParameterValues } from './light-fields.tsx'

export type Track = LightingAnimation['tracks'][number]
export type Keyframe = Track['keyframes'][number]

/** The interface takes no more. */
export const MAX_TRACKS = 16
export const MAX_KEYFRAMES = 64

const PLACES = 1000 // on a time line: a thousandth is a pixel or less

/** A new one: from dark to a colour and back. */
export const newAnimation = (): LightingAnimation => ({
  name: '',
  title: '',
  duration_ms: 2_000,
  loop: 'repeat',
  tracks: [newTrack()],
})

/** A track for all groups. */
export const newTrack = (): Track => ({
  group: null,
  from: 0,
  count: null,
  spread: 0,
  keyframes: [
    { at: 0, colour: '#00ff80', level: 0, easing: 'ease_in_out' },
    { at: 0.5, colour: '#00ff80', level: 1, easing: 'ease_in_out' },
    { at: 1, colour: '#00ff80', level: 0, easing: 'step' },
  ],
})

/** Where somebody makes his own of a template. */
export const draftAddress = (id: string, values: ParameterValues): string =>
  `/lighting/animations/new?${new URLSearchParams({ template: id, values: JSON.stringify(values) })}`

/** A template as an animation of one's own, which has no name yet. */
export const ownOf = (template: LightingTemplate, values: ParameterValues): LightingAnimation => ({
  name: '',
  title: `My ${template.title.toLowerCase()}`,
  ...(withValues(template, template.parameters, values) as Pick<LightingAnimation, 'duration_ms' | 'loop' | 'tracks'>),
})

/** The values in an address; what is no such thing is none. */
export const valuesIn = (text: string | null): ParameterValues => {
  try {
    const read = JSON.parse(text ?? '{}') as unknown
    return typeof read === 'object' && read !== null ? (read as ParameterValues) : {}
  } catch {
    return {}
  }
}

const rounded = (at: number): number => Math.min(1, Math.max(0, Math.round(at * PLACES) / PLACES))

/** Keyframes in the order of their places, and which of them is the one that was changed. */
export interface Placed {
  readonly keyframes: readonly Keyframe[]
  readonly chosen: number
}

/** With another keyframe in place of one. */
export const withKeyframe = (keyframes: readonly Keyframe[], index: number, change: Partial<Keyframe>): Placed => {
  const before = keyframes[index]
  if (!before) return { keyframes, chosen: index }
  const changed = { ...before, ...change, at: rounded(change.at ?? before.at) }
  return placed(
    keyframes.map((each, at) => (at === index ? changed : each)),
    changed,
  )
}

/** With one more, which shows what was shown there. Where one is already, it is that. */
export const withNewKeyframe = (keyframes: readonly Keyframe[], at: number, colour: string): Placed => {
  const place = rounded(at)
  const there = keyframes.findIndex((each) => each.at === place)
  if (there >= 0 || keyframes.length >= MAX_KEYFRAMES) return { keyframes, chosen: Math.max(0, there) }
  const added: Keyframe = { at: place, colour, level: 1, easing: 'linear' }
  return placed([...keyframes, added], added)
}

/** Without one; the last one stays, since a track shows something. */
export const withoutKeyframe = (keyframes: readonly Keyframe[], index: number): Placed =>
  keyframes.length <= 1
    ? { keyframes, chosen: 0 }
    : { keyframes: keyframes.filter((_, at) => at !== index), chosen: Math.max(0, index - 1) }

const placed = (keyframes: readonly Keyframe[], chosen: Keyframe): Placed => {
  const ordered = [...keyframes].sort((a, b) => a.at - b.at)
  return { keyframes: ordered, chosen: ordered.indexOf(chosen) }
}

/** The middle of the widest gap: there one more says most. */
export const widestGap = (keyframes: readonly Keyframe[]): number => {
  const places = [0, ...keyframes.map(({ at }) => at), 1]
  const gaps = places.slice(1).map((to, index) => ({ from: places[index] ?? 0, to }))
  const [widest] = gaps.sort((a, b) => b.to - b.from - (a.to - a.from))
  return widest ? (widest.from + widest.to) / 2 : 0.5
}
