// Programs of plugins on a device in an emulated machine, with the unit of the package: the kernel gives them no more
// of the processor and of the memory than they may have. `npm run test:system`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Confinement } from '../../machines/plugins/process/confinement.ts'
import { SKIP_DEVICE, startDevice } from '../support/guest/device.ts'
import { packageOf } from '../support/plugins/packages.ts'

const PLUGINS = '/v1/plugins'
const GROUP = '/sys/fs/cgroup/system.slice/vedette.service'
const CPU_PERCENT = 20
const SPAN_S = 20
const MIB = 1024 ** 2

/** Computes as much as it gets, and takes memory when somebody says so. */
const GREEDY = `
import { plugin } from 'vedette-plugin'
plugin.start({
  onRequest: () => {
    const kept = []
    for (;;) kept.push(Buffer.alloc(8 * 1024 ** 2, 1))
  },
})
const burn = () => {
  for (const end = performance.now() + 20; performance.now() < end;);
  setImmediate(burn)
}
burn()
`

test('a program of a plugin has its share of a real device, and no more', { skip: SKIP_DEVICE }, async (t) => {
  const { guest, ask, askUntil } = await startDevice(t)
  const zip = await packageOf(
    {
      name: 'greedy',
      program: { runtime: 'node', path: 'main.mjs' },
      limits: { cpu_percent: CPU_PERCENT, memory_mb: 128 },
      provides: { routes: true },
    },
    { 'main.mjs': GREEDY },
  )
  const uploaded = await ask({ method: 'POST', path: `${PLUGINS}/upload`, zip: Uint8Array.from(zip) })
  assert.equal(uploaded.status, 201, JSON.stringify(uploaded.body))
  const installed = await ask({ method: 'POST', path: `${PLUGINS}/install`, body: { upload: uploaded.body.upload } })
  assert.equal(installed.status, 200, JSON.stringify(installed.body))
  const { body } = await askUntil(
    { path: PLUGINS },
    (answer) => answer.body.items?.[0]?.run?.confinement?.length > 0 && answer.body.items[0].state === 'enabled',
  )
  const ofGroup = (file: string) => guest.output(`cat ${GROUP}/program-*/${file}`)

  await t.test('all that confines it holds', async (step) => {
    const held: readonly Confinement[] = body.items[0].run.confinement
    step.diagnostic(held.map(({ means, holds, why }) => `${means}: ${holds} (${why})`).join('; '))
    assert.deepEqual(
      held.filter(({ holds }) => !holds),
      [],
    )
    assert.equal((await ofGroup('memory.max')).trim(), String(128 * MIB))
  })

  await t.test('it computes as much of the processor as it may', async (step) => {
    const usedUs = async () => Number((await ofGroup('cpu.stat')).match(/^usage_usec (\d+)/m)?.[1])
    const upS = async () => Number((await guest.output('cat /proc/uptime')).split(' ')[0])
    const [before, beforeS] = [await usedUs(), await upS()]
    await guest.output(`sleep ${SPAN_S}`)
    const share = (100 * ((await usedUs()) - before)) / 1e6 / ((await upS()) - beforeS)

    step.diagnostic(`${share.toFixed(1)} % of a core`)
    assert.ok(share > CPU_PERCENT / 2 && share < CPU_PERCENT * 1.1, `${share} %`)
  })

  await t.test('one that takes too much memory is ended, with the reason, and nobody else', async () => {
    const before = (await guest.output('systemctl show --property=MainPID --value vedette')).trim()
    const eaten = await ask({ path: `${PLUGINS}/greedy/api/eat` })
    assert.ok(eaten.status >= 500, JSON.stringify(eaten.body))

    const { body: after } = await askUntil({ path: PLUGINS }, (answer) =>
      /memory/.test(JSON.stringify(answer.body.items?.[0]?.run?.fault ?? answer.body.items?.[0]?.fault ?? '')),
    )
    assert.match(JSON.stringify(after.items[0]), /it took more memory than the 128 MB of its limit/)
    assert.equal((await guest.output('systemctl show --property=MainPID --value vedette')).trim(), before)
  })

  await t.test('a removed one leaves no group behind, and the service can be restarted as before', async () => {
    await ask({ method: 'DELETE', path: `${PLUGINS}/greedy` })
    await guest.output(
      `for turn in $(seq 100); do ls -d ${GROUP}/program-* 2>/dev/null || exit 0; sleep 0.2; done; exit 1`,
    )
    assert.equal((await guest.output(`cat ${GROUP}/own/cgroup.procs | wc -l`)).trim() === '0', false)
  })
})
