// Tells everybody when a light has another holder or others wait for it, shows something else, or works no more.
import { standingOf } from '../../machines/lighting/claims.ts'
import { lightingConfigIn } from '../../machines/lighting/collections.ts'
import type { LightingConfig } from '../../machines/lighting/config.ts'
import { lightingChanged } from '../../machines/lighting/events.ts'
import type { LightingStateName } from '../../machines/lighting/state-name.ts'
import type { Directory } from '../directory.ts'
import { type StartTimer, startTimer } from '../timer.ts'
import type { LightingView } from './lighting-view.ts'

/** What it works with. */
export interface LightingNewsParts {
  readonly directory: Pick<Directory, 'events' | 'settings'>
  readonly view: LightingView
  readonly delivered: LightingConfig
  readonly later?: StartTimer
}

const MIN_PAUSE_MS = 250 // a robot may write another ledMode in each of its loops, fifty times a second

export class LightingNews {
  readonly #parts: LightingNewsParts
  #told = ''
  #toldState: LightingStateName | undefined
  #stopPause: (() => void) | undefined

  constructor(parts: LightingNewsParts) {
    this.#parts = parts
  }

  /** The lights may be other than they were. */
  look(): void {
    if (this.#stopPause) return
    const { directory, view, delivered, later = startTimer } = this.#parts
    const { groups } = lightingConfigIn(directory.settings, delivered).value
    const standings = groups.map(({ name }) => ({ group: name, ...standingOf(view.claims, name) }))
    const shown = standings.map(({ group, holder, waiting }) => [
      group,
      holder?.picture,
      ...[holder, ...waiting].map((claim) => [claim?.owner, claim?.shows, claim?.until_ms]),
    ])
    // another look that finds nothing is no news
    const state = view.state === 'finding' && this.#toldState === 'absent' ? 'absent' : view.state
    const now = JSON.stringify([shown, [...view.failing], state, view.found?.outputs])
    if (now === this.#told) return
    this.#told = now
    this.#toldState = state
    this.#stopPause = later(MIN_PAUSE_MS, () => {
      this.#stopPause = undefined
      this.look()
    })
    const data = { groups: standings.map(({ group, holder }) => ({ group, owner: holder?.kind ?? null })) }
    directory.events.publish(lightingChanged, { resource_ref: {}, data })
  }

  /** Nothing is told any more. */
  end(): void {
    this.#stopPause?.()
    this.#stopPause = undefined
  }
}
