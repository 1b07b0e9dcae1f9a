// A service is killed between the two halves of a pairing: when they meet again both devices trust each other, or none.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Pairing } from '../../machines/pairing/pairing.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'
import { until } from '../support/until.ts'

const PAIRING = '/v1/peers/pairing'

interface List {
  readonly items: readonly { readonly id: string; readonly spec?: { readonly fingerprint: string | null } }[]
}

/** A device that is killed and starts again where it was, and its administrator. */
class Mortal {
  readonly #site: ReturnType<typeof site>
  readonly #tls: string
  #daemon: Daemon | undefined
  #token = ''

  constructor(t: TestContext, tls: string) {
    this.#site = site(t)
    this.#tls = tls
  }

  get origin(): string {
    return `https://${this.#tls}`
  }

  get #alive(): Daemon {
    return this.#daemon ?? assert.fail('it is dead')
  }

  async start(): Promise<void> {
    this.#daemon = await this.#site.start({ profile: 'locked', tls: this.#tls })
    const told = this.#daemon.log.map(({ message }) => /told only this once: (\S+)/.exec(message)?.[1]).find(Boolean)
    this.#token = told ?? this.#token
    const parts = () => this.get<{ parts: readonly { name: string; state: string }[] }>('/v1/health')
    await until('TLS', parts, (health) =>
      health.parts.some(({ name, state }) => name === 'https' && state === 'listening'),
    )
  }

  async kill(): Promise<void> {
    await this.#alive.end('SIGKILL')
    this.#daemon = undefined
  }

  async get<Body>(path: string): Promise<Body> {
    return (await this.#alive.send<Body>('GET', path, undefined, this.#token)).body
  }

  async order(path: string, body: object): Promise<void> {
    const answer = await this.#alive.send('POST', path, body, this.#token)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }

  state(wanted: Pairing['state']): Promise<Pairing> {
    return until(
      wanted,
      () => this.get<Pairing>(PAIRING),
      ({ state }) => state === wanted,
    )
  }

  async fingerprints(): Promise<readonly (string | null | undefined)[]> {
    return (await this.get<List>('/v1/peers/trust')).items.map(({ spec }) => spec?.fingerprint)
  }

  async peers(): Promise<number> {
    return (await this.get<List>('/v1/peers')).items.length
  }
}

/** Two devices that show the same code. */
const comparing = async (t: TestContext) => {
  const [there, here] = [new Mortal(t, `127.0.0.1:${await freePort()}`), new Mortal(t, `127.0.0.1:${await freePort()}`)]
  await Promise.all([there.start(), here.start()])
  await there.order(PAIRING, {})
  await here.order(PAIRING, { base_url: there.origin })
  const { code } = await here.state('comparing')
  await there.state('comparing')
  const confirm = (device: Mortal) => device.order(`${PAIRING}/confirm`, { code })
  return { there, here, confirm }
}

/** That each has entered the other, once. */
const bothTrust = async (there: Mortal, here: Mortal): Promise<void> => {
  const found = async () => [
    (await there.fingerprints()).length,
    (await here.fingerprints()).length,
    await here.peers(),
  ]
  await until('trust on both sides', found, (counts) => counts.every((count) => count === 1))
}

test('the caller is killed when the other has entered it, and follows when it is there again', async (t) => {
  const { there, here, confirm } = await comparing(t)
  await confirm(here)
  await confirm(there)
  await there.state('done')

  await here.kill()
  await here.start()

  await bothTrust(there, here)
})

test('the other is killed when it has entered the caller, and says so when it is there again', async (t) => {
  const { there, here, confirm } = await comparing(t)
  await confirm(here)
  await confirm(there)
  await there.state('done')

  await there.kill()
  await there.start()

  await bothTrust(there, here)
})

test('both are killed when one has entered the other, and start in whatever order', async (t) => {
  const { there, here, confirm } = await comparing(t)
  await confirm(here)
  await confirm(there)
  await there.state('done')

  await Promise.all([here.kill(), there.kill()])
  await here.start()
  await there.start()

  await bothTrust(there, here)
})

test('the other is killed before anybody has confirmed there: neither trusts the other', async (t) => {
  const { there, here, confirm } = await comparing(t)
  await confirm(here)
  await here.state('confirmed')

  await there.kill()
  await there.start()
  await here.state('failed')
  await here.kill()
  await here.start()

  assert.deepEqual([await there.fingerprints(), await here.fingerprints(), await here.peers()], [[], [], 0])
})
