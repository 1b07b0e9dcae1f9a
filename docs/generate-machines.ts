// Draws docs/machines.md from the machines themselves: one diagram each, with what runs in which state.

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { machines } from '../machines/all.ts'
import { oneLine } from '../machines/schema/one-line.ts'

/** A machine to be described; about: what it owns, in a sentence or two. */
export interface DescribedMachine {
  readonly name: string
  readonly machine: AnyStateMachine
  readonly about: string
}

/** The page, in Markdown with Mermaid diagrams. */
export const machinesPage = (described: readonly DescribedMachine[]): string => {
  const parts = [
    '# State machines',
    'Drawn from `machines/` by `npm run docs`; change the machine, not this page.',
    oneLine`
      An arrow says what leads on: an event \`[guard]\`, an effect that is \`done\` or \`failed\`, or a delay. A guard
      \`[else]\` holds when those above it do not.
    `,
    ...described.flatMap(({ name, machine, about }) => [`## ${name}`, about, diagramOf(machine), tableOf(machine)]),
  ]
  return `${parts.join('\n\n')}\n`
}

/** All machines of the service, described by the opening comment of their files. */
export const describedMachines = (): readonly DescribedMachine[] =>
  Object.entries(machines).map(([name, machine]) => ({
    name,
    machine,
    about: openingComment(globSync(`../machines/**/${name}-machine.ts`, { cwd: import.meta.dirname })[0] as string),
  }))

const openingComment = (path: string): string => {
  const lines = readFileSync(join(import.meta.dirname, path), 'utf8').split('\n')
  const end = lines.findIndex((line) => !line.startsWith('//'))
  return lines
    .slice(0, end)
    .map((line) => line.slice(2).trim())
    .join(' ')
}

const diagramOf = (machine: AnyStateMachine): string =>
  ['```mermaid', 'stateDiagram-v2', ...linesOf(machine.root, '  '), '```'].join('\n')

/** A state's children, the arrows between them, and those that leave all of them at once. */
const linesOf = (parent: AnyStateNode, indent: string): readonly string[] => {
  const lines: string[] = []
  for (const child of childrenOf(parent)) {
    lines.push(`${indent}state "${child.key}" as ${aliasOf(child)}`)
    if (childrenOf(child).length > 0)
      lines.push(`${indent}state ${aliasOf(child)} {`, ...linesOf(child, `${indent}  `), `${indent}}`)
  }
  const first = parent.initial?.target[0]
  if (first) lines.push(`${indent}[*] --> ${aliasOf(first)}`)
  for (const child of childrenOf(parent)) {
    for (const { label, target } of arrowsOf(child))
      if (!isInside(target, child)) lines.push(`${indent}${aliasOf(child)} --> ${aliasOf(target)}: ${label}`)
    if (child.type === 'final') lines.push(`${indent}${aliasOf(child)} --> [*]`)
  }
  const inward = arrowsOf(parent).filter(({ target }) => isInside(target, parent))
  if (inward.length > 0) lines.push(`${indent}state "(any)" as ${aliasOf(parent)}_any`)
  for (const { label, target } of inward) lines.push(`${indent}${aliasOf(parent)}_any --> ${aliasOf(target)}: ${label}`)
  return lines
}

const tableOf = (machine: AnyStateMachine): string => {
  const rows = allBelow(machine.root).map((node) => {
    const runs = node.invoke.map(({ id }) => `\`${id}\``).join(', ')
    const stays = transitionsOf(node)
      .filter(({ transition }) => !transition.target?.length)
      .map(({ label }) => `\`${label}\``)
      .join(', ')
    return `| ${node.path.join('.') || '(any)'} | ${runs} | ${stays} |`
  })
  return ['| state | runs | takes and stays |', '| --- | --- | --- |', ...rows].join('\n')
}

const childrenOf = (node: AnyStateNode): readonly AnyStateNode[] => Object.values(node.states)

const allBelow = (node: AnyStateNode): readonly AnyStateNode[] => [node, ...childrenOf(node).flatMap(allBelow)]

const isInside = (node: AnyStateNode, outer: AnyStateNode): boolean =>
  node !== outer && outer.path.every((key, index) => node.path[index] === key)

/** Mermaid's names take no hyphens or dots. */
const aliasOf = (node: AnyStateNode): string => node.path.join('__').replace(/[^A-Za-z0-9_]/g, '_') || 'machine'

/**
 * Where a state leads. A state with states inside that leads to itself leads to the first of them: Mermaid draws no
 * loops around a box.
 */
const arrowsOf = (node: AnyStateNode): readonly { readonly label: string; readonly target: AnyStateNode }[] =>
  transitionsOf(node).flatMap(({ label, transition }) =>
    (transition.target ?? []).map((target) => ({
      label,
      target: (target === node && node.initial?.target[0]) || target,
    })),
  )

const transitionsOf = (
  node: AnyStateNode,
): readonly { readonly label: string; readonly transition: AnyTransitionDefinition }[] => {
  const groups: [string, readonly AnyTransitionDefinition[]][] = [...node.transitions].map(([type, group]) => [
    nameOf(type, node),
    group,
  ])
  if (node.always) groups.push(['at once', node.always])
  return groups.flatMap(([name, group]) =>
    group.map((transition, index) => ({ transition, label: name + guardOf(transition, index) })),
  )
}

const nameOf = (type: string, node: AnyStateNode): string => {
  if (type.startsWith('xstate.after.')) {
    const delay = type.slice('xstate.after.'.length, -(node.id.length + 1))
    return `after ${/^\d+$/.test(delay) ? `${delay} ms` : delay}`
  }
  return type
    .replace(/^xstate\.done\.actor\.(.*)$/, '$1 done')
    .replace(/^xstate\.error\.actor\.(.*)$/, '$1 failed')
    .replace(/^xstate\.done\.state\..*$/, 'finished')
}

const guardOf = ({ guard }: AnyTransitionDefinition, index: number): string => {
  if (!guard) return index === 0 ? '' : ' [else]'
  const name =
    typeof guard === 'string' ? guard : typeof guard === 'object' ? (guard as { type: string }).type : 'a condition'
  return ` [${name}]`
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, 'machines.md'), machinesPage(describedMachines()))
