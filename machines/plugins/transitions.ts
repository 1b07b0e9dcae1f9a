// What the orders to plugins make of what is stored of them. Each has at most two writes: the first says what is being
// done, so that a start that finds it goes on with it; the second what came of it.
import type { Fault } from '../errors/fault.ts'
import { oneLine } from '../schema/one-line.ts'
import { type Expected, staleFault } from '../settings/commit.ts'
import type { StoredValue } from '../settings/store.ts'
import type { PluginManifest } from './manifest.ts'
import type { Permission } from './permission.ts'
import { noPlugin, type PluginStateName, type StoredPlugin, storedFault } from './stored-plugin.ts'

/** A package that lies unpacked on the disk. */
export interface UnpackedPackage {
  readonly manifest: PluginManifest
  /** The name of its folder. */
  readonly release: string
}

/** What can be ordered of plugins. Expected: the revision that it is based on. */
export type PluginChange =
  /** grant: of what its manifest asks for; none said: what the version before was granted. */
  | (Expected & {
      readonly type: 'plugin.install'
      /** The name of the upload. */
      readonly upload: string
      readonly grant?: readonly Permission[]
      readonly enable: boolean
    })
  | (Expected & { readonly type: 'plugin.enable'; readonly name: string; readonly grant?: readonly Permission[] })
  | (Expected & { readonly type: 'plugin.disable'; readonly name: string })
  | (Expected & { readonly type: 'plugin.remove'; readonly name: string })
  /** Its program was given up. */
  | { readonly type: 'plugin.give_up'; readonly name: string; readonly fault: Fault }
  /** The service was stopped before that was done. */
  | { readonly type: 'plugin.resume'; readonly name: string }

/**
 * What follows the first write. up: it comes up. gone: nothing of it runs any more. removed: the same, and then its
 * files and its data are removed. done: nothing.
 */
export type NextStep = 'up' | 'gone' | 'removed' | 'done'

/** The first write. stored undefined: nothing is to be written. */
export interface FirstWrite {
  readonly name: string
  readonly stored: StoredPlugin | undefined
  readonly next: NextStep
}

/** What a change is decided by. */
export interface ChangedPlugin {
  /** Of that name; undefined: there is none. */
  readonly stored: StoredPlugin | undefined
  /** Of the release that is stored; undefined: it is not on the disk. */
  readonly manifest: PluginManifest | undefined
}

/** Why an order that is based on a revision is not carried out; undefined: it may be. found: what is stored. */
export const staleOrder = (
  name: string,
  order: PluginChange,
  found: Pick<StoredValue<StoredPlugin>, 'revision'> | undefined,
): Fault | undefined => {
  if (!('expected_revisions' in order)) return undefined
  return found ? staleFault(`plugins/${name}`, found.revision, order) : noPlugin(name)
}

/** The first write of an order to a plugin that is installed, or why it is refused. */
export const firstWrite = (
  order: Exclude<PluginChange, { readonly type: 'plugin.install' }>,
  { stored, manifest }: ChangedPlugin,
): FirstWrite | Fault => {
  const { name } = order
  const unchanged = (next: NextStep): FirstWrite => ({ name, stored: undefined, next })
  if (order.type === 'plugin.resume') return unchanged(stored ? RESUMED[stored.state] : 'done')
  if (order.type === 'plugin.give_up' && stored?.state !== 'enabled') return unchanged('done')
  if (!stored || (stored.state === 'removing' && order.type !== 'plugin.remove')) return noPlugin(name)
  const resting = { ...stored, previous: null, fault: null }
  switch (order.type) {
    case 'plugin.enable':
      return enabled(name, { stored, manifest }, order.grant)
    case 'plugin.disable':
      return { name, stored: { ...resting, state: 'disabled' }, next: 'gone' }
    case 'plugin.remove':
      return { name, stored: { ...resting, state: 'removing' }, next: 'removed' }
    case 'plugin.give_up':
      return { name, stored: { ...resting, state: 'disabled', fault: storedFault(order.fault) }, next: 'gone' }
  }
}

