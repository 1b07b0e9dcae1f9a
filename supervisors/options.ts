// The settings of the start: flags over environment over defaults. A bad value stops the start with a sentence that
// names it.

import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isLoopbackAddress } from '../machines/http/access.ts'
import { LOG_LEVELS, type LogLevel } from '../machines/logs/level.ts'
import { parseNt4Target } from '../machines/nt4/target.ts'
import { isHost } from '../machines/plugins/package/hosts.ts'
import { oneLine } from '../machines/schema/one-line.ts'
import { type DeviceChoice, TROUBLES, type Trouble } from '../machines/system/device-choice.ts'

/** An address to listen on. Port 0: any free one. */
export interface Listen {
  readonly host: string
  readonly port: number
}

/** What `npm start` runs with. */
export interface Options {
  readonly dataDir: string
  /** Where the store of documents is: the data directory, or the folder of this version in it. */
  readonly settingsFolder: string
  /** Folders besides the data directory whose files streams may read. */
  readonly mediaRoots: readonly string[]
  /** Hosts, in lower case, from which packages of plugins may be fetched. */
  readonly pluginHosts: readonly string[]
  readonly http: Listen
  readonly tls: Listen | null
  /** A target as of machines/nt4/target.ts. tls null: off. */
  readonly nt4: string
  /** `field` when it listens to a network and nothing was said. */
  readonly profile: 'bench' | 'field' | 'locked'
  /** Administrators have a shell there and in `locked`. */
  readonly console: boolean
  /** Of pages from elsewhere that are trusted. */
  readonly origins: readonly string[]
  /** Of all previews over the network; null: no limit. */
  readonly bandwidthMbitS: number | null
  /** Whether streams may be cut at all when the device has too little for them. */
  readonly guard: boolean
  readonly demo: boolean
  /** `fake` for engines without cameras and without the addon. */
  readonly engine: 'native' | 'fake'
  /** What stands for the system around the service: its network, temperatures, logs, USB. */
  readonly device: DeviceChoice
  readonly log: { readonly form: 'pretty' | 'json'; readonly level: LogLevel }
}

/** A value that the start cannot use; the message is for people. */
export class BadOption extends Error {}

interface Setting {
  readonly flag: string
  readonly means: string
  readonly fallback: string
}

/** In the order of the help text. The environment variable of `--data-dir` is VEDETTE_DATA_DIR. */
const SETTINGS = {
  dataDir: { flag: 'data-dir', fallback: './.vedette', means: 'the folder for everything that must survive' },
  settingsFolder: {
    flag: 'settings-folder',
    fallback: '',
    means: 'where settings lie, if not in the data directory itself',
  },
  mediaRoots: {
    flag: 'media-roots',
    fallback: '',
    means: 'more folders whose files streams may read, with : between them',
  },
  pluginHosts: {
    flag: 'plugin-hosts',
    fallback: '',
    means: 'hosts from which packages of plugins may be fetched: plugins.example,10.12.34.5',
  },
  http: { flag: 'http', fallback: '127.0.0.1:5800', means: 'where the API and the page listen: host:port' },
  tls: { flag: 'tls', fallback: 'off', means: 'the same over TLS: off or host:port' },
  nt4: { flag: 'nt4', fallback: 'serve', means: 'the robot: serve[:host:port], host[:port],..., team:1234 or off' },
  profile: { flag: 'profile', fallback: '', means: 'who may do what: bench, field or locked [by address]' },
  console: { flag: 'console', fallback: 'off', means: 'on: administrators have a shell in field and locked; or off' },
  origins: { flag: 'origins', fallback: '', means: 'pages from elsewhere to trust: https://dash.example,...' },
  bandwidthMbitS: {
    flag: 'bandwidth-mbit-s',
    fallback: 'off',
    means: 'all previews over the network together: Mbit/s (on a field 3 is kind to the others), or off',
  },
  guard: {
    flag: 'guard',
    fallback: 'on',
    means: 'on: streams give way in order when the device has too little; off: never, to measure',
  },
  demo: { flag: 'demo', fallback: '1', means: '1: with no stream stored, create the synthetic one; 0: do not' },
  engine: { flag: 'engine', fallback: 'native', means: 'native, or fake: made-up frames, and no vision addon' },
  device: {
    flag: 'device',
    fallback: 'linux',
    means: 'linux, or fake: a made-up system around the service, to try things out; fake:hot,... with troubles',
  },
  log: { flag: 'log', fallback: '', means: 'pretty or json, and a level (error, warn, info, debug): json:info' },
} satisfies Record<keyof Options, Setting>

