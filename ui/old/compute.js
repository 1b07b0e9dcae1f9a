// Where the pictures of a stream of another device are worked on: there alone, or here as well.
import { element, say } from '/elements.js'

const PLACES = { proxy: 'is worked on there', local_attach: 'is worked on here too' }

/**
 * A choice that shows it and lets it be changed. place: where a refusal is said. order: has it worked on elsewhere;
 * returns what the service says when it refuses.
 */
export const computeChoice = ({ alias, compute }, place, order) => {
  const select = element('select', { className: 'compute', ariaLabel: `Where ${alias} is worked on` })
  const options = Object.entries(PLACES).map(([value, where]) =>
    element('option', { value, textContent: `${alias} ${where}` }),
  )
  select.append(...options)
  select.value = compute
  select.addEventListener('change', async () => {
    select.disabled = true
    const refusal = await order(select.value)
    select.disabled = false
    say(place, refusal)
    if (refusal) select.value = compute
  })
  return select
}
