// A system with no files, or with those that a test gives it.
import * as Effect from 'effect/Effect'
import type { SystemFiles } from './port.ts'

export class FakeSystemFiles implements SystemFiles {
  /** By path. */
  readonly files = new Map<string, string>()
  /** Paths that lead elsewhere when all links are followed. */
  readonly links = new Map<string, string>()

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
}
