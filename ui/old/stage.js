// A place where one thing at a time is looked at, until somebody closes it.
import { element } from '/elements.js'

/** place: hidden while nothing is looked at. */
export const createStage = (place) => {
  let shown

  const close = () => {
    place.replaceChildren()
    place.hidden = true
    shown = undefined
  }

  return {
    close,

    /** What is looked at, by the key with which it was shown; undefined: nothing. */
    shown: () => shown,

    /** Shows something in the place of what was there. */
    show: (key, picture) => {
      shown = key
      const shut = element('button', { type: 'button', className: 'quiet', textContent: 'Close' })
      shut.addEventListener('click', close)
      place.replaceChildren(picture, shut)
      place.hidden = false
      place.scrollIntoView({ block: 'nearest' })
    },
  }
}
