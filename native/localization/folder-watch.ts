// Tells when something may have changed in a folder, so that nobody has to look for it all the time.
import { type FSWatcher, watch } from 'node:fs'
import { basename } from 'node:path'

/** A file that is copied comes in pieces: it is looked at when none has come for so long. */
const QUIET_MS = 150

/** How late one that comes is noticed. */
const ARM_EVERY_MS = 5_000

/** A folder that is watched while it is there, and waited for while it is not. It does not keep the process running. */
export class FolderWatch {
  readonly #folder: string
  readonly #changed: () => void
  #watcher: FSWatcher | undefined
  #timer: NodeJS.Timeout | undefined
  #waiting: NodeJS.Timeout | undefined

  constructor(folder: string, changed: () => void) {
    this.#folder = folder
    this.#changed = changed
    this.arm()
  }

  /** Begins, where the folder has come since; called by itself now and then. */
  arm(): void {
    if (this.#watcher) return
    try {
      this.#watcher = watch(this.#folder, { persistent: false }, (type, name) => {
        if (type === 'rename' && name === basename(this.#folder)) this.#disarm() // it is gone itself
        this.#wait()
      })
      this.#watcher.on('error', () => this.#disarm())
      if (this.#waiting) this.#wait() // it has come, with what is in it
      clearInterval(this.#waiting)
      this.#waiting = undefined
    } catch {
      // it is not there, or there are too many watches: whoever asks looks by himself
      this.#waiting ??= setInterval(() => this.arm(), ARM_EVERY_MS).unref()
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#watcher?.close()
    clearInterval(this.#waiting)
  }

  #disarm(): void {
    this.#watcher?.close()
    this.#watcher = undefined
    this.arm() // it may be another one already
  }

  #wait(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#changed, QUIET_MS).unref()
  }
}
