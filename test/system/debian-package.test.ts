// The package on a bare Debian 12 in an emulated machine: installed without a compiler and without a network, upgraded,
// cut from its power, removed and purged. `npm run test:system`; a quarter of an hour on a busy machine.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { debianImage, noGuest } from '../support/guest/debian-image.ts'
import { type Machine, machine } from '../support/guest/machine.ts'
import { packageOf } from '../support/guest/package.ts'
import { repositoryFor } from '../support/guest/repository.ts'
import { folderOf } from '../support/processes/folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const SKIP = process.env.SYSTEM_TESTS === '1' ? (noGuest() ?? false) : 'it starts a machine: npm run test:system'
const MAX_ANSWER_S = 10
const MEDIA = '/run/media'
const MADE = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 }

/** How long the service took from its start to being ready, by the clock of the machine. */
const readyAfterS = async ({ output }: Machine): Promise<number> => {
  const said = await output(
    'systemctl show -p ExecMainStartTimestampMonotonic -p ActiveEnterTimestampMonotonic vedette | sort',
  )
  const [active = 0, start = 0] = said.match(/\d+/g)?.map(Number) ?? []
  return (active - start) / 1e6
}

/** Asks until the page answers, and says how long after the command it did, by the clock of the machine. */
const ANSWERED = `
now() { read -r up _ </proc/uptime; echo "$up"; }
answers() {
  (exec 3<>/dev/tcp/127.0.0.1/5800 &&
    printf 'GET / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n' >&3 &&
    read -r line <&3 && [[ $line == *' 200 '* ]]) 2>/dev/null
}
since=$(now)
until answers; do
  [ "\${SECONDS}" -lt 120 ] || { journalctl -u vedette --no-pager | tail -n 40; exit 1; }
  sleep 0.1
done
echo "$since $(now)"
`

const answeredAfterS = async ({ output }: Machine, before: string): Promise<number> => {
  const said = await output(`set -e\n${before}\n${ANSWERED}`)
  const [since, now] = (said.trim().split('\n').at(-1) ?? '').split(' ').map(Number) as [number, number]
  return now - since
}

/** What somebody on the device asks of the API. */
interface Question {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  /** Asked again until this expression of the answer's `body` holds. */
  readonly until?: string
}

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
  readonly body: any
}

