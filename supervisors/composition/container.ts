// What the service is made of: the ports of this device behind typed tokens, the supervisors built from them, the parts of each stream's incarnation.
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { DependencyContainer } from 'tsyringe'
import { errorRecorder, type RecordFault } from '../../actors/errors/error-keeper-actor.ts'
import { createEventBus } from '../../actors/events/event-bus.ts'
import type { ServeHttp } from '../../actors/http/http-server-actor.ts'
import { type StreamParts, streamActor } from '../../actors/stream/stream-actor.ts'
import type { StreamDesk } from '../../actors/stream/stream-desk.ts'
import { type ApiParts, createApi, listen } from '../../api/server/server.ts'
import { Sessions } from '../../api/session/sessions.ts'
import { WrongTokens } from '../../api/session/wrong-tokens.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { createErrorHistoryStore } from '../../machines/errors/history.ts'
import { Listeners } from '../../machines/listeners.ts'
import { addressText } from '../../machines/nt4/target.ts'
import { createSettingsStore } from '../../machines/settings/store.ts'
import type { StreamSpec } from '../../machines/stream/stream-machine.ts'
import { monotonicUs, nowMs } from '../../native/clock/system.ts'
import type { Documents } from '../../native/documents/port.ts'
import { sqliteDocuments } from '../../native/documents/sqlite.ts'
import type { Engine, EnginePort } from '../../native/engine/port.ts'
import { engineProcesses } from '../../native/engine/process.ts'
import { fieldMapFiles } from '../../native/field-maps/files.ts'
import type { FieldMapsPort } from '../../native/field-maps/port.ts'
import { LinuxHardware } from '../../native/hardware/linux.ts'
import type { HardwarePort } from '../../native/hardware/port.ts'
import type { Log } from '../../native/log/port.ts'
import { mediaFiles } from '../../native/media/files.ts'
import type { MediaPort } from '../../native/media/port.ts'
import type { Nt4Port } from '../../native/nt4/port.ts'
import { webSocketNt4 } from '../../native/nt4/ws-port.ts'
import { fileSessions } from '../../native/sessions/file.ts'
import { certificateFiles } from '../../native/tls/files.ts'
import type { Certificate, CertificatesPort } from '../../native/tls/port.ts'
import { fileTokens } from '../../native/tokens/file.ts'
import { ExtcamChildren } from '../children/extcam.ts'
import { Nt4Children, type Nt4Parts } from '../children/nt4.ts'
import { type IncarnateStream, StreamChildren } from '../children/streams.ts'
import { LiveDirectory } from '../live-directory.ts'
import { type Listen, mediaRoots, type Options } from '../options.ts'
import { bugRecorder } from '../supervision/bugs.ts'
import { type Policy, usualPolicy } from '../supervision/policy.ts'
import { type LifecycleEvent, makeSupervisor, type Supervisor } from '../supervision/supervisor.ts'
import { HTTPS, type TreeParts } from '../tree.ts'
import { createContainer, provideClass, provideValue, resolve, token, wire } from './wire.ts'

const ENGINES = token<EnginePort>('engines')
const NT4 = token<Nt4Port>('nt4')
const HARDWARE = token<HardwarePort>('hardware')
const FIELD_MAPS = token<FieldMapsPort>('field-maps')
const CERTIFICATES = token<CertificatesPort>('certificates')
const MEDIA = token<MediaPort>('media')
const SUPERVISOR = token<Supervisor>('supervisor')
const DIRECTORY = token<LiveDirectory>('directory')
const RECORD = token<RecordFault>('record')
const NT4_PARTS = token<Nt4Parts>('nt4-parts')
const INCARNATE_STREAM = token<IncarnateStream>('incarnate-stream')
const STREAMS = token<StreamChildren>('stream-children')
const NT4_CHILDREN = token<Nt4Children>('nt4-children')
const EXTCAM = token<ExtcamChildren>('extcam-children')
const STREAM = token<StreamIncarnation>('stream')
const ENGINE = token<Engine>('engine')
const DESK = token<StreamDesk>('desk')

