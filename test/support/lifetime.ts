// For how long what tests share is there.
import { after } from 'node:test'

/** What ends with something: as a test's context does with a test. */
export interface Lifetime {
  readonly after: (end: () => unknown) => void
}

/**
 * That of all tests of a file, which asks for it where its tests are. What a test begins in passing ends with it, too.
 */
export const fileLifetime = (): Lifetime => {
  const ends: (() => unknown)[] = []
  after(async () => {
    for (const end of ends) await end()
  })
  return { after: (end) => void ends.push(end) }
}
