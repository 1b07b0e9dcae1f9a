// Which pipeline a stream runs: that of the stream alone, or the stored one of a slot.
import { element, say } from '/elements.js'

const OWN = 'own'

/**
 * select: hidden while the stream has no slots. place: where a refusal is said. order: has the stream run another one;
 * returns what the service says when it refuses.
 */
export const createSlots = (select, place, order) => {
  let offered = ''
  let runs = OWN
  select.addEventListener('change', async () => {
    select.disabled = true
    const refusal = await order({ slot: select.value === OWN ? null : Number(select.value) })
    select.disabled = false
    say(place, refusal)
    if (refusal) select.value = runs
    else runs = select.value
  })

  return {
    /** What the stream is to run. */
    update: ({ slots = [], active_slot }) => {
      select.hidden = slots.length === 0
      const entries = [
        [OWN, 'Pipeline of its own'],
        ...slots.map(({ slot, graph_id }) => [String(slot), `Slot ${slot}: ${graph_id}`]),
      ]
      const now = JSON.stringify([entries, active_slot])
      if (now === offered || select.disabled) return // one that is open stays open
      offered = now
      runs = String(active_slot ?? OWN)
      select.replaceChildren(...entries.map(([value, textContent]) => element('option', { value, textContent })))
      select.value = runs
    },
  }
}
