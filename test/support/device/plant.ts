// Recorded trees of /sys, /proc and /etc, written as text (test/support/device/trees/), planted as files in a folder.
//
//   # a remark: where the form was taken from
//   /sys/class/hwmon/hwmon0/name: cpu_thermal
//   /sys/class/hwmon/hwmon0/device -> ../../../devices/virtual/thermal/thermal_zone0
//   /etc/os-release:
//     ID=debian                    (each line of the text, moved in by two spaces)
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { dataFolder } from '../processes/documents.ts'

const LINK = /^(\/.*) -> (.*)$/
const FILE = /^(\/[^ ]*?):(?: (.*))?$/ // a path may have colons: the one before a space or the end counts

/** One path of a tree: a file with its text, or a link. */
export type Planted = readonly [path: string, what: { readonly text: string } | { readonly link: string }]

/** Reads a tree's text. Throws at a line that is none. */
export const readTree = (text: string): readonly Planted[] => {
  const found: [string, { text: string } | { link: string }][] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const [, from, to] = LINK.exec(line) ?? []
    const [, path, value] = FILE.exec(line) ?? []
    const last = found.at(-1)?.[1]
    if (line.startsWith('  ') && last && 'text' in last) last.text += `${line.slice(2)}\n`
    else if (from !== undefined && to !== undefined) found.push([from, { link: to }])
    else if (path !== undefined) found.push([path, { text: value === undefined ? '' : `${value}\n` }])
    else throw new Error(`this is no line of a tree: ${line}`)
  }
  return found
}

/** The devices of which there are trees. */
export const TREES = ['raspberry-pi-4', 'raspberry-pi-5', 'orange-pi-5', 'mini-pc'] as const
export type TreeName = (typeof TREES)[number]

/** The paths of a device that stand in its files `<part>.tree`. */
export const treeOf = (name: TreeName, ...parts: readonly string[]): readonly Planted[] =>
  parts.flatMap((part) => readTree(readFileSync(new URL(`trees/${name}/${part}.tree`, import.meta.url), 'utf8')))

/** Plants paths below a folder, which is the root of that system; gone with the test. */
export const plant = (t: TestContext, paths: readonly Planted[]): string => {
  const root = dataFolder(t)
  for (const [path, what] of paths) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    if ('link' in what) symlinkSync(what.link, join(root, path))
    else writeFileSync(join(root, path), what.text)
  }
  return root
}
