// How the newest round comes to this page.
import { api, ask } from '../api/client.ts'
import { onEvent, onReset } from '../api/feed.ts'
import type { Solve } from './localization-wire.ts'

/** Rounds that come for as long as this is open. */
export interface SolveLine {
  readonly close: () => void
}

const EVERY_MS = 250
const NEWS = new Set(['localization_state_changed', 'localization_config_changed', 'field_maps_changed'])
const MOVING = new Set(['tracking', 'coasting'])

/** hear: gets each round that is read. While nothing is solved it is read again only when something changes. */
export const openSolveLine = (hear: (solve: Solve) => void): SolveLine => {
  let isClosed = false
  let isReading = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const read = async () => {
    clearTimeout(timer)
    if (isReading) return
    isReading = true
    const answer = await ask(api.GET('/v1/localization/solve' as never) as never)
    isReading = false
    if (isClosed || !answer.ok) return
    const solve = answer.value as Solve
    hear(solve)
    if (MOVING.has(solve.state)) timer = setTimeout(() => void read(), EVERY_MS)
  }
  void read()
  const stops = [
    onReset(() => void read()),
    onEvent(({ kind, resource_ref }) => {
      if (resource_ref.peer_id === undefined && NEWS.has(kind)) void read()
    }),
  ]
  return {
    close: () => {
      isClosed = true
      clearTimeout(timer)
      for (const stop of stops) stop()
    },
  }
}