/** What one incarnation of a stream is made of. */
class StreamIncarnation implements StreamParts {
  readonly engine: Engine
  readonly desk: StreamDesk
  readonly maps: StreamParts['maps']
  readonly media: StreamParts['media']
  readonly note: StreamParts['note']

  constructor(engine: Engine, desk: StreamDesk, directory: LiveDirectory, record: RecordFault) {
    this.engine = engine
    this.desk = desk
    this.maps = () => directory.maps()
    this.media = directory.media
    this.note = (fault, times) => record({ resource: `streams/${desk.id}`, ...fault }, times)
  }
}

wire(StreamIncarnation, ENGINE, DESK, DIRECTORY, RECORD)
wire(StreamChildren, SUPERVISOR, DIRECTORY, INCARNATE_STREAM)
wire(Nt4Children, SUPERVISOR, DIRECTORY, NT4_PARTS)
wire(ExtcamChildren, DIRECTORY, HARDWARE)

/** The ports of this device. */
const providePorts = (root: DependencyContainer, options: Options): void => {
  provideValue(root, ENGINES, engineProcesses())
  provideValue(root, NT4, webSocketNt4({ names: hostNames, origins: options.origins }))
  provideValue(root, HARDWARE, new LinuxHardware({ disk: options.dataDir }))
  provideValue(root, FIELD_MAPS, fieldMapFiles(join(options.dataDir, 'maps')))
  const folder = join(options.dataDir, 'tls')
  provideValue(root, CERTIFICATES, certificateFiles({ folder, names: hostNames, nowMs }))
  provideValue(root, MEDIA, mediaFiles(mediaRoots(options, homedir())))
}

/** Composes the service; nothing of it runs yet but its store, which is open for as long as the scope. policy: of all that is supervised. */
export const compose = (
  options: Options,
  log: Log,
  version: string,
  policy: Policy = usualPolicy,
): Effect.Effect<TreeParts, Fault, Scope.Scope> =>
  Effect.gen(function* () {
    const root = createContainer()
    providePorts(root, options)
    const documents = yield* sqliteDocuments({ dataDir: options.dataDir }).open
    const identity = { version, epoch: randomUUID(), started_at_ms: nowMs() }
    const record: RecordFault = (fault, times = 1) => {
      log('warn', fault.detail, { code: fault.code, resource: fault.resource, ...(times > 1 && { times }) })
      enter(fault, times)
    }
    const onBug = bugRecorder({ record, log, nowMs })
    const lifecycle = new Listeners<LifecycleEvent>(onBug('lifecycle'))
    const supervisor = yield* makeSupervisor({ listen: (event) => lifecycle.tell(event), onBug, policy })
    const events = createEventBus({ epoch: identity.epoch, nowMs, onBug: onBug('events') })
    const errors = createErrorHistoryStore(onBug('errors'))
    const enter = errorRecorder({ store: errors, events, nowMs })
    const directory = new LiveDirectory({
      identity,
      clock: { nowMs, monotonicUs },
      settings: createSettingsStore(undefined, onBug('settings')),
      errors,
      events,
      userMaps: () => resolve(root, FIELD_MAPS).read().maps,
      media: resolve(root, MEDIA),
      nt4AtStart: { target: options.nt4, client_name: 'vedette', emulate_extcam_api: true },
      supervisor,
      onBug,
    })
    lifecycle.add(({ id, type, fault, bug }) => {
      if (fault) record(fault)
      else log('debug', `${id} ${type}`)
      if (bug instanceof Error) log('error', bug.stack ?? bug.message)
    })
    for (const fault of [...documents.openingFaults, ...resolve(root, FIELD_MAPS).read().faults]) record(fault)
    provideValue(root, SUPERVISOR, supervisor)
    provideValue(root, DIRECTORY, directory)
    provideValue(root, RECORD, record)
    provideValue(root, NT4_PARTS, {
      port: resolve(root, NT4),
      persistentFile: join(options.dataDir, 'nt4-persistent.json'),
      note: record,
      listening: (at) => log('info', `robot code finds the NT4 server at ${addressText(at)}`, { nt4: addressText(at) }),
      seed: Math.random(),
    })
    provideValue(root, INCARNATE_STREAM, incarnateStream(root))
    provideClass(root, STREAMS, StreamChildren)
    provideClass(root, NT4_CHILDREN, Nt4Children)
    provideClass(root, EXTCAM, ExtcamChildren)
    const api = apiParts(options, directory, log, record)
    return {
      supervisor,
      lifecycle,
      onBug,
      directory,
      documents: noting(documents, record),
      record,
      streams: resolve(root, STREAMS),
      nt4: resolve(root, NT4_CHILDREN),
      extcam: resolve(root, EXTCAM),
      serveHttp: serveApi(api, options.http),
      serveHttps: options.tls
        ? serveApi(
            api,
            options.tls,
            resolve(root, CERTIFICATES).load((fault) => record({ resource: HTTPS, ...fault })),
          )
        : null,
      demo: options.demo,
    }
  })

