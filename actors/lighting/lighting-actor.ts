// The lights with their effects: what is there is found and held, and what is wanted of them is played.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { type Claim, nextExpiry } from '../../machines/lighting/claims.ts'
import { libraryIn, lightingConfigIn } from '../../machines/lighting/collections.ts'
import type { LightingConfig } from '../../machines/lighting/config.ts'
import { flawsOfShows, showsIn } from '../../machines/lighting/configured-shows.ts'
import {
  type LightingActions,
  type LightingEffects,
  type LightingEvent,
  lightingMachine,
  type Search,
} from '../../machines/lighting/lighting-machine.ts'
import { searchOf } from '../../machines/lighting/search.ts'
import { setupsOf } from '../../machines/lighting/setups.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { monotonicMs } from '../../native/clock/port.ts'
import type { Lights, LitOutputs } from '../../native/lighting/port.ts'
import type { Directory } from '../directory.ts'
import { answerOrFail, fromEffect, fromScoped, type Talk, within } from '../run.ts'
import type { SystemMetricsSource } from '../system/tokens.ts'
import { type StartTimer, startTimer } from '../timer.ts'
import type { SignalParts } from './device-signals.ts'
import type { LightClaims } from './light-claims.ts'
import type { LightingView } from './lighting-view.ts'
import type { OutputLook } from './output-look.ts'
import { Player } from './player.ts'
import { SignalClaims } from './signal-claims.ts'

/** What it works with. */
export interface LightingParts extends SignalParts {
  readonly directory: SignalParts['directory'] & Pick<Directory, 'settings'>
  readonly lights: Pick<Lights, 'open'>
  readonly outputs: OutputLook
  readonly view: LightingView
  readonly claims: LightClaims
  readonly delivered: LightingConfig
  readonly metrics: Pick<SystemMetricsSource, 'latest' | 'need'>
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
  /** Told when something of the state is another. */
  readonly changed: () => void
  readonly later?: StartTimer
}

/** Below the limit by so much the lights come back: they would flicker otherwise. */
const COOLER_BY = 5

