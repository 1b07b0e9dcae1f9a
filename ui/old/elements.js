// Pieces of the page that several of its parts are made of.

export const element = (tag, properties) => Object.assign(document.createElement(tag), properties)

/** Shows a text, or nothing where there is none to show. */
export const say = (place, text) => {
  place.textContent = text
  place.hidden = text === ''
}

/** Where the service's answer to a button stands. */
export const answerPlace = () => element('p', { className: 'fault', role: 'alert', hidden: true })

/**
 * A list that is hidden while it is empty, and says why when the service cannot tell what is in it. entry: makes a row
 * of an item. update: takes what `ask` of service.js brought; what brought nothing leaves the list as it is.
 */
export const createList = (root, entry) => {
  const [list, fault] = [root.querySelector('ul'), root.querySelector('.fault')]
  let shown = ''
  const update = ({ body, problem = '' }) => {
    if (!body && !problem) return
    const items = body?.items ?? []
    root.hidden = items.length === 0 && !problem
    const now = JSON.stringify([items, problem])
    if (now === shown) return // a button that is being pressed stays where it is
    shown = now
    say(fault, problem)
    list.replaceChildren(...items.map(entry))
  }
  return { update }
}

/**
 * Has a button do its work, out of reach meanwhile, and says what came of it. work: returns a text, an empty one where
 * there is nothing to say.
 */
export const onPress = (button, place, work) =>
  button.addEventListener('click', async () => {
    button.disabled = true
    const text = await work()
    button.disabled = false
    say(place, text)
  })
