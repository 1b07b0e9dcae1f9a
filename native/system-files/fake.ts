// A system with no files, or with those that a test gives it.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { SystemFiles } from './port.ts'

export class FakeSystemFiles implements SystemFiles {
  /** By path. */
  readonly files = new Map<string, string>()
  /** Paths that lead elsewhere when all links are followed. */
  readonly links = new Map<string, string>()
  /** Why nothing is put or removed, while it is set. */
  fault: Fault | null = null

  readonly text = async (path: string) => this.files.get(path)?.trim() ?? null

  readonly names = async (path: string) => {
    const folder = `${path}/`
    const below = [...this.files.keys(), ...this.links.keys()].filter((each) => each.startsWith(folder))
    return [...new Set(below.map((each) => each.slice(folder.length).split('/')[0] as string))].sort()
  }

  readonly place = async (path: string) => {
    const isThere = this.files.has(path) || (await this.names(path)).length > 0
    return this.links.get(path) ?? (isThere ? path : null)
  }

  readonly write = (path: string, text: string) =>
    Effect.suspend(() => {
      if (!this.files.has(path))
        return Effect.fail({ code: 'device.failed', detail: `${path} did not take ${JSON.stringify(text)}` } as const)
      this.files.set(path, text)
      return Effect.void
    })

  /** A character of the text is a byte of what is put; of texts that a test gives, those of UTF-8. */
  readonly bytes = async (path: string) => {
    const text = this.files.get(path)
    if (text === undefined) return null
    return Buffer.from(text, /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf8')
  }

  readonly put = (path: string, bytes: Uint8Array) =>
    Effect.suspend(() => {
      if (this.fault) return Effect.fail(this.fault)
      this.files.set(path, Buffer.from(bytes).toString('latin1'))
      return Effect.void
    })

  readonly remove = (path: string) =>
    Effect.suspend(() => {
      if (this.fault) return Effect.fail(this.fault)
      this.files.delete(path)
      return Effect.void
    })
}
