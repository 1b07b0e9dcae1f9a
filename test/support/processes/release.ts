// A release of this checkout, made as `npm run package` makes it, and moved to a folder that nobody knows.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Lifetime } from '../lifetime.ts'
import { Daemon, type Flags } from './daemon.ts'
import { folderOf } from './folder.ts'

const ROOT = join(import.meta.dirname, '../../..')
const FLAGS: Flags = { http: '127.0.0.1:0', nt4: 'off', demo: '0', log: 'json:info' }

/** Makes one of a checkout. out: where to; its folder is the answer. */
export const makeRelease = (out: string, checkout = ROOT): string => {
  execFileSync(process.execPath, ['native/package/main.ts', '--out', out, '--deb', 'none'], {
    cwd: checkout,
    env: { ...process.env, SOURCE_DATE_EPOCH: '1600000000' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return join(out, 'release')
}

/** Starts it as a device does: no Node on the path, nothing of this environment. */
export const startRelease = async (t: Lifetime, release: string, flags: Flags = {}): Promise<Daemon> => {
  const command = [join(release, 'bin/node'), '--max-semi-space-size=1', join(release, '.bundle/main.mjs')]
  const scratch = folderOf(t)
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', TMPDIR: scratch }
  const daemon = new Daemon({ 'data-dir': join(scratch, 'data'), ...FLAGS, ...flags }, command, env)
  t.after(() => daemon.end('SIGKILL'))
  await daemon.ready()
  return daemon
}

/** The service as `npm start` starts it. */
export const startCheckout = async (t: Lifetime, flags: Flags = {}): Promise<Daemon> => {
  const scratch = folderOf(t)
  const env = { PATH: process.env.PATH ?? '', TMPDIR: scratch, HOME: scratch }
  const daemon = new Daemon(
    { 'data-dir': join(scratch, 'data'), ...FLAGS, ...flags },
    ['npm', '--prefix', ROOT, '--silent', 'start', '--'],
    env,
  )
  t.after(() => daemon.end('SIGKILL'))
  await daemon.ready()
  return daemon
}
