// The lights: how they are set up, what they show and who wants it, commands, animations and templates.
import { DIRECTORY } from '../../actors/directory.ts'
import { DELIVERED_LIGHTING, LIGHTING_VIEW, OUTPUT_LOOK } from '../../actors/lighting/tokens.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { Animation, AnimationInput, AnimationName, animationExample } from '../../machines/lighting/animation.ts'
import { flawsOfAnimation } from '../../machines/lighting/animation-flaws.ts'
import {
  inForce,
  LIGHTING_DOCUMENT,
  libraryIn,
  lightingAnimationCollection,
  lightingConfigCollection,
  lightingConfigIn,
} from '../../machines/lighting/collections.ts'
import { claimsOf, LightingCommand, PERSON } from '../../machines/lighting/command.ts'
import { flawsOf, type LightingConfig } from '../../machines/lighting/config.ts'
import { type ConfiguredShow, flawsOfShows, placesOf, showsIn } from '../../machines/lighting/configured-shows.ts'
import { lightingAnimationChanged, lightingChanged, lightingConfigChanged } from '../../machines/lighting/events.ts'
import { LightingState, lightingState, lightingStateExample } from '../../machines/lighting/state.ts'
import { Template } from '../../machines/lighting/template.ts'
import { TEMPLATES } from '../../machines/lighting/templates.ts'
import { filled } from '../../machines/schema/defaults.ts'
import type { SchemaError } from '../../machines/schema/explain.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { changeOrder, putOrder, Refused } from '../../machines/settings/commit.ts'
import { isSameJson } from '../../machines/settings/same-json.ts'
import { documentsOf } from '../../machines/settings/store.ts'
import type { Given } from '../../machines/token.ts'
import { monotonicMs } from '../../native/clock/port.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { fault } from '../problems/problem.ts'
import {
  animationsExample,
  configExample,
  Leds,
  LightingAnimations,
  LightingConfigChange,
  LightingConfigDocument,
  LightingTemplates,
  ledsExample,
} from './wire.ts'

const needs = { directory: DIRECTORY, view: LIGHTING_VIEW, look: OUTPUT_LOOK, delivered: DELIVERED_LIGHTING }
type Parts = Given<typeof needs>

