// Where that is kept which takes minutes to download or to make, and is the same for every checkout.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const cacheRoot = (): string => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'vedette')

/**
 * A folder that is filled once for what it is made of, and is there whole or not at all. fill: gets the folder as it is
 * called until it is whole.
 */
export const cachedFolder = (name: string, madeOf: unknown, fill: (folder: string) => void): string => {
  const sum = createHash('sha256').update(JSON.stringify(madeOf)).digest('hex').slice(0, 16)
  const folder = join(cacheRoot(), `${name}-${sum}`)
  if (existsSync(folder)) return folder
  const part = `${folder}.part.${process.pid}`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true })
  try {
    fill(part)
    if (!existsSync(folder)) renameSync(part, folder)
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
  return folder
}
