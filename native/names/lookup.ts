// Looks up host names for connections that are tried again and again.
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'

type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void
export type Lookup = (host: string, options: LookupOptions, found: Found) => void

/**
 * A lookup that asks the system once at a time for each name: who asks meanwhile gets the same answer.
 *
 * The system takes 5 s to find that a `.local` name is not there, cannot be told to stop, and works on few names at
 * once: with an attempt each second the questions would pile up.
 */
export const sharedLookup = (ask: Lookup): Lookup => {
  const pending = new Map<string, Found[]>()
  return (host, options, found) => {
    const key = JSON.stringify([host, options.all, options.family, options.hints])
    const waiting = pending.get(key)
    if (waiting) {
      waiting.push(found)
      return
    }
    const asking = [found]
    pending.set(key, asking)
    ask(host, options, (...answer) => {
      pending.delete(key)
      for (const each of asking) each(...answer)
    })
  }
}

/** The system's own, shared by all sessions. */
export const systemLookup: Lookup = sharedLookup(lookup as Lookup)