export const lightingArea = areaOf(needs, (parts) =>
  area('lighting', 'Lights: what they show, who wants it, animations.', [
    read('GET', '/v1/peripherals/leds', {
      summary: 'The outputs that could light',
      about: oneLine`
        LEDs of the system, lines, PWM and strips that were found, and whether each is set up as a light. Found does not
        mean that a lamp hangs on it: what is not set up is never touched. Where nothing is, \`looked_for\` says where
        it was looked.
      `,
      answer: Leds,
      example: ledsExample,
      get: () => leds(parts),
      faults: ['lighting.failed'],
    }),

    read('GET', '/v1/device/lighting/config', {
      summary: 'How the lights are set up',
      answer: LightingConfigDocument,
      example: configExample,
      get: () => configDocument(parts),
    }),

    command('POST', '/v1/device/lighting/config', {
      summary: 'Set the lights up',
      about: oneLine`
        What is left out stays as it is; a list takes the place of the one before as a whole. The outputs are put off
        and taken again as they are then. It is refused as a whole when anything in it does not fit. Of what is shown,
        what stays as it was is no reason to refuse: the state says what cannot be shown.
      `,
      access: 'administer', // a line that something else hangs on can be harmed by being switched
      conditional: true,
      to: 'settings',
      publishes: [lightingConfigChanged],
      body: { schema: LightingConfigChange, example: { max_duty: 0.5, signals: configExample.config.signals } },
      send: ({ body, expected }) => {
        const change = (stored: Partial<LightingConfig>) => {
          const before = inForce(stored, parts.delivered)
          const next = { ...before, ...body }
          const flaws = flawsOfChange(parts, { ...parts.delivered, ...before }, { ...parts.delivered, ...next })
          return flaws.length === 0 ? next : new Refused(invalid('The lights cannot be set up like that', flaws))
        }
        return changeOrder(lightingConfigCollection, LIGHTING_DOCUMENT, change, expected)
      },
    }),

    command('POST', '/v1/device/lighting/config/reset', {
      summary: 'Set the lights up as they were delivered',
      about: 'Answers with how they are set up then. Saved animations stay.',
      access: 'administer', // a line that something else hangs on can be harmed by being switched
      conditional: true,
      to: 'settings',
      publishes: [lightingConfigChanged],
      send: ({ expected }) => changeOrder(lightingConfigCollection, LIGHTING_DOCUMENT, () => ({}), expected),
      answer: { schema: LightingConfigDocument, example: configExample, of: () => configDocument(parts) },
    }),

    read('GET', '/v1/device/lighting/state', {
      summary: 'What the lights show, and who wants it',
      about: oneLine`
        Of each group who has it and why, who waits for it, and what it shows: \`picture\` at \`started_ms_ago\`. Where
        nothing lights, the problem says what was looked for.
      `,
      answer: LightingState,
      example: lightingStateExample,
      get: () => stateDocument(parts),
      faults: ['lighting.none', 'lighting.failed', 'actor.unavailable'],
    }),

    command('POST', '/v1/device/lighting', {
      summary: 'Tell the lights what to show',
      about: oneLine`
        Who has the highest priority has a group: an order of heat above all, then, as priorities say, a robot by its
        \`ledMode\`, commands, what the device shows of itself, the idle state. A command lasts for \`ttl_ms\`, unless
        another takes its place: then the next one in order has the light again. The state says who has it; a command
        that waits is no error. It does not outlast the service.
      `,
      to: 'lighting',
      publishes: [lightingChanged],
      body: { schema: LightingCommand, example: { command: 'colour', colour: '#00ff80', level: 0.5, ttl_ms: 60_000 } },
      send: ({ body }) => {
        const { settings, clock } = parts.directory
        const { groups, blink } = lightingConfigIn(settings, parts.delivered).value
        const { group = null, ttl_ms } = body
        if (ttl_ms === 0 && (group === null || groups.some(({ name }) => name === group)))
          return { type: 'lighting.release', owner: PERSON, group, groups: groups.map(({ name }) => name) }
        const claims = claimsOf(body, {
          claims: parts.view.claims,
          groups,
          library: libraryIn(settings, blink),
          now_ms: monotonicMs(clock),
        })
        return 'pointer' in claims ? invalid('That cannot be shown', [claims]) : { type: 'lighting.claim', claims }
      },
      faults: ['lighting.none', 'lighting.failed'],
    }),

    read('GET', '/v1/device/lighting/animations', {
      summary: 'The saved animations',
      answer: LightingAnimations,
      example: animationsExample,
      get: () => ({
        animations: Object.values(documentsOf(parts.directory.settings, lightingAnimationCollection)).map(
          ({ revision, value }) => ({ revision, ...value }),
        ),
      }),
    }),

    command('POST', '/v1/device/lighting/animations', {
      summary: 'Save an animation',
      about: oneLine`
        Under its name; one that was saved under that name before is replaced. A light that shows it goes on with the
        one it began. What has a default may be left out. Where a revision is expected, one that is not there is not
        made. Not under the name of a template whose parameters the configuration says.
      `,
      conditional: true,
      to: 'settings',
      publishes: [lightingAnimationChanged],
      body: { schema: AnimationInput, example: { ...animationExample, duration_ms: 3_000 } },
      send: ({ body, expected }) => {
        const animation = filled(Animation, body) as Animation
        const flaws = flawsOfAnimation(animation)
        if (flaws.length > 0) return invalid('The animation cannot be played', flaws)
        const spoilt = spoiltBy(parts, animation)
        if (spoilt.length > 0) return inTheWay(animation.name, spoilt)
        return putOrder(lightingAnimationCollection, animation.name, animation, expected)
      },
      faults: ['lighting.animation_not_found', 'lighting.animation_in_use'],
    }),

    command('DELETE', '/v1/device/lighting/animations/:name', {
      summary: 'Delete a saved animation',
      about: 'Not while the configuration shows it. A light that was told to show it goes on.',
      conditional: true,
      to: 'settings',
      params: { name: { ...AnimationName, examples: [animationExample.name] } },
      publishes: [lightingAnimationChanged],
      send: ({ params: { name }, expected }) => {
        const change = () => {
          const places = placesOf(lightingConfigIn(parts.directory.settings, parts.delivered).value, name)
          return places.length === 0 ? undefined : new Refused(inUse(name, places))
        }
        return changeOrder(lightingAnimationCollection, name, change, expected)
      },
      faults: ['lighting.animation_not_found', 'lighting.animation_in_use'],
    }),

    read('GET', '/v1/device/lighting/templates', {
      summary: 'The built-in templates of animations',
      about: 'Each can be shown by its id, with values for its parameters.',
      answer: LightingTemplates,
      example: { templates: TEMPLATES.slice(0, 2) },
      get: () => ({ templates: TEMPLATES }),
    }),

    read('GET', '/v1/device/lighting/templates/:id', {
      summary: 'A built-in template of animations',
      params: { id: { ...AnimationName, examples: ['breathe'] } },
      answer: Template,
      example: TEMPLATES[0],
      get: ({ params: { id } }) =>
        TEMPLATES.find((each) => each.id === id) ??
        fault('template.not_found', `there is no template ${id}; GET /v1/device/lighting/templates lists them`),
      faults: ['template.not_found'],
    }),
  ]),
)

