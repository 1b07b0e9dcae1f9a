// What is noted of how a run ended, for the start that follows: two small files in the system folder. They are worth a
// sentence, and not synced.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `RESULT CODE STATUS`, as systemd calls them, and as the launcher does where it watches. */
export const LAST_EXIT = 'last-exit'
/** What the run itself said. */
export const LAST_WORDS = 'last-words'

/** Says why this run ends: the next start tells it where this version is given up for it. */
export const sayLastWords = (system: string | undefined, sentence: string): void => {
  if (system === undefined) return
  try {
    writeFileSync(join(system, LAST_WORDS), sentence)
  } catch {
    // it is told without a reason then
  }
}
