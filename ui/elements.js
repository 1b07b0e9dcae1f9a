// Pieces of the page that several of its parts are made of.

export const element = (tag, properties) => Object.assign(document.createElement(tag), properties)

/** Shows a text, or nothing where there is none to show. */
export const say = (place, text) => {
  place.textContent = text
  place.hidden = text === ''
}

/** Where the service's answer to a button stands. */
export const answerPlace = () => element('p', { className: 'fault', role: 'alert', hidden: true })

/** Has a button do its work, out of reach meanwhile, and says what came of it. work: returns a text, an empty one where there is nothing to say. */
export const onPress = (button, place, work) =>
  button.addEventListener('click', async () => {
    button.disabled = true
    const text = await work()
    button.disabled = false
    say(place, text)
  })
