// What can be done to the setup of lights.
import type { Documents } from '../../api/documents.ts'
import { nameOf } from './lighting-words.ts'

type Config = Documents['LightingConfig']
type Led = Documents['Leds']['outputs'][number]
export type Output = Config['outputs'][number]
export type Group = Config['groups'][number]

const FIRST_STRIP = 8 // the smallest ones that are sold

/** A name for a group that no other has. */
const freeName = (groups: readonly Group[], wanted: string): string => {
  const taken = new Set(groups.map(({ name }) => name))
  if (!taken.has(wanted)) return wanted
  for (let number = 2; ; number += 1) if (!taken.has(`${wanted}${number}`)) return `${wanted}${number}`
}

/** With an output in use, as a group of its own. */
export const withOutput = ({ outputs, groups }: Config, { id, kind, name, channels }: Led): Partial<Config> => {
  const isStrip = kind === 'strip'
  const pixels = isStrip ? FIRST_STRIP : 1
  const output: Output = {
    id,
    pixels,
    channels: channels === null && isStrip ? 3 : null,
    order: isStrip ? 'GRB' : channels === 1 ? 'W' : 'RGB',
    active_low: false,
  }
  const group: Group = {
    name: freeName(groups, nameOf(name) || 'light'),
    parts: [{ output: id, from: 0, count: pixels, reversed: false }],
  }
  return { outputs: [...outputs, output], groups: [...groups, group] }
}

/** Without an output, and without what groups had of it. */
export const withoutOutput = ({ outputs, groups }: Config, id: string): Partial<Config> => ({
  outputs: outputs.filter((each) => each.id !== id),
  groups: groups
    .map((group) => ({ ...group, parts: group.parts.filter(({ output }) => output !== id) }))
    .filter(({ parts }) => parts.length > 0),
})

/** With another length of an output; a group that has it from end to end goes on doing so. */
export const withPixels = ({ outputs, groups }: Config, id: string, pixels: number): Partial<Config> => {
  const before = outputs.find((each) => each.id === id)?.pixels
  return {
    outputs: outputs.map((each) => (each.id === id ? { ...each, pixels } : each)),
    groups: groups.map((group) => ({
      ...group,
      parts: group.parts.map((part) =>
        part.output === id && part.from === 0 && part.count === before ? { ...part, count: pixels } : part,
      ),
    })),
  }
}

/** With one more group, of what no group has yet. */
export const withGroup = ({ outputs, groups }: Config): Partial<Config> => {
  const isFree = ({ id }: Output) => !groups.some(({ parts }) => parts.some(({ output }) => output === id))
  const output = outputs.find(isFree) ?? outputs[0]
  if (!output) return {}
  const group: Group = {
    name: freeName(groups, 'group'),
    parts: [{ output: output.id, from: 0, count: output.pixels, reversed: false }],
  }
  return { groups: [...groups, group] }
}

/** Which lamps of a group have no colours: those of outputs that are set up, or were found, with one channel. */
export const whiteLamps = (config: Config, found: readonly Led[], name: string): readonly boolean[] => {
  const channelsOf = (id: string) =>
    config.outputs.find((each) => each.id === id)?.channels ?? found.find((each) => each.id === id)?.channels
  const { parts = [] } = config.groups.find((each) => each.name === name) ?? {}
  return parts.flatMap(({ output, count }) => Array<boolean>(count).fill(channelsOf(output) === 1))
}
