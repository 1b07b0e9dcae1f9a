// A file of the data folder in which stands how the device was switched off.
import { readFile } from 'node:fs/promises'
import { readRunRecord } from '../../machines/system/release.ts'
import { writeFileWholeSoon } from '../files/atomic.ts'
import type { RunRecordPort } from './port.ts'

/** One that is broken counts as none. */
export const fileRunRecord = (path: string): RunRecordPort => ({
  read: async () => {
    try {
      return readRunRecord(JSON.parse(await readFile(path, 'utf8')))
    } catch {
      return null
    }
  },
  write: (record) => writeFileWholeSoon(path, `${JSON.stringify(record)}\n`),
})
