// What this browser is to do otherwise: kept in it, and unknown to the device.
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'

/** How the page looks: as the system says, or always light or dark. */
export const LOOKS = ['system', 'light', 'dark'] as const
export type Look = (typeof LOOKS)[number]

/** All of them. */
export interface Preferences {
  readonly look: Look
  /** Whether as little as possible is to go over the network: smaller and fewer pictures. */
  readonly isBandwidthSmall: boolean
}

const KEY = 'vedette.preferences'
const USUAL: Preferences = { look: 'system', isBandwidthSmall: false }

/** A browser may refuse to keep anything, or keep what somebody else has written there. */
const readKept = (): Preferences => {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>
    const look = LOOKS.find((each) => each === kept.look) ?? USUAL.look
    return { look, isBandwidthSmall: kept.isBandwidthSmall === true }
  } catch {
    return USUAL
  }
}

const keep = (preferences: Preferences): void => {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences))
  } catch {
    // it holds until the page is left
  }
}

const show = ({ look }: Preferences): void => {
  document.documentElement.style.colorScheme = look === 'system' ? '' : look
}

const store = createStore({
  context: readKept(),
  on: { changed: (now, { change }: { change: Partial<Preferences> }) => ({ ...now, ...change }) },
})
show(store.getSnapshot().context)
store.subscribe(({ context }) => {
  show(context)
  keep(context)
})

/** Changes some; in force at once. */
export const setPreferences = (change: Partial<Preferences>): void => store.trigger.changed({ change })

/** One of them, as it is now. */
export const preference = <Name extends keyof Preferences>(name: Name): Preferences[Name] =>
  store.getSnapshot().context[name]

/** One of them; the component is drawn again when it changes. */
export const usePreference = <Name extends keyof Preferences>(name: Name): Preferences[Name] =>
  useSelector(store, ({ context }) => context[name])