/** What cannot be stored is told to the one who asked, and entered in the error history as well. */
const noting = (documents: Documents, record: (fault: Fault) => void): Documents => ({
  ...documents,
  commit: (each) => Effect.tapError(documents.commit(each), (fault) => Effect.sync(() => record(fault))),
})

/** A child container for each incarnation of a stream, disposed with it. */
const incarnateStream =
  (root: DependencyContainer): IncarnateStream =>
  (desk: StreamDesk, spec: StreamSpec) =>
    Effect.gen(function* () {
      const parts = yield* Effect.acquireRelease(
        Effect.sync(() => root.createChildContainer()),
        (child) => Effect.promise(async () => child.dispose()),
      )
      const sinks = { results: desk.results, picture: desk.pictures.deliver.bind(desk.pictures) }
      provideValue(parts, ENGINE, yield* resolve(root, ENGINES).spawn(desk.id, sinks))
      provideValue(parts, DESK, desk)
      provideClass(parts, STREAM, StreamIncarnation)
      return { logic: streamActor(resolve(parts, STREAM)), options: { input: spec } }
    })

/** Serves the API at one address; over TLS when a certificate is given. */
const serveApi = (
  parts: Omit<ApiParts, 'tls'>,
  at: Listen,
  certificate?: Effect.Effect<Certificate, Fault>,
): ServeHttp => {
  let where = at
  return Effect.gen(function* () {
    const whole = certificate ? { ...parts, tls: yield* certificate } : parts
    const app = yield* Effect.acquireRelease(
      Effect.promise(() => createApi(whole)),
      (app) => Effect.promise(() => app.close()),
    )
    const address = yield* Effect.tryPromise({ try: () => listen(app, where), catch: (fault) => fault as Fault })
    where = { ...at, port: address.port } // where any port would do: one that is started again is found where it was
    return { address, ended: endOf(app.server, address) }
  })
}

/** A server that cannot accept connections any more, or was closed by whomever, is started anew. */
const endOf = (server: Server, at: Listen): Effect.Effect<never, Fault> =>
  Effect.callback((resume) => {
    const end = (why: string) =>
      resume(Effect.fail({ code: 'http.stopped', detail: `the server at ${addressText(at)} stopped: ${why}` }))
    const [failed, closed] = [({ message }: Error) => end(message), () => end('it was closed')]
    server.on('error', failed).on('close', closed)
    return Effect.sync(() => server.off('error', failed).off('close', closed))
  })

const apiParts = (
  options: Options,
  directory: LiveDirectory,
  log: Log,
  record: (fault: Fault) => void,
): Omit<ApiParts, 'tls'> => {
  const tokens = options.profile === 'bench' ? null : fileTokens(join(options.dataDir, 'administrator-token'))
  if (tokens?.made) log('warn', `the administrator's token, told only this once: ${tokens.made}`)
  if (tokens?.fault) record(tokens.fault)
  const kept = fileSessions(join(options.dataDir, 'sessions'), record)
  return {
    directory,
    sessions: new Sessions({ kept: kept.load(), keep: kept.save, token: tokens?.fingerprint ?? null, nowMs }),
    wrongTokens: new WrongTokens({ profile: options.profile, nowMs: () => monotonicUs() / 1000 }),
    profile: options.profile,
    console: options.console,
    verifyToken: (given) => tokens?.verify(given) ?? false,
    hostNames,
    origins: options.origins,
    log,
  }
}

const hostNames = [hostname(), `${hostname()}.local`]
