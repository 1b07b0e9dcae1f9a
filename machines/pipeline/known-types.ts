// The types of nodes that are known here at the moment: ours, and those of the plugins that are enabled.
import { Listeners } from '../listeners.ts'
import type { NodeTypes } from './node-type.ts'
import { nodeTypes } from './registry.ts'

/** By who brought them: there may be several services in a process. */
const brought = new Map<object, NodeTypes>()
let known: NodeTypes = nodeTypes
const changed = new Listeners<void>()

/** Another object whenever one has come or gone. */
export const knownTypes = (): NodeTypes => known

/** Calls back when types have come, gone or changed; returns the way to stop that. */
export const onTypesChanged = (listener: () => void): (() => void) => changed.add(listener)

/** Types that plugins bring; none of ours is replaced by one. */
export class BroughtTypes {
  set(types: NodeTypes): void {
    if (Object.keys(types).length === 0 && !brought.has(this)) return
    brought.set(this, types)
    this.#tell()
  }

  /** They are gone. */
  end(): void {
    if (brought.delete(this)) this.#tell()
  }

  #tell(): void {
    known = Object.assign({}, ...brought.values(), nodeTypes)
    changed.notify()
  }
}