const ask = async (guest: Machine, { method = 'GET', path, body, until = 'true' }: Question): Promise<Answer> => {
  const words = [method, path, body === undefined ? '' : JSON.stringify(body), until].map(quoted).join(' ')
  return JSON.parse(await guest.output(`/usr/lib/vedette/release/bin/node ${MEDIA}/ask.mjs ${words}`)) as Answer
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

test('the package is installed, upgraded, removed and purged on a bare Debian 12', { skip: SKIP }, async (t) => {
  const folder = folderOf(t)
  const image = debianImage()
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const packages = ['0.1.0', '0.1.1'].map((version) => packageOf(version, folder))
  const depends = execFileSync('dpkg-deb', ['-f', packages[0] as string, 'Depends'], { encoding: 'utf8' })
  execFileSync('cp', ['-r', repositoryFor(image, depends.trim().split(', ')), join(disk, 'repository')])
  execFileSync('cp', [...packages, disk])
  execFileSync('cp', [join(ROOT, 'test/support/guest/ask.js'), join(disk, 'ask.mjs')])
  const guest = machine(t, image, { extra: disk })
  const install = (version: string): string =>
    `apt-get -qq install -y --no-install-recommends ${MEDIA}/vedette_${version}_amd64.deb >/run/apt.log 2>&1 ||
    { cat /run/apt.log; exit 1; }`

  await t.test('a bare system has nothing that builds', async () => {
    await guest.start()
    await guest.output(`mkdir -p ${MEDIA} && mount /dev/vdb ${MEDIA}`)
    await guest.output(
      `echo 'deb [trusted=yes] file:${MEDIA}/repository ./' >/etc/apt/sources.list && apt-get -qq update`,
    )

    assert.notEqual((await guest.run('command -v gcc || command -v g++ || command -v node || command -v npm')).code, 0)
  })

  await t.test('it answers within 10 s of its installation', async (step) => {
    const afterS = await answeredAfterS(guest, install('0.1.0'))

    const readyS = await readyAfterS(guest)
    step.diagnostic(`ready ${readyS.toFixed(2)} s after its start, answered ${afterS.toFixed(2)} s after apt`)
    assert.ok(readyS > 0 && readyS + afterS <= MAX_ANSWER_S, `${readyS} s and ${afterS} s`)
    assert.equal(await guest.output('systemctl is-active vedette; systemctl is-enabled vedette'), 'active\nenabled\n')
    assert.notEqual((await guest.run('command -v gcc || command -v g++ || command -v npm')).code, 0)
  })

  await t.test('it runs as its own user, without a capability', async () => {
    const status = await guest.output('cat /proc/$(systemctl show -p MainPID --value vedette)/status')

    const uid = (await guest.output('id -u vedette')).trim()
    assert.match(status, new RegExp(`^Uid:\\t${uid}\\t${uid}`, 'm'))
    assert.match(status, /^CapBnd:\t0+$/m)
    assert.match(status, /^NoNewPrivs:\t1$/m)
    assert.match(await guest.output('id -nG vedette'), /\bvideo\b/)
    assert.equal(await guest.output('stat -c "%U %a" /var/lib/vedette/data'), 'vedette 750\n')
    const may = (action: string) =>
      guest.run(`pkcheck --action-id ${action} --process $(systemctl show -p MainPID --value vedette)`)
    assert.equal((await may('org.freedesktop.login1.reboot')).code, 0)
    assert.notEqual((await may('org.freedesktop.timedate1.set-time')).code, 0)
    assert.equal((await guest.run('journalctl -b --no-pager | grep 60-vedette')).code, 1, 'udev complains of its rules')
  })

  await t.test('cameras and streams work inside its sandbox', async () => {
    await guest.output('modprobe vivid n_devs=1')
    // udev may still be giving it to its group when the service asks it for the first time
    const known = 'body.items?.some(({ modes }) => modes.length > 0)'
    const { body } = await ask(guest, { path: '/v1/peripherals/cameras', until: known })
    const [camera] = body.items
    assert.match(JSON.stringify(camera), /vivid/)

    for (const manifest of [
      { id: 'made', source: MADE },
      { id: 'camera', camera_uid: camera.camera_uid },
    ]) {
      const { status, body: answer } = await ask(guest, { method: 'POST', path: '/v1/streams', body: manifest })
      assert.equal(status, 200, JSON.stringify([answer, camera]))
    }
    for (const id of ['made', 'camera'])
      await ask(guest, { path: `/v1/streams/${id}`, until: `body.status?.state === 'live'` })
  })

  await t.test('an upgrade keeps settings and what a team has edited', async (step) => {
    await guest.output(`sed -i 's/^VEDETTE_NT4=.*/VEDETTE_NT4=off/' /etc/default/vedette`)

    const afterS = await answeredAfterS(guest, install('0.1.1'))

    step.diagnostic(`answered ${afterS.toFixed(2)} s after apt, by the clock of the machine`)
    assert.ok(afterS <= MAX_ANSWER_S, `${afterS} s`)
    assert.equal((await ask(guest, { path: '/v1/streams/made' })).status, 200)
    assert.match(await guest.output('cat /etc/default/vedette'), /^VEDETTE_NT4=off$/m)
    assert.match(await guest.output('cat /usr/lib/vedette/release/package.json'), /"version": "0\.1\.1"/)
  })

  await t.test('it is there again after a cut of the power', async () => {
    await guest.output('sync')
    await guest.cutPower()
    await guest.start()

    await answeredAfterS(guest, `mount /dev/vdb ${MEDIA} || { mkdir -p ${MEDIA}; mount /dev/vdb ${MEDIA}; }`)
    assert.equal((await ask(guest, { path: '/v1/streams/made' })).status, 200)
  })

  await t.test('removed, it leaves what a team has made; installed again, it goes on with that', async () => {
    await guest.output('apt-get -qq remove -y vedette >/run/apt.log 2>&1 || { cat /run/apt.log; exit 1; }')
    assert.notEqual((await guest.run('systemctl is-active vedette')).code, 0)
    assert.equal((await guest.output('ls -d /var/lib/vedette /etc/default/vedette')).trim().split('\n').length, 2)
    assert.notEqual((await guest.run('ls /usr/lib/vedette')).code, 0)

    await answeredAfterS(guest, install('0.1.1'))
    assert.equal((await ask(guest, { path: '/v1/streams/made' })).status, 200)
  })

  await t.test('purged, it leaves nothing', async () => {
    await guest.output('apt-get -qq purge -y vedette >/run/apt.log 2>&1 || { cat /run/apt.log; exit 1; }')

    const left = await guest.output('find / -xdev -iname "*vedette*" -not -path "/proc/*" -not -path "/run/*" || :')
    assert.equal(
      left
        .split('\n')
        .filter((path) => !/^\/var\/(log|cache\/apt)\/|^$/.test(path))
        .join('\n'),
      '',
    )
    assert.notEqual((await guest.run('getent passwd vedette || getent group vedette')).code, 0)
    assert.equal((await guest.output('systemctl --failed --no-legend --plain')).trim(), '')
  })
})
