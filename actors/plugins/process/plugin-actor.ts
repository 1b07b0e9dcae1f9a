// The program of one plugin: it is started, spoken with for as long as it runs, and ended with its state.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import {
  type PluginActions,
  type PluginEffects,
  type PluginEvent,
  pluginMachine,
} from '../../../machines/plugins/plugin-machine.ts'
import type { PluginProgram, PluginPrograms } from '../../../native/plugins/process/port.ts'
import { fromScoped } from '../../run.ts'
import type { PluginRuntimes } from './plugin-runtimes.ts'
import { PluginTalk, type PluginTalkParts } from './plugin-talk.ts'

/** What the program of a plugin works with. */
export interface PluginActorParts extends Omit<PluginTalkParts, 'ready' | 'refused' | 'printed' | 'tellPanels'> {
  readonly plugin: InstalledPlugin
  readonly programs: PluginPrograms
  readonly runtimes: PluginRuntimes
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
}

export const pluginActor = ({ plugin, programs, runtimes, record, ...parts }: PluginActorParts) => {
  const { name } = plugin.manifest
  return pluginMachine.provide({
    actions: {
      record: ({ context }) => {
        if (context.fault) record(context.fault)
      },
    } satisfies Required<PluginActions>,
    actors: {
      runProgram: fromScoped<never, void, PluginEvent>((_, { send, guard }) =>
        Effect.gen(function* () {
          const gone = Promise.withResolvers<Fault>()
          let talk: PluginTalk | undefined
          const refused = (why: string) => runtimes.refuse(name, why)
          const printed = (line: string) => runtimes.print(name, line)
          const program: PluginProgram = yield* Effect.acquireRelease(
            programs.start(plugin, {
              message: guard((message, bytes) => talk?.hear(message, bytes)),
              refused: guard(refused),
              confined: guard((by) => runtimes.confine(name, by)),
              printed: guard(printed),
              gone: (fault) => gone.resolve(fault),
            }),
            (program) => program.end,
          )
          const ready = () => {
            runtimes.connect(name, talk)
            send({ type: 'program.ready' })
          }
          talk = yield* Effect.acquireRelease(
            Effect.sync(
              () =>
                new PluginTalk(plugin, program, {
                  ...parts,
                  ready,
                  refused,
                  printed,
                  tellPanels: (message) => runtimes.tellPanels(name, message),
                }),
            ),
            (each) =>
              Effect.sync(() => {
                runtimes.connect(name, undefined)
                each.close({ code: 'plugin.failed', detail: 'The program of the plugin has ended.' })
              }),
          )
          talk.start()
          const fault = yield* Effect.promise(() => gone.promise)
          return yield* Effect.fail(fault)
        }),
      ),
    } satisfies Required<PluginEffects>,
  })
}