const variableOf = (flag: string): string => `VEDETTE_${flag.toUpperCase().replaceAll('-', '_')}`

export type Started = { readonly run: Options } | { readonly print: 'help' | 'version' }

/**
 * Reads the command line and the environment. Throws BadOption. isTerminal decides the log's form when nothing was
 * said.
 */
export const readOptions = (args: readonly string[], env: NodeJS.ProcessEnv, isTerminal: boolean): Started => {
  // native/start.sh answers these two before
  if (args.includes('--help') || args.includes('-h')) return { print: 'help' }
  if (args.includes('--version') || args.includes('-v')) return { print: 'version' }
  const flags = parseFlags(args)
  const nameOf = ({ flag }: Setting) => (flags[flag] === undefined ? variableOf(flag) : `--${flag}`)
  const read = <T>(setting: Setting, parse: (text: string) => T): T => {
    const text = flags[setting.flag] ?? env[variableOf(setting.flag)] ?? setting.fallback
    try {
      return parse(text)
    } catch (error) {
      throw new BadOption(`${nameOf(setting)} is "${text}", but ${(error as Error).message}.`)
    }
  }
  const dataDir = read(SETTINGS.dataDir, folder)
  const http = read(SETTINGS.http, listen)
  const tls = read(SETTINGS.tls, (text) => (text === 'off' ? null : listen(text)))
  const onTls = tls !== null && !isLoopback(tls) ? SETTINGS.tls : undefined
  const onNetwork = isLoopback(http) ? onTls : SETTINGS.http
  return {
    run: {
      dataDir,
      settingsFolder: read(SETTINGS.settingsFolder, (text) => (text === '' ? dataDir : folder(text))),
      mediaRoots: read(SETTINGS.mediaRoots, folders),
      pluginHosts: read(SETTINGS.pluginHosts, hostList),
      http,
      tls,
      nt4: read(SETTINGS.nt4, nt4Target),
      profile: read(SETTINGS.profile, (text) => profileOf(text, onNetwork && nameOf(onNetwork))),
      console: read(SETTINGS.console, oneOf(['on', 'off'])) === 'on',
      origins: read(SETTINGS.origins, originList),
      bandwidthMbitS: read(SETTINGS.bandwidthMbitS, mbitPerSecond),
      guard: read(SETTINGS.guard, oneOf(['on', 'off'])) === 'on',
      demo: read(SETTINGS.demo, oneOf(['1', '0'])) === '1',
      engine: read(SETTINGS.engine, oneOf(['native', 'fake'])),
      device: read(SETTINGS.device, deviceChoice),
      log: read(SETTINGS.log, (text) => logForm(text, isTerminal)),
    },
  }
}

/** The options of a start without any. */
export const defaultOptions = (): Options => (readOptions([], {}, false) as { readonly run: Options }).run

/** What `--help` prints; kept in docs/help.txt too. */
export const helpText = (): string =>
  [
    'Vedette: the service on a robot camera. Captures, finds tags, solves where the robot is, tells the robot.',
    '',
    'npm start -- [--name value ...]     each setting may also come from the environment; flags win',
    '',
    ...Object.values(SETTINGS).map(
      ({ flag, means, fallback }) =>
        `  ${`--${flag}`.padEnd(20)}${variableOf(flag).padEnd(26)}${means}${fallback ? ` [${fallback}]` : ''}`,
    ),
    `  ${'--help'.padEnd(46)}this text`,
    `  ${'--version'.padEnd(46)}the version`,
    '',
  ].join('\n')

const parseFlags = (args: readonly string[]): Readonly<Record<string, string | undefined>> => {
  const options = Object.fromEntries(Object.values(SETTINGS).map(({ flag }) => [flag, { type: 'string' as const }]))
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values as Record<
      string,
      string
    >
  } catch (error) {
    const [sentence] = (error as Error).message.split(/[.\n]/)
    throw new BadOption(`${sentence}; --help lists what there is.`)
  }
}