/** How it is gone on with what a start finds. */
const RESUMED: Readonly<Record<PluginStateName, NextStep>> = {
  disabled: 'done',
  starting: 'up',
  enabled: 'done',
  removing: 'removed',
}

const enabled = (
  name: string,
  { stored, manifest }: ChangedPlugin & { readonly stored: StoredPlugin },
  grant: readonly Permission[] | undefined,
): FirstWrite | Fault => {
  if (!manifest) return missingFiles(name, stored)
  const granted = grant ?? stored.granted
  const refused = notAsked(manifest, granted)
  if (refused) return refused
  if (stored.state === 'enabled' && isSameSet(granted, stored.granted)) return { name, stored: undefined, next: 'done' }
  return { name, stored: { ...stored, granted: [...granted], state: 'starting', fault: null }, next: 'up' }
}

/** The first write of an installation, or why it is refused. */
export const firstWriteOfInstall = (
  { manifest, release }: UnpackedPackage,
  { grant, enable }: { readonly grant?: readonly Permission[] | undefined; readonly enable: boolean },
  stored: StoredPlugin | undefined,
): FirstWrite | Fault => {
  const before = stored?.state === 'removing' ? undefined : stored
  const { name, version } = manifest
  const asked: readonly Permission[] = manifest.permissions
  const granted = grant ?? before?.granted.filter((each) => asked.includes(each)) ?? []
  const refused = notAsked(manifest, granted)
  if (refused) return refused
  const previous = before && before.release !== release && enable ? previousOf(before) : null
  return {
    name,
    stored: { version, release, granted: [...granted], state: enable ? 'starting' : 'disabled', previous, fault: null },
    next: enable ? 'up' : before ? 'gone' : 'done',
  }
}

const previousOf = (before: StoredPlugin): StoredPlugin['previous'] => {
  const { version, release, granted } = before
  return { version, release, granted, was_enabled: isToRun(before) }
}

/** The second write: it came up, or why it did not. */
export const secondWrite = (stored: StoredPlugin, fault: Fault | null): StoredPlugin => {
  if (!fault) return { ...stored, state: 'enabled', previous: null, fault: null }
  const { previous, version } = stored
  if (!previous) return { ...stored, state: 'disabled', fault: storedFault(fault) }
  const { was_enabled, ...release } = previous
  return {
    ...release,
    state: was_enabled ? 'enabled' : 'disabled',
    previous: null,
    fault: storedFault(goneBack({ version, previous: previous.version }, fault)),
  }
}

/** An upgrade that came to nothing, as its orderer is told. */
export const goneBack = (
  { version, previous }: { readonly version: string; readonly previous: string },
  { code, detail }: Fault,
): Fault => ({
  code,
  detail: oneLine`
    version ${version} did not come up, so that version ${previous} is installed again: ${detail}
  `,
})

/** The releases of a plugin that are kept on the disk. */
export const keptReleases = ({ release, previous }: StoredPlugin): readonly string[] =>
  previous ? [release, previous.release] : [release]

/** Whether it is among those that are to run. */
export const isToRun = ({ state }: StoredPlugin): boolean => state === 'starting' || state === 'enabled'

export const missingFiles = (name: string, { version }: Pick<StoredPlugin, 'version'>): Fault => ({
  code: 'plugin.missing',
  resource: `plugins/${name}`,
  detail: oneLine`
    the files of version ${version} of the plugin ${name} are not on the disk, as after settings were copied from
    another device; install it again, or remove it
  `,
})

const notAsked = ({ name, permissions }: PluginManifest, granted: readonly Permission[]): Fault | undefined => {
  const asked: readonly Permission[] = permissions
  const other = granted.find((each) => !asked.includes(each))
  if (other === undefined) return undefined
  return {
    code: 'plugin.not_asked',
    detail: oneLine`
      ${name} does not ask for ${other}, so that it cannot be granted; it asks for ${asked.join(', ') || 'nothing'}
    `,
  }
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each) => b.includes(each))