const invalid = (what: string, flaws: readonly SchemaError[]): Fault => ({
  ...fault('body.invalid', `${what}: ${flaws[0]?.pointer || 'it'} ${flaws[0]?.message}; nothing was changed`),
  errors: flaws.slice(0, 16),
})

/** Of the configuration as it would be; also that what it is to show from now on can be shown. */
const flawsOfChange = ({ directory }: Parts, now: LightingConfig, then: LightingConfig): readonly SchemaError[] => {
  const before = showsIn(now)
  const stays = ({ pointer, show }: ConfiguredShow) =>
    before.some((each) => each.pointer === pointer && isSameJson(each.show, show))
  const changed = showsIn(then).filter((each) => !stays(each))
  return [...flawsOf(then), ...flawsOfShows(changed, libraryIn(directory.settings, then.blink))]
}

/** What the configuration shows, and could not with that animation saved. */
const spoiltBy = ({ directory, delivered }: Parts, animation: Animation): readonly SchemaError[] => {
  const config = lightingConfigIn(directory.settings, delivered).value
  const { blink, find } = libraryIn(directory.settings, config.blink)
  const known = flawsOfShows(showsIn(config), { blink, find })
  const then = flawsOfShows(showsIn(config), {
    blink,
    find: (name) => (name === animation.name ? animation : find(name)),
  })
  return then.filter(({ pointer }) => !known.some((each) => each.pointer === pointer))
}

const inTheWay = (name: string, spoilt: readonly SchemaError[]): Fault =>
  fault(
    'lighting.animation_in_use',
    oneLine`
      the configuration shows the template ${name} with parameters (${spoilt.map(({ pointer }) => pointer).join(', ')}),
      which a saved animation of that name has not; save it under another name, or set up something else first
      (POST /v1/device/lighting/config)
    `,
  )

const inUse = (name: string, places: readonly string[]): Fault =>
  fault(
    'lighting.animation_in_use',
    oneLine`
      the configuration shows the animation ${name} (${places.join(', ')}); set up something else there first
      (POST /v1/device/lighting/config)
    `,
  )

const configDocument = ({ directory, delivered }: Parts) => {
  const { revision, value } = lightingConfigIn(directory.settings, delivered)
  return { revision, config: value }
}

const NOT_YET = fault('actor.unavailable', 'the lights are being looked for; try again in a second')

const leds = async ({ directory, view, delivered, look }: Parts) => {
  const found = await look.look()
  if (isFault(found)) return fault('lighting.failed', `It cannot be looked which outputs there are: ${found.detail}`)
  const { outputs } = lightingConfigIn(directory.settings, delivered).value
  return {
    is_present: found.outputs.length > 0,
    outputs: found.outputs.map(({ id, kind, name, channels, levels, detail }) => ({
      id,
      kind,
      name,
      channels,
      levels,
      is_used: outputs.some((each) => each.id === id),
      detail: view.failing.get(id) ?? detail,
    })),
    looked_for: found.looked_for,
  }
}

const stateDocument = ({ directory, view, delivered }: Parts): LightingState | Fault => {
  const { clock, settings } = directory
  const why = whyNot({ directory, view })
  if (why) return why
  const now_ms = monotonicMs(clock)
  const config = lightingConfigIn(settings, delivered).value
  return lightingState({
    state: view.state,
    config,
    library: libraryIn(settings, config.blink),
    claims: view.claims,
    celsius: view.celsius,
    found: view.found?.outputs ?? [],
    failing: view.failing,
    now_ms,
    unixMs: (ms) => Math.round(clock.nowMs() - now_ms + ms),
  })
}

/** Why there is nothing to be shown of the lights. */
const whyNot = ({ directory, view }: Pick<Parts, 'directory' | 'view'>): Fault | undefined => {
  const snapshot = directory.actor('lighting')?.getSnapshot()
  if (!snapshot) return fault('actor.unavailable', 'the lights are being restarted; try again in a second')
  const { nothing, fault: wrong } = snapshot.context
  if (snapshot.matches('absent')) return nothing ?? NOT_YET
  if (snapshot.matches('failed')) return wrong ?? NOT_YET
  const isComing = snapshot.matches('finding') || snapshot.matches({ lit: 'taking' })
  return isComing ? (wrong ?? nothing ?? (view.found ? undefined : NOT_YET)) : undefined
}