const deviceChoice = (text: string): DeviceChoice => {
  const [kind, ...rest] = text.split(':')
  if (kind === 'linux' && rest.length === 0) return { kind }
  if (kind !== 'fake') throw new Error('it must be linux, fake, or fake: and what is wrong with it')
  const wanted = rest.join(':').split(',').filter(Boolean)
  const troubles = (Object.keys(TROUBLES) as Trouble[]).filter((each) => wanted.includes(each))
  if (troubles.length < new Set(wanted).size)
    throw new Error(`what can be wrong with a made-up device is ${Object.keys(TROUBLES).join(', ')}`)
  return { kind, troubles }
}

const folder = (text: string): string => {
  if (text === '') throw new Error('it must name a folder')
  return resolve(text)
}

const folders = (text: string): readonly string[] =>
  text === ''
    ? []
    : text.split(':').map((each) => {
        if (!isAbsolute(each)) throw new Error('it must be absolute paths of folders with : between them')
        return resolve(each)
      })

/**
 * The folders whose files streams may read. In the profile bench only the user of this machine has access, so the home
 * folder is one of them; an account without a home of its own has `/`, which is not.
 */
export const mediaRoots = ({ dataDir, mediaRoots, profile }: Options, home: string): readonly string[] => [
  ...new Set([dataDir, ...mediaRoots, ...(profile === 'bench' && home !== '/' ? [home] : [])]),
]

const listen = (text: string): Listen => {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (!host || port > 65_535) throw new Error('it must be host:port, like 127.0.0.1:5800')
  if (host !== 'localhost' && isIP(host) === 0)
    throw new Error('its host must be an IP address of this device, or localhost')
  return { host, port }
}

/** Where nobody but this device itself can come from. */
const isLoopback = ({ host }: Listen): boolean => host === 'localhost' || isLoopbackAddress(host)

const nt4Target = (text: string): string => {
  const target = parseNt4Target(text)
  if (!target.ok) throw new Error(`it ${target.reason}`)
  return text
}

const originList = (text: string): readonly string[] => {
  const origins = text.split(/[,\s]+/).filter(Boolean)
  const wrong = origins.find((origin) => !/^[a-z][a-z0-9+.-]*:\/\/[^/?#@]+$/i.test(origin))
  if (wrong !== undefined)
    throw new Error(`${wrong} is no origin; write https://dash.example or http://10.12.34.2:5800`)
  return origins
}

const hostList = (text: string): readonly string[] => {
  const hosts = text
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean)
  const wrong = hosts.find((host) => !isHost(host))
  if (wrong !== undefined)
    throw new Error(`${wrong} is no host; write its name or its address, without a port: plugins.example`)
  return hosts
}

// Below that no camera can be watched, and above there is no network: the value is in other units.
const MIN_MBIT_S = 0.1
const MAX_MBIT_S = 10_000

const mbitPerSecond = (text: string): number | null => {
  if (text === 'off') return null
  const mbit = Number(text)
  if (text.trim() === '' || !(mbit >= MIN_MBIT_S && mbit <= MAX_MBIT_S))
    throw new Error(`it must be ${MIN_MBIT_S} to ${MAX_MBIT_S} million bits a second, like 3, or off`)
  return mbit
}

const oneOf =
  <const T extends string>(values: readonly T[]) =>
  (text: string): T => {
    const value = values.find((each) => each === text)
    if (value === undefined) throw new Error(`it must be one of ${values.join(', ')}`)
    return value
  }

/** onNetwork: the setting that lets a network in, as it was given. */
const profileOf = (text: string, onNetwork: string | undefined): Options['profile'] => {
  const profile = oneOf(['bench', 'field', 'locked'])(text || (onNetwork ? 'field' : 'bench'))
  if (profile === 'bench' && onNetwork)
    throw new Error(
      oneLine`
        in bench everybody may do everything, and ${onNetwork} lets a network in; use field or locked, or listen on
        127.0.0.1
      `,
    )
  return profile
}

const logForm = (text: string, isTerminal: boolean): Options['log'] => {
  const words = text.split(/[:,\s]+/).filter(Boolean)
  const level = words.find((word): word is LogLevel => (LOG_LEVELS as readonly string[]).includes(word))
  const form = words.find((word) => word === 'pretty' || word === 'json') as 'pretty' | 'json' | undefined
  if (words.length !== [level, form].filter(Boolean).length)
    throw new Error(`it must be pretty or json, and one of ${LOG_LEVELS.join(', ')}, like json:info`)
  return { form: form ?? (isTerminal ? 'pretty' : 'json'), level: level ?? 'info' }
}
