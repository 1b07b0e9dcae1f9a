// What was installed with RAUC: `rauc.json` in the system folder, which both systems share.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EMPTY_RECORD, type RaucRecord, raucRecordIn } from '../../../machines/update/rauc-slots.ts'
import { writeFileWholeSoon } from '../../files/atomic.ts'

const FILE = 'rauc.json'

/** What the file says; nothing was installed when it is missing, or is none: RAUC and the boot loader know the rest. */
export const readRecord = async (system: string): Promise<RaucRecord> => {
  const text = await readFile(join(system, FILE), 'utf8').catch(() => '')
  return raucRecordIn(text) ?? EMPTY_RECORD
}

/** Writes it; on the disk when it succeeds. */
export const writeRecord = (system: string, record: RaucRecord): Promise<void> =>
  writeFileWholeSoon(join(system, FILE), `${JSON.stringify(record, null, 2)}\n`)
