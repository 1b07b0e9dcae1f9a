// Versions side by side, on a disk that loses its power between any two steps of install, activate, start, trial,
// commit and going back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seeded } from '../../support/engine/random-graphs.ts'
import { cutPower } from '../../support/update/power-cuts.ts'

const CUTS = 1_000

test('after a power cut the old version or the new one runs, whole, with its settings, and says why', async () => {
  const { wentBack } = await cutPower(seeded(35), CUTS)

  assert.ok(wentBack > 20, `${wentBack} times it was gone back`)
})

/** What each sync is for: without it, a cut leaves what must not be. By its path, and what is found wrong. */
const NEEDED: Readonly<Record<string, readonly [path: RegExp, found: RegExp]>> = {
  'what the state file holds': [/^\/system\/state\.json\.part$/, /runs, and not one of/],
  'that the state file is in its place': [/^\/system$/, /runs, and not one of/],
  'what the files of a version hold': [/^\/system\/versions\/.*\.part\/.*(node|main\.mjs|page\.js)$/, /is whole/],
  'what the manifest of a version holds': [/^\/system\/.*\.part\/release\.json$/, /runs, and not one of/],
  'which files a version has': [/^\/system\/versions\/.*\.part\/(bin|\.bundle)$/, /runs, and not one of/],
  'which folders a version has': [/^\/system\/versions\/[^/]*\.part$/, /runs, and not one of/],
  'which folders those have': [/^\/system\/versions\/.*\.part\/ui(\/build)?$/, /is whole/],
  'that a version is in its place': [/^\/system\/versions$/, /runs, and not one of/],
  'what the copy of the settings holds': [/^\/data\/settings\/[^/]*\.part\/vedette\.db$/, /the settings of/],
  'that the copy has that file': [/^\/data\/settings\/[^/]*\.part$/, /the settings of/],
}

for (const [what, [path, found]] of Object.entries(NEEDED))
  test(`${what} is synced: a cut without that is seen to do harm`, async () => {
    await assert.rejects(
      cutPower(seeded(35), 10 * CUTS, (synced) => path.test(synced)),
      (error: Error) => error instanceof assert.AssertionError && found.test(error.message),
    )
  })
