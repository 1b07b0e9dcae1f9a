// A device in an emulated machine, in the network of a team, and the test beside it with a laptop: what it asks comes
// over the cable, as from anybody else.
import { existsSync } from 'node:fs'
import { TOLD_ONCE } from '../../../machines/logs/redact.ts'
import type { Lifetime } from '../lifetime.ts'
import { folderOf } from '../processes/folder.ts'
import { type DebianImage, noGuest } from './debian-image.ts'
import { deviceImage } from './device-image.ts'
import { type Machine, machine } from './machine.ts'

/** Why there can be no device here, as a sentence; undefined: there can. */
export const noDevice = (): string | undefined =>
  noGuest() ?? (existsSync('/usr/bin/unshare') ? undefined : 'apt-get install util-linux is needed')

/** Whether a test of a device is skipped, and why. */
export const SKIP_DEVICE: string | false =
  process.env.SYSTEM_TESTS === '1' ? (noDevice() ?? false) : 'it starts a machine: npm run test:system'

/** The number of the team is 1234. */
const PREFIX = '10.12.34'
/** Where the device is by DHCP, and where a team would have it. */
export const GIVEN = `${PREFIX}.20`
export const WANTED = `${PREFIX}.11`

const PORT = 5800
const ANSWER_LIMIT_MS = 5 * 60_000
const TURN_LIMIT_MS = 20_000 // whoever asks an address that nobody has would wait for long
const LIMIT_MS = 10 * 60_000
const PAUSE_MS = 500

/** What is asked of the API. */
export interface Question {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  /** In place of a body that is JSON. */
  readonly zip?: Uint8Array<ArrayBuffer>
  /** At which address of the device; left out: where DHCP put it. */
  readonly at?: string
  /** How long the answer may take. */
  readonly limitMs?: number
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
  readonly body: any
}

/** A device that runs. */
export interface Device {
  readonly guest: Machine
  /** Asks once, with the rights of an administrator; fails when nobody is there. */
  readonly ask: (question: Question) => Promise<Answer>
  /** The same without a token, as from somebody who is at this address for the first time. */
  readonly askPlainly: (question: Question) => Promise<Answer>
  /** Asks again and again, also while nobody is there, until the answer is good; fails with the last one. */
  readonly askUntil: (question: Question, isGood?: (answer: Answer) => unknown) => Promise<Answer>
  /** Waits, by its own clock, until it has an address. */
  readonly untilAt: (address: string) => Promise<void>
  /** Where its API is, for the test. */
  readonly url: () => Promise<string>
}

/**
 * Makes one and starts it; it ends with the test. options: further ones of QEMU. extraOf: the folder that it has as its
 * second disk, made for its image.
 */
export const startDevice = async (
  t: Lifetime,
  options: readonly string[] = [],
  extraOf?: (image: DebianImage) => string,
): Promise<Device> => {
  const network = { prefix: PREFIX, hosts: [GIVEN, WANTED].map((address) => Number(address.split('.')[3])), port: PORT }
  const image = deviceImage(folderOf(t))
  const guest = machine(t, image, { network, options, ...(extraOf && { extra: extraOf(image) }) })
  await guest.start()
  const addressAt = async (at: string, path: string) => `http://127.0.0.1:${await guest.portTo(at)}${path}`
  const askWith = async (headers: Record<string, string>, question: Question) => {
    const { method = 'GET', path, body, zip, at = GIVEN, limitMs = ANSWER_LIMIT_MS } = question
    const sent = zip ?? (body === undefined ? undefined : JSON.stringify(body))
    const type = zip ? 'application/zip' : 'application/json'
    const response = await fetch(await addressAt(at, path), {
      method,
      headers: { connection: 'close', ...headers, ...(sent !== undefined && { 'content-type': type }) },
      ...(sent !== undefined && { body: sent }),
      signal: AbortSignal.timeout(limitMs),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const token = await tokenOf(guest)
  const ask: Device['ask'] = (question) => askWith({ authorization: `Bearer ${token}` }, question)
  const untilAt = async (address: string): Promise<void> => {
    await guest.output(`
      for turn in $(seq 900); do
        ip -4 -o address | grep -qF ' ${address}/' && exit 0
        sleep 0.1
      done
      ip address
      exit 1
    `)
  }
  const askUntil: Device['askUntil'] = async (question, isGood = ({ status }) => status === 200) => {
    const end = performance.now() + LIMIT_MS
    while (true) {
      const found = await ask({ limitMs: TURN_LIMIT_MS, ...question }).catch(noAnswer)
      if (found.status !== 0 && isGood(found)) return found
      if (performance.now() > end) throw new Error(`${question.path} is not as it should be: ${JSON.stringify(found)}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  await untilAt(GIVEN)
  await askUntil({ path: '/v1/device/hostname' })
  return {
    guest,
    ask,
    askPlainly: (question) => askWith({}, question),
    askUntil,
    untilAt,
    url: () => addressAt(GIVEN, ''),
  }
}

const noAnswer = (error: Error): Answer => ({ status: 0, body: String(error.cause ?? error) })

/** As the service says it once, in the log of the system. */
const tokenOf = async ({ output }: Machine): Promise<string> => {
  const said = await output(`
    for turn in $(seq 240); do
      journalctl -u vedette -o cat --no-pager | grep -F ${JSON.stringify(TOLD_ONCE)} && exit 0
      sleep 0.5
    done
    journalctl -u vedette --no-pager | tail -n 40
    exit 1
  `)
  const [, token] = new RegExp(`${TOLD_ONCE} ([\\w-]+)`).exec(said) ?? []
  if (token === undefined) throw new Error(`no token in ${said}`)
  return token
}
