// Questions to the camera about its controls, one at a time: each may keep a thread of the process for seconds, and
// there are two for everything.
import type { Fault } from '../../../machines/errors/fault.ts'
import type { NativeStream } from './addon.ts'
import { toFault } from './to-fault.ts'

export class CameraQuestions {
  readonly #stream: Pick<NativeStream, 'controls' | 'setControl'>
  #last: Promise<unknown> = Promise.resolve()
  #silences = 0
  #silence: Fault | undefined

  constructor(stream: Pick<NativeStream, 'controls' | 'setControl'>) {
    this.#stream = stream
  }

  readonly list = (): Promise<string> => this.#inTurn(() => this.#stream.controls())

  readonly set = (id: number, value: number): Promise<string> => this.#inTurn(() => this.#stream.setControl(id, value))

  /**
   * A question that waits when the camera does not answer another one gets the same fault, instead of waiting for its
   * own.
   */
  #inTurn(question: () => Promise<string>): Promise<string> {
    const before = this.#silences
    const answer = this.#last.then(() => {
      if (this.#silence && this.#silences !== before) throw this.#silence
      return question()
    })
    this.#last = answer.catch((error) => {
      const fault = toFault(error)
      if (fault.code !== 'camera.unreadable') return
      this.#silences += 1
      this.#silence = fault
    })
    return answer
  }
}
