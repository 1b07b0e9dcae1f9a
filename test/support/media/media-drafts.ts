// Where recordings go in tests of what records: files in a folder, and what became of them.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../../machines/errors/fault.ts'
import { mediaExample } from '../../../machines/media/item.ts'
import type { MediaDraft, MediaFacts, MediaRequest, MediaStore } from '../../../native/media/port.ts'
import { Gate } from '../engine/gates.ts'
import { folderOf } from '../processes/folder.ts'

/**
 * A draft that was begun. facts: with which it was completed; null: it was abandoned; undefined: it is still being
 * written.
 */
export interface BegunDraft {
  readonly draft: MediaDraft
  readonly wish: MediaRequest
  readonly room: AbortController
  /** What was put beside it. */
  imuLines?: string
  facts?: MediaFacts | null
}

/**
 * A store that takes what it is given. refusal: why it takes nothing, for as long as it is set. begins, completes:
 * close one, and it waits there.
 */
export const mediaDrafts = (t: TestContext) => {
  const folder = folderOf(t)
  const begun: BegunDraft[] = []
  const world: { refusal?: Fault } = {}
  const [begins, completes] = [new Gate(), new Gate()]
  const media: Pick<MediaStore, 'begin'> = {
    begin: async (wish) => {
      await Effect.runPromise(begins.passed)
      if (world.refusal) return world.refusal
      const name = `${wish.name}-${begun.length + 1}.mp4`
      const room = new AbortController()
      const draft: MediaDraft = {
        name,
        path: join(folder, name),
        sidecarPath: join(folder, `${name}.jsonl`),
        noRoom: room.signal,
        appendImu: (lines) => {
          each.imuLines = (each.imuLines ?? '') + lines
          return true
        },
        complete: async (facts) => {
          await Effect.runPromise(completes.passed)
          each.facts = facts
          return { ...mediaExample, name }
        },
        abandon: async () => {
          each.facts = null
          rmSync(draft.path, { force: true })
        },
      }
      const each: BegunDraft = { draft, wish, room }
      begun.push(each)
      return draft
    },
  }
  return { media, begun, world, begins, completes }
}
