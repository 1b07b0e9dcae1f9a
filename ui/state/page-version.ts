// Whether the page that is open is still the one that the device serves. A service of another version brings a page of
// its own, and what this one has not loaded yet went with the previous service.
import { createStore } from '@xstate/store'
import { onFailedDial, onReset } from '../api/feed.ts'

/** Whether the device serves another page by now. */
export const pageVersion = createStore({
  context: { isPrevious: false },
  on: { replaced: () => ({ isPrevious: true }) },
})

const SCRIPT = /<script type="module" src="([^"]+)"/

/** The name of its script has a sum of all that the page is made of. undefined: nobody answers, or not with a page. */
const readServedScript = async (): Promise<string | undefined> => {
  try {
    const answer = await fetch('/', { cache: 'no-cache' })
    return answer.ok ? SCRIPT.exec(await answer.text())?.[1] : undefined
  } catch {
    return undefined
  }
}

/** Asks the device whether it serves another page by now. */
export const isPagePrevious = async (): Promise<boolean> => {
  const own = document.querySelector('script[type=module]')?.getAttribute('src')
  const served = await readServedScript()
  if (served !== undefined && served !== own) pageVersion.trigger.replaced()
  return pageVersion.getSnapshot().context.isPrevious
}

let isFirst = true

// The feed begins again from nothing where the service was started again, perhaps as another one; and one of another
// version may refuse it as this page asks for it.
onReset(() => {
  if (!isFirst) void isPagePrevious()
  isFirst = false
})
onFailedDial(() => void isPagePrevious())
