// A program of a plugin behind the real launcher, and what a test hears of it.
import type { TestContext } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import type { Confinement } from '../../../machines/plugins/process/confinement.ts'
import type { FromPlugin } from '../../../machines/plugins/process/messages.ts'
import { type LinuxProgramsParts, linuxPluginPrograms } from '../../../native/plugins/process/linux.ts'

type Heard = { readonly message: FromPlugin; readonly bytes: Uint8Array | undefined }

/** Starts a program; what it says can be waited for. */
export const startedProgram = async (t: TestContext, plugin: InstalledPlugin, parts: LinuxProgramsParts = {}) => {
  const heard: Heard[] = []
  const lines: string[] = []
  const refusals: string[] = []
  let confinement: readonly Confinement[] = []
  const waiting = new Set<() => void>()
  const tell = () => {
    for (const look of [...waiting]) look()
  }
  const gone = Promise.withResolvers<Fault>()
  const program = await Effect.runPromise(
    linuxPluginPrograms(parts).start(plugin, {
      message: (message, bytes) => {
        heard.push({ message, bytes })
        tell()
      },
      refused: (why) => {
        refusals.push(why)
        tell()
      },
      confined: (by) => {
        confinement = by
      },
      printed: (line) => {
        lines.push(line)
        tell()
      },
      gone: (fault) => gone.resolve(fault),
    }),
  )
  t.after(() => Effect.runPromise(program.end))
  const until = <Found>(look: () => Found | undefined) =>
    new Promise<Found>((resolve) => {
      const again = () => {
        const found = look()
        if (found === undefined) return
        waiting.delete(again)
        resolve(found)
      }
      waiting.add(again)
      again()
    })
  const next = <Type extends FromPlugin['type']>(type: Type) =>
    until(() => {
      const at = heard.findIndex(({ message }) => message.type === type)
      return at < 0 ? undefined : (heard.splice(at, 1)[0] as Heard & { message: { readonly type: Type } })
    })
  const { name, version } = plugin.manifest
  const { folder, data_folder, granted } = plugin
  program.send({ type: 'start', api: 1, name, version, folder, data_folder, granted: [...granted] })
  return { program, next, until, heard, lines, refusals, gone: gone.promise, confinement: () => confinement }
}
