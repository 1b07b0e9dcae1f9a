// Which picture of a stream is looked at: the camera's, or one that its pipeline makes.
import { element } from '/elements.js'

const CAMERA = ''

/** select: hidden while there is nothing to choose. onChosen: called when somebody has chosen. */
export const createChoice = (select, onChosen) => {
  let ports = []
  let offered = ''
  select.addEventListener('change', onChosen)

  const offer = () => {
    const looked = select.value
    const values = [CAMERA, ...ports, ...(looked === CAMERA || ports.includes(looked) ? [] : [looked])]
    select.hidden = values.length === 1
    if (JSON.stringify(values) === offered) return // one that is open stays open
    offered = JSON.stringify(values)
    select.replaceChildren(...values.map((value) => element('option', { value, textContent: value || 'Camera' })))
    select.value = looked
  }

  return {
    /** The output that is looked at; empty: the camera's picture. */
    output: () => select.value,

    /** What the pipeline of the stream gives now. What is looked at stays in the list: it may come again. */
    update: (outputs) => {
      ports = outputs.filter(({ kind }) => kind === 'image').map(({ port }) => port)
      offer()
    },

    /** There is nothing to look at any more: the camera, when the pipeline does not give the other one. */
    settle: () => {
      if (ports.includes(select.value)) return
      select.value = CAMERA
      offer()
    },
  }
}
