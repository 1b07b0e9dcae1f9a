// What was made once and takes long, kept until something of what it was made from is otherwise: a measurement that was
// ended goes on where it was.
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { deserialize, serialize } from 'node:v8'

const FOLDER = resolve('.vedette/bench-localization')

/** from: all that decides what is made, as text or bytes. What is made are plain values and typed arrays. */
export const kept = async <Made>(from: readonly (string | Uint8Array)[], make: () => Promise<Made>): Promise<Made> => {
  const hash = createHash('sha256')
  for (const part of from) hash.update(createHash('sha256').update(part).digest())
  const path = join(FOLDER, hash.digest('hex'))
  const bytes = await readFile(path).catch(() => undefined)
  if (bytes) return deserialize(bytes) as Made
  const made = await make()
  await mkdir(FOLDER, { recursive: true })
  await writeFile(`${path}.new`, serialize(made))
  await rename(`${path}.new`, path)
  return made
}
