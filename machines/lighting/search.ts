// What a search for outputs means for a configuration, in words.
import type { LightingConfig } from './config.ts'
import type { Search } from './lighting-machine.ts'

/** What was found. */
interface Found {
  readonly outputs: readonly { readonly id: string }[]
  readonly looked_for: readonly string[]
}

const MAX_NAMED = 8 // of fifty lines of a GPIO chip nobody reads all

/** Whether anything that is set up is there, and what to tell people when not. */
export const searchOf = ({ outputs }: Pick<LightingConfig, 'outputs'>, found: Found): Search => {
  const isAnyThere = outputs.some(({ id }) => found.outputs.some((each) => each.id === id))
  return { isAnyThere, detail: isAnyThere ? '' : [nothingLights(outputs, found), ...lookedFor(found)].join(' ') }
}

const nothingLights = (outputs: LightingConfig['outputs'], found: Found): string => {
  if (outputs.length > 0) return `Nothing lights: ${listed(outputs)} ${outputs.length > 1 ? 'are' : 'is'} not there.`
  if (found.outputs.length === 0) return 'Nothing lights: this device has no output that could.'
  return [
    `Nothing lights: of the outputs of this device (${listed(found.outputs)}) none is set up.`,
    'Choose those that are lamps with POST /v1/device/lighting/config.',
  ].join(' ')
}

const lookedFor = ({ looked_for }: Found): readonly string[] =>
  looked_for.length > 0 ? [`Looked for: ${looked_for.join('; ')}.`] : []

const listed = (outputs: readonly { readonly id: string }[]): string => {
  const names = outputs.slice(0, MAX_NAMED).map(({ id }) => id)
  return outputs.length > MAX_NAMED ? `${names.join(', ')} and ${outputs.length - MAX_NAMED} more` : names.join(', ')
}
