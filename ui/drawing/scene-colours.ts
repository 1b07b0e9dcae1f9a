// The colours of the look, for drawings that are not made of elements: as they are in force, light or dark.

const NAMES = {
  ground: '--sunken',
  line: '--line',
  edge: '--edge',
  ink: '--ink',
  quiet: '--quiet',
  surface: '--surface',
  good: '--good',
  peer: '--peer',
  blue: '--blue-wall',
  red: '--red-wall',
} as const

/** The colours that drawings take, as `rgb(...)`. */
export type Colours = Readonly<Record<keyof typeof NAMES, string>>

/** Reads them. place: an element of the page. */
export const readColours = (place: Element): Colours => {
  const probe = document.createElement('span')
  probe.hidden = true
  place.append(probe)
  const read = Object.entries(NAMES).map(([name, token]) => {
    probe.style.color = `var(${token})`
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(read) as Colours
}

/** Called whenever they may be others: the system or a setting has changed. Returns what ends that. */
export const onColours = (listener: () => void): (() => void) => {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const settings = new MutationObserver(listener)
  settings.observe(document.documentElement, { attributes: true })
  system.addEventListener('change', listener)
  return () => {
    settings.disconnect()
    system.removeEventListener('change', listener)
  }
}
