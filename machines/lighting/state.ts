// How the lights are, as the API shows it.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { Animation, Colour, GroupName, MAX_PIXELS } from './animation.ts'
import { type Claim, MAX_PRIORITY, OwnerKind, standingOf } from './claims.ts'
import { type LightingConfig, OutputId, pixelsOf } from './config.ts'
import { flawsOfShows, showsIn } from './configured-shows.ts'
import { frameOf, type Picture } from './frame.ts'
import { setupsOf } from './setups.ts'
import { type ShowLibrary, ShownWord } from './show.ts'
import { LightingStateName } from './state-name.ts'

const strict = { additionalProperties: false } as const

const LightingHolder = Type.Object(
  {
    owner: Type.String({ description: '`person`, `robot:<stream>`, `device:<signal>`, `idle`.' }),
    kind: OwnerKind,
    priority: Type.Integer({ minimum: 0, maximum: MAX_PRIORITY, description: 'Who has the highest has the light.' }),
    shows: ShownWord,
    why: Type.String({ description: 'A sentence for people.' }),
    since_ms: Type.Integer({ description: 'Unix time.' }),
    until_ms: orNull(Type.Integer(), 'When it ends by itself, Unix time. null: with its owner.'),
  },
  { ...strict, title: 'LightingHolder', description: 'Somebody who wants a light to show something.' },
)

const { duration_ms, loop, tracks } = Animation.properties

const LightingPicture = Type.Object(
  { duration_ms, loop, tracks },
  { ...strict, title: 'LightingPicture', description: 'What is shown, as an animation.' },
)

const LightingGroupState = Type.Object(
  {
    group: GroupName,
    pixels: Type.Integer({ minimum: 1, maximum: 16 * MAX_PIXELS, description: 'How many.' }),
    holder: orNull(LightingHolder, 'Who has it. null: nobody wants anything, and it is dark.'),
    waiting: Type.Array(LightingHolder, {
      maxItems: 64,
      description: 'Who wants it too; who would be next comes first.',
    }),
    picture: orNull(LightingPicture, 'What its holder shows. null: it is dark.'),
    started_ms_ago: Type.Integer({ minimum: 0, description: 'How far the picture is on its time line, ms.' }),
    colours: Type.Array(Colour, {
      maxItems: 16 * MAX_PIXELS,
      description: oneLine`
        What each pixel shows at the moment of this answer, as on a screen, before gamma and the limit of duty; black
        while all is off. A lamp that is white shows white of the brightness of the colour.
      `,
    }),
  },
  { ...strict, title: 'LightingGroupState', description: 'A group of lights.' },
)

const LightingOutputState = Type.Object(
  {
    id: OutputId,
    is_there: Type.Boolean({ description: 'Whether it was found.' }),
    detail: orNull(Type.String(), 'What is wrong with it, or speaks against its use, in a sentence. null: nothing.'),
  },
  { ...strict, title: 'LightingOutputState', description: 'An output that is set up.' },
)

const LightingNotShown = Type.Object(
  {
    pointer: Type.String({ description: 'Where in the configuration, RFC 6901.' }),
    message: Type.String({ description: 'What is wrong there.' }),
  },
  { ...strict, title: 'LightingNotShown', description: 'Something that the configuration says and cannot be shown.' },
)

/** The answer. */
export const LightingState = Type.Object(
  {
    state: LightingStateName,
    celsius: orNull(Type.Number(), 'What the lights are put off by. null: the device does not tell.'),
    max_celsius: orNull(Type.Number(), 'From which on all is off. null: it does not matter.'),
    groups: Type.Array(LightingGroupState, { maxItems: 16, description: 'In the order of the configuration.' }),
    outputs: Type.Array(LightingOutputState, { maxItems: 16, description: 'In the order of the configuration.' }),
    not_shown: Type.Array(LightingNotShown, {
      maxItems: 8,
      description: 'What of `idle` and `signals` of the configuration cannot be shown; it is left out.',
    }),
  },
  { ...strict, title: 'LightingState', description: 'What the lights show, who has them, and why.' },
)
export type LightingState = Static<typeof LightingState>

