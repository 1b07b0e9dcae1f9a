// The file that says which version runs: `state.json` in the system folder.
import { join } from 'node:path'
import { type FoundSlots, type SlotState, slotStateIn } from '../../machines/update/slots.ts'
import type { Disk } from './disk.ts'

const FILE = 'state.json'

/** What the file says. */
export const readSlotFile = async (disk: Disk, system: string): Promise<FoundSlots['state']> => {
  const text = await disk.read(join(system, FILE))
  if (text === undefined) return 'missing'
  return slotStateIn(text.toString('utf8')) ?? 'unreadable'
}

/** Writes it; on the disk when it succeeds, and what stood there before when it does not. */
export const writeSlotFile = async (disk: Disk, system: string, state: SlotState): Promise<void> => {
  const path = join(system, FILE)
  const beside = `${path}.part`
  await disk.remove(beside)
  await disk.write(beside, Buffer.from(`${JSON.stringify(state, null, 2)}\n`))
  await disk.sync(beside)
  await disk.rename(beside, path)
  await disk.sync(system)
}
