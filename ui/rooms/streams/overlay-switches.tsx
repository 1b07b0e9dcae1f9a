// What is drawn over the pictures of a page, and the switches of it.
import { useSearchParams } from 'wouter'

/** Switches of what is drawn over a picture. */
const OVERLAYS = [
  { key: 'tags', name: 'Tags' },
  { key: 'axes', name: 'Axes' },
  { key: 'crosshair', name: 'Crosshair' },
] as const

/** What is drawn over a picture. */
export type OverlaySwitches = Readonly<Record<(typeof OVERLAYS)[number]['key'], boolean>>

/** Kept in the address, as what is hidden: so a link shows the same. */
export const useOverlay = () => {
  const [query, setQuery] = useSearchParams()
  const hidden = (query.get('hide') ?? '').split(',')
  const overlay = Object.fromEntries(OVERLAYS.map(({ key }) => [key, !hidden.includes(key)])) as OverlaySwitches
  const change = (key: keyof OverlaySwitches, isShown: boolean) =>
    setQuery(
      (before) => {
        const now = OVERLAYS.map((each) => each.key).filter((each) => (each === key ? !isShown : !overlay[each]))
        if (now.length > 0) before.set('hide', now.join(','))
        else before.delete('hide')
        return before
      },
      { replace: true },
    )
  const switches = OVERLAYS.map(({ key, name }) => (
    <label key={key} className="streams-switch">
      <input type="checkbox" checked={overlay[key]} onChange={({ target }) => change(key, target.checked)} />
      {name}
    </label>
  ))
  return { overlay, switches }
}