/** The lights. Whatever ends it, they are off. */
export const lightingActor = (parts: LightingParts) => {
  const { directory, lights, outputs, view, claims: lasting, delivered, later = startTimer } = parts
  const nowMs = () => monotonicMs(directory.clock)
  const config = () => lightingConfigIn(directory.settings, delivered).value
  let player: Player | undefined
  let claims: readonly Claim[] = []
  let setAlarm = () => {}
  let lookAgain = () => {}

  return lightingMachine.provide({
    actions: {
      applyClaims: (_, wanted) => {
        if (wanted === claims) return
        claims = wanted
        view.claims = wanted
        player?.set(claims, view.isCut)
        setAlarm()
        parts.changed()
      },
      applyCut: (_, isCut) => {
        if (view.isCut === isCut) return
        view.isCut = isCut
        player?.set(claims, isCut)
        if (isCut) parts.record({ code: 'lighting.too_hot', detail: tooHot(view.celsius, config()) })
        parts.changed()
      },
      reportState: (_, state) => {
        const wasAbsent = view.state === 'absent'
        view.state = state
        if (wasAbsent) lookAgain()
        parts.changed()
      },
      recordFault: (_, fault) => parts.record(fault),
    } satisfies Required<LightingActions>,
    actors: {
      findOutputs: fromEffect<Search>(() =>
        Effect.map(
          answerOrFail(() => outputs.lookNow()),
          (found) => {
            view.found = found
            return searchOf(config(), found)
          },
        ),
      ),
      holdOutputs: fromScoped<never, void, LightingEvent>((_, talk) =>
        Effect.gen(function* () {
          const present = config()
          const setups = setupsOf(present, view.found?.outputs ?? [])
          const ended = deferredFault()
          view.failing.clear()
          const output = talk.guard((id: string, detail: string | null) => noteOutput(parts, id, detail))
          const lit = yield* Effect.acquireRelease(
            answerOrFail(() => lights.open(setups, { ended: ended.fail, output })).pipe(within('10 seconds', TOO_SLOW)),
            (held: LitOutputs) => Effect.promise(held.close),
          )
          yield* Effect.acquireRelease(
            Effect.sync(() => {
              player = new Player(
                {
                  lit,
                  outputs: setups,
                  config: present,
                  nowUs: directory.clock.monotonicUs,
                  later: (delayMs, callback) => later(delayMs, talk.guard(callback)),
                },
                claims,
                view.isCut,
              )
              return player
            }),
            (made) =>
              Effect.sync(() => {
                made.stop()
                player = undefined
              }),
          )
          talk.send({ type: 'outputs.taken' })
          return yield* ended.wait
        }),
      ),
      watchDevice: fromScoped<never, void, LightingEvent>((_, talk) => watchDevice(talk)),
      watchHeat: fromScoped<never, void, LightingEvent>((_, { send, guard }) =>
        Effect.gen(function* () {
          const { max_celsius } = config() // with another one the outputs are taken again
          view.celsius = null
          if (max_celsius === null) return yield* Effect.never
          yield* parts.metrics.need
          let isHot = false
          const look = guard(() => {
            const celsius = parts.metrics.latest.value?.temperature.celsius ?? null
            view.celsius = celsius
            if (celsius === null) return
            const isTooHot = celsius >= max_celsius
            const isCool = celsius <= max_celsius - COOLER_BY
            if (isTooHot && !isHot) send({ type: 'heat.rose' })
            if (isCool && isHot) send({ type: 'heat.fell' })
            isHot = isTooHot || (isHot && !isCool)
          })
          look()
          yield* Effect.acquireRelease(
            Effect.sync(() => parts.metrics.latest.subscribe(look)),
            (stop) => Effect.sync(stop),
          )
          return yield* Effect.never
        }),
      ),
    } satisfies Required<LightingEffects>,
  })

  function watchDevice({ send, guard }: Talk<LightingEvent>) {
    const made = (claim: Claim) => send({ type: 'claim.made', claim })
    const ended = (owner: string) => send({ type: 'claim.ended', owner })
    const signals = new SignalClaims({ ...parts, config, made, ended })
    let before = config()
    let notShown: readonly string[] = []
    let stopLooking = () => {}
    let stopAlarm = () => {}

    const look = guard(() => {
      stopLooking()
      const next = signals.look()
      stopLooking = next === undefined || view.state === 'absent' ? () => {} : later(next, look)
    })
    lookAgain = look

    const lookAtShows = () => {
      const present = config()
      const flaws = flawsOfShows(showsIn(present), libraryIn(directory.settings, present.blink))
      const now = flaws.map(({ pointer, message }) => `${pointer} ${message}`)
      for (const each of now.filter((flaw) => !notShown.includes(flaw)))
        parts.record({ code: 'lighting.not_shown', resource: 'lighting', detail: notPossible(each) })
      notShown = now
    }

    const lookAtSettings = guard(() => {
      look()
      lookAtShows()
      const now = config()
      if (JSON.stringify(now) === JSON.stringify(before)) return
      const isOfOutputs = ofOutputs(now) !== ofOutputs(before)
      before = now
      lasting.all().forEach(made)
      if (isOfOutputs) send({ type: 'settings.changed' })
    })

    const ring = guard(() => {
      send({ type: 'time.passed', now_ms: nowMs() })
      setAlarm() // a timer may go off a fraction of a millisecond early
    })
    setAlarm = () => {
      stopAlarm()
      const next = nextExpiry(claims)
      stopAlarm = next === undefined ? () => {} : later(Math.max(0, Math.ceil(next - nowMs())), ring)
    }

    return Effect.gen(function* () {
      const stopListening = lasting.listen({ made: guard(made), ended: guard(ended) })
      const subscription = directory.settings.subscribe(lookAtSettings)
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          stopListening()
          subscription.unsubscribe()
          stopLooking()
          stopAlarm()
          setAlarm = () => {}
          lookAgain = () => {}
        }),
      )
      look()
      lookAtShows()
      setAlarm()
      return yield* Effect.never
    })
  }
}

const TOO_SLOW: Fault = { code: 'device.failed', detail: 'the outputs did not answer within 10 s' }

/** A fault that comes once, from outside. */
const deferredFault = () => {
  let resume: ((fault: Fault) => void) | undefined
  let early: Fault | undefined
  return {
    fail: (fault: Fault) => {
      early ??= fault
      resume?.(fault)
    },
    wait: Effect.callback<never, Fault>((done) => {
      resume = (fault) => done(Effect.fail(fault))
      if (early) resume(early)
    }),
  }
}

const noteOutput = ({ view, record, changed }: LightingParts, id: string, detail: string | null): void => {
  if (detail === null) view.failing.delete(id)
  else {
    view.failing.set(id, detail)
    record({
      code: 'lighting.output_failed',
      resource: `lighting/${id}`,
      detail: `${id}: ${detail}; the others go on.`,
    })
  }
  changed()
}

/** What of a configuration the outputs are held by, as JSON: they go off for a moment when it changes. */
const ofOutputs = ({ idle: _idle, signals: _signals, blink: _blink, ...rest }: LightingConfig): string =>
  JSON.stringify(rest)

const notPossible = (flaw: string): string =>
  `The lights do not show all that they are set up for: ${flaw}. Set that up otherwise, or save what is missing.`

const tooHot = (celsius: number | null, { max_celsius }: LightingConfig): string => oneLine`
  The device is at ${celsius} °C, and lights are to be off from ${max_celsius} °C on. They come back when it is
  ${COOLER_BY} °C cooler.
`
