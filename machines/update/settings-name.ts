// Where the settings of a version lie, below `settings` in the data folder. Where whole systems are updated, both run
// the version of their package, over one data folder: there each slot has its own.
import { PACKAGED } from './release.ts'

/** Those of slots begin so; the name that the boot loader has for the slot stands behind it. */
export const OF_SLOT = `${PACKAGED}-`

/** The name of the folder. slot: of the system that runs, as the boot loader names it; null: there are none. */
export const settingsName = (version: string, slot: string | null): string =>
  version === PACKAGED && slot !== null ? `${OF_SLOT}${slot}` : version

/** The slot that the kernel was started from, by its command line; null: it does not say. */
export const slotIn = (commandLine: string): string | null =>
  /(?:^|\s)rauc\.slot=([\w.-]{1,64})(?:\s|$)/.exec(commandLine)?.[1] ?? null
