// `npm run bundle -- --release DIR --key KEY.pem --out FILE`: makes the signed file of a release that devices take.

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packBundle } from './pack.ts'
import { CannotBundle, readSigningKey } from './sign.ts'

const USAGE = 'npm run bundle -- --release DIR --key KEY.pem [--key OTHER.pem] --out FILE.vedette [--level 19]'
const MAX_LEVEL = 19 // those above would take more memory than devices give

const read = () => {
  const options = {
    release: { type: 'string' },
    key: { type: 'string', multiple: true },
    out: { type: 'string' },
    level: { type: 'string', default: String(MAX_LEVEL) },
  } as const
  try {
    return parseArgs({ options }).values
  } catch (error) {
    throw new CannotBundle(`${(error as Error).message}\n${USAGE}`)
  }
}

const run = async (): Promise<void> => {
  const { release, key, out, level } = read()
  if (release === undefined || key === undefined || out === undefined) throw new CannotBundle(USAGE)
  if (!/^\d+$/.test(level) || Number(level) < 1 || Number(level) > MAX_LEVEL)
    throw new CannotBundle(`--level is from 1 to ${MAX_LEVEL}, not ${level}`)
  const from = (path: string) => resolve(process.env.INIT_CWD ?? '.', path) // npm has gone to the checkout
  const keys = key.map((each) => readSigningKey(from(each)))
  const { version, hardware } = await packBundle(from(release), keys, from(out), { level: Number(level) })
  const { size } = statSync(from(out))
  console.log(
    `${from(out)}: version ${version} for ${hardware.join(', ')}, ${(size / 1e6).toFixed(1)} MB, signed by ` +
      `${keys.map(({ id }) => id).join(', ')}`,
  )
}

run().catch((error: unknown) => {
  if (!(error instanceof CannotBundle) && (error as NodeJS.ErrnoException).syscall === undefined) throw error
  console.error((error as Error).message)
  process.exitCode = 1
})
