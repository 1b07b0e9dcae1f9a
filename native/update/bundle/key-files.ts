// The files that say whose bundles a device takes.
import { readFile } from 'node:fs/promises'
import { firstError, schemaErrors } from '../../../machines/schema/errors.ts'
import { type UpdateKey, UpdateKeys, unitedKeys } from '../../../machines/update/keys.ts'
import { CannotBundle, keyId } from './sign.ts'

/** Reads the text of such a file. path: for people. Throws CannotBundle when it is none. */
export const parseUpdateKeys = (text: string, path: string): UpdateKeys => {
  const found = parseJson(text)
  const errors = schemaErrors(UpdateKeys, found)
  if (errors.length > 0) throw new CannotBundle(`${path} cannot be used: ${firstError(errors, 'its content')}`)
  const keys = found as UpdateKeys
  const wrong = keys.keys.find(({ id, public_key }) => keyId(Buffer.from(public_key, 'base64url')) !== id)
  if (wrong) throw new CannotBundle(`${path} cannot be used: the public_key of ${wrong.id} is that of another key`)
  return keys
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The keys of all files that are there; of a key that stands in several the first one counts. Throws CannotBundle when
 * one cannot be read: a device would take what its team has forbidden, or nothing, without a word.
 */
export const readUpdateKeys = async (paths: readonly string[]): Promise<readonly UpdateKey[]> => {
  const texts = await Promise.all(paths.map(textOf))
  return unitedKeys(...texts.map((text, n) => parseUpdateKeys(text, paths[n] ?? '')))
}

const NO_KEYS = '{"keys": []}'

const textOf = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NO_KEYS
    throw new CannotBundle(`${path} cannot be read: ${(error as Error).message}`)
  }
}
