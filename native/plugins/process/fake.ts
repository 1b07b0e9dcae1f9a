// Programs of plugins that are none: they say that they are ready, and answer each request with what was asked.
import * as Effect from 'effect/Effect'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import type { ToPlugin } from '../../../machines/plugins/process/messages.ts'
import { MAX_SHORT_BYTES, type PluginProgram, type PluginPrograms, type ProgramListener } from './port.ts'

/** A program as a test has it in the hand. */
export interface FakeProgram {
  readonly plugin: InstalledPlugin
  readonly listener: ProgramListener
  /** What it was told. */
  readonly told: readonly { readonly message: ToPlugin; readonly bytes: Uint8Array | undefined }[]
  hasEnded: boolean
  /** It has not read what it was told: it is told nothing more but what is short. */
  isBehind: boolean
}

/** Programs of this process. */
export class FakePluginPrograms implements PluginPrograms {
  /** Those that were started, in that order. */
  readonly started: FakeProgram[] = []
  /** What becomes of a message; default: what the head of this file says. */
  answer: (program: FakeProgram, message: ToPlugin, bytes: Uint8Array | undefined) => void = answerItself

  readonly start = (plugin: InstalledPlugin, listener: ProgramListener): Effect.Effect<PluginProgram> =>
    Effect.sync(() => {
      const told: FakeProgram['told'][number][] = []
      const program: FakeProgram = { plugin, listener, told, hasEnded: false, isBehind: false }
      this.started.push(program)
      listener.confined([{ means: 'program', holds: false, why: 'it is none' }])
      return {
        pid: 0,
        send: (message, bytes) => {
          if (program.hasEnded || (program.isBehind && lengthOf(message, bytes) > MAX_SHORT_BYTES)) return false
          told.push({ message, bytes })
          queueMicrotask(() => {
            if (!program.hasEnded) this.answer(program, message, bytes)
          })
          return true
        },
        kill: (why) => {
          if (program.hasEnded) return
          program.hasEnded = true
          listener.gone({ code: 'plugin.failed', detail: `It was ended: ${why}.` })
        },
        end: Effect.sync(() => {
          program.hasEnded = true
        }),
      }
    })
}

const answerItself: FakePluginPrograms['answer'] = ({ listener }, message, bytes) => {
  if (message.type === 'start') listener.message({ type: 'ready' }, undefined)
  if (message.type !== 'request') return
  const { request, method, path, query } = message
  const body = { method, path, query, bytes: bytes?.length ?? 0 }
  listener.message({ type: 'reply', request, status: OK, body }, undefined)
}

const OK = 200

const lengthOf = (message: ToPlugin, bytes: Uint8Array = new Uint8Array(0)): number =>
  JSON.stringify(message).length + bytes.length