/** What is known of the lights. Times in ms: monotonic; `unixMs` makes Unix time of them. */
export interface KnownOfLights {
  readonly state: LightingStateName
  readonly config: LightingConfig
  readonly library: ShowLibrary
  readonly claims: readonly Claim[]
  readonly celsius: number | null
  /** Outputs that were found, and what speaks against them. */
  readonly found: readonly (Parameters<typeof setupsOf>[1][number] & { readonly detail: string | null })[]
  /** Outputs that fail, with why. */
  readonly failing: ReadonlyMap<string, string>
  readonly now_ms: number
  readonly unixMs: (ms: number) => number
}

/** The document. */
export const lightingState = (known: KnownOfLights): LightingState => {
  const { state, config, library, claims, celsius, found, failing, now_ms } = known
  const white = new Set(setupsOf(config, found).flatMap(({ id, channels }) => (channels === 1 ? id : [])))
  return {
    state,
    celsius,
    max_celsius: config.max_celsius,
    groups: config.groups.map((each) => {
      const { holder, waiting } = standingOf(claims, each.name)
      const pixels = pixelsOf(each)
      const since = holder ? Math.max(0, Math.round(now_ms - holder.since_ms)) : 0
      const shown = state === 'lit' ? holder?.picture : undefined
      const frame = shown && frameOf(shown, { group: each.name, pixels }, since)
      const isWhite = each.parts.flatMap(({ output, count }) => Array<boolean>(count).fill(white.has(output)))
      return {
        group: each.name,
        pixels,
        holder: holder ? holderOf(holder, known) : null,
        waiting: waiting.map((claim) => holderOf(claim, known)),
        picture: holder ? pictureDocument(holder.picture) : null,
        started_ms_ago: since,
        colours: Array.from({ length: pixels }, (_, pixel) => hexOf(colourAt(frame, 3 * pixel, isWhite[pixel]))),
      }
    }),
    outputs: config.outputs.map(({ id }) => {
      const there = found.find((each) => each.id === id)
      return { id, is_there: there !== undefined, detail: failing.get(id) ?? there?.detail ?? null }
    }),
    not_shown: [...flawsOfShows(showsIn(config), library)],
  }
}

const holderOf = (claim: Claim, { unixMs }: KnownOfLights): Static<typeof LightingHolder> => ({
  owner: claim.owner,
  kind: claim.kind,
  priority: claim.priority,
  shows: claim.shows,
  why: claim.why,
  since_ms: unixMs(claim.since_ms),
  until_ms: claim.until_ms === null ? null : unixMs(claim.until_ms),
})

const pictureDocument = ({ duration_ms, loop, tracks }: Picture): Static<typeof LightingPicture> => ({
  duration_ms,
  loop,
  tracks: tracks.map((track) => ({ ...track, keyframes: [...track.keyframes] })),
})

/** A lamp that is white shows the brightest of the three. */
const colourAt = (frame: Float64Array | undefined, at: number, isWhite = false): readonly number[] => {
  const colour = [0, 1, 2].map((channel) => frame?.[at + channel] ?? 0)
  return isWhite ? colour.fill(Math.max(...colour)) : colour
}

const hexOf = (colour: readonly number[]): string =>
  `#${colour.map((value) => twoDigits(Math.round(255 * value))).join('')}`

const twoDigits = (value: number): string => value.toString(16).padStart(2, '0')

/** As the references show it. */
export const lightingStateExample: LightingState = {
  state: 'lit',
  celsius: 51.5,
  max_celsius: 80,
  groups: [
    {
      group: 'left',
      pixels: 1,
      holder: {
        owner: 'robot:front',
        kind: 'robot',
        priority: 50,
        shows: 'on',
        why: 'A robot program has set ledMode to 3: on.',
        since_ms: 1_767_225_600_000,
        until_ms: null,
      },
      waiting: [
        {
          owner: 'person',
          kind: 'person',
          priority: 40,
          shows: 'off',
          why: 'A command over HTTP.',
          since_ms: 1_767_225_590_000,
          until_ms: 1_767_226_190_000,
        },
      ],
      picture: {
        duration_ms: 1_000,
        loop: 'repeat',
        tracks: [
          {
            group: null,
            from: 0,
            count: null,
            spread: 0,
            keyframes: [{ at: 0, colour: '#ffffff', level: 1, easing: 'step' }],
          },
        ],
      },
      started_ms_ago: 1_250,
      colours: ['#ffffff'],
    },
  ],
  outputs: [{ id: 'led:left', is_there: true, detail: null }],
  not_shown: [],
}
