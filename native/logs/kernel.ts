// What the kernel says: from the journal where there is one, which knows earlier starts of the device too, else from
// the kernel's own buffer.
import * as Effect from 'effect/Effect'
import type { LogSource } from './port.ts'

/** buffer: asked where the journal has nothing, and for the places that it has told. */
export const kernelLog = (journal: LogSource, buffer: LogSource): LogSource => {
  const isJournal = async () => (await journal.look()) === null
  return {
    look: async () => ((await isJournal()) ? null : buffer.look()),
    walk: (walk, told) =>
      Effect.flatMap(
        Effect.promise(async () => !walk.place.cursor?.startsWith('kmsg:') && (await isJournal())),
        (fromJournal) => (fromJournal ? journal : buffer).walk(walk, told),
      ),
    follow: (listener) => {
      let isStopped = false
      let stop = () => {}
      void isJournal().then((fromJournal) => {
        if (!isStopped) stop = (fromJournal ? journal : buffer).follow(listener)
      })
      return () => {
        isStopped = true
        stop()
      }
    },
  }
}
