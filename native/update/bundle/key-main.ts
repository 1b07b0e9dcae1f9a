// `npm run update-key -- --out KEY.pem`: makes a key that signs releases, and puts its public half into the file that
// says to devices whose releases they take.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { writeFileWhole } from '../../files/atomic.ts'
import { parseUpdateKeys } from './key-files.ts'
import { CannotBundle, makeSigningKey, parseSigningKey, readSigningKey, updateKeyOf } from './sign.ts'

const USAGE = 'npm run update-key -- --out KEY.pem [--keys update-keys.json] [--not-after 2027-12-31]'
const ONLY_OWNER = 0o600

const read = () => {
  const options = {
    out: { type: 'string' },
    keys: { type: 'string', default: 'update-keys.json' },
    'not-after': { type: 'string' },
  } as const
  try {
    return parseArgs({ options }).values
  } catch (error) {
    throw new CannotBundle(`${(error as Error).message}\n${USAGE}`)
  }
}

const run = (): void => {
  const values = read()
  if (values.out === undefined) throw new CannotBundle(USAGE)
  const from = (path: string) => resolve(process.env.INIT_CWD ?? '.', path) // npm has gone to the checkout
  const notAfterMs = values['not-after'] === undefined ? null : endOf(values['not-after'])
  const [out, keysPath] = [from(values.out), from(values.keys)]
  const known = existsSync(keysPath) ? parseUpdateKeys(readFileSync(keysPath, 'utf8'), keysPath) : { keys: [] }
  const isNew = !existsSync(out)
  const key = isNew ? newKey(out) : readSigningKey(out)
  const entry = updateKeyOf(key, notAfterMs)
  const keys = [...known.keys.filter(({ id }) => id !== entry.id), entry]
  writeFileWhole(keysPath, `${JSON.stringify({ keys }, null, 2)}\n`)
  console.log(
    oneLine`
      ${isNew ? 'Made' : 'Read'} the key ${key.id} (${out}): who has this file can sign releases, so that it is kept
      secret, and a copy of it somewhere safe. ${keysPath} has its public half; a device that has that file as
      /etc/vedette/update-keys.json takes what the key signs${until(values['not-after'])}.
    `,
  )
}

const until = (day: string | undefined): string => (day === undefined ? '' : `, until the end of ${day}`)

const newKey = (path: string) => {
  const pem = makeSigningKey()
  writeFileSync(path, pem, { mode: ONLY_OWNER, flag: 'wx' })
  return parseSigningKey(pem, path)
}

/** The last millisecond of a day, UTC. */
const endOf = (day: string): number => {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T23:59:59.999Z`) : Number.NaN
  if (Number.isNaN(ms)) throw new CannotBundle(`--not-after is a day as 2027-12-31, not ${day}`)
  return ms
}

try {
  run()
} catch (error) {
  if (!(error instanceof CannotBundle) && (error as NodeJS.ErrnoException).syscall === undefined) throw error
  console.error((error as Error).message)
  process.exitCode = 1
}
