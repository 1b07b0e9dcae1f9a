// `npm run bundle -- --release DIR --key KEY.pem --out FILE`: makes the signed file of a release that devices take.
// `npm run bundle -- --system FILE.raucb --key KEY.pem --out FILE`: of a whole system, for devices with RAUC.

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packBundle } from './pack.ts'
import { MINIMUM_VERSION } from './release-folder.ts'
import { CannotBundle, readSigningKey } from './sign.ts'
import { writeSystemRelease } from './system-release.ts'

const USAGE = `npm run bundle -- --release DIR --key KEY.pem [--key OTHER.pem] --out FILE.vedette [--level 19]
npm run bundle -- --system FILE.raucb --key KEY.pem --out FILE.vedette [--hardware linux-arm64]
  [--minimum-version 0.1.0] [--level 1]`
const MAX_LEVEL = 19 // those above would take more memory than devices give
const SYSTEM_LEVEL = 1 // it is packed already

const read = () => {
  const options = {
    release: { type: 'string' },
    system: { type: 'string' },
    hardware: { type: 'string', multiple: true },
    'minimum-version': { type: 'string' },
    key: { type: 'string', multiple: true },
    out: { type: 'string' },
    level: { type: 'string' },
  } as const
  try {
    return parseArgs({ options }).values
  } catch (error) {
    throw new CannotBundle(`${(error as Error).message}\n${USAGE}`)
  }
}

const from = (path: string) => resolve(process.env.INIT_CWD ?? '.', path) // npm has gone to the checkout

/** The folder of what is packed. Beside the bundle, where there is room for it, as long as `use` takes. */
const withRelease = async <Value>(use: (folder: string, level: number) => Promise<Value>): Promise<Value> => {
  const { release, system, out, ...said } = read()
  const { hardware = [`linux-${process.arch}`], 'minimum-version': minimumVersion = MINIMUM_VERSION } = said
  if (release !== undefined && system === undefined) return use(from(release), MAX_LEVEL)
  if (system === undefined || release !== undefined || out === undefined) throw new CannotBundle(USAGE)
  const folder = mkdtempSync(join(dirname(from(out)), '.system-'))
  try {
    writeSystemRelease(join(folder, 'release'), from(system), { hardware, minimumVersion })
    return await use(join(folder, 'release'), SYSTEM_LEVEL)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const run = async (): Promise<void> => {
  const { key, out, level } = read()
  if (key === undefined || out === undefined) throw new CannotBundle(USAGE)
  if (level !== undefined && (!/^\d+$/.test(level) || Number(level) < 1 || Number(level) > MAX_LEVEL))
    throw new CannotBundle(`--level is from 1 to ${MAX_LEVEL}, not ${level}`)
  const keys = key.map((each) => readSigningKey(from(each)))
  const { version, hardware } = await withRelease((folder, usual) =>
    packBundle(folder, keys, from(out), { level: Number(level ?? usual) }),
  )
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
