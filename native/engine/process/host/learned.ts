// Steps that run a learned model: pictures come as the model takes them, and what it gives goes back as it is.
import { readFileSync } from 'node:fs'
import { inputBytes } from '../../../../machines/models/input.ts'
import { MAX_CLASS_NAME_LENGTH, MAX_CLASSES } from '../../../../machines/models/model.ts'
import { factsOf, fitModel, isUnfit, type ModelNode, NO_FACTS } from '../../../../machines/models/model-fit.ts'
import { quote } from '../../../../machines/schema/quote.ts'
import { modelFiles } from '../../../models/folder.ts'
import { NotModel, type OpenModel, openModel } from '../../../models/open-model.ts'
import { inputTensor, runTrial } from '../../../models/trial.ts'
import type { HostedStep, HostWork } from './module.ts'
import { Answers, planAnswer } from './tensors.ts'

/** Opens the model of a step and runs it once on an empty picture. Throws a sentence for people. */
export const prepare = async ({ type, params }: HostedStep): Promise<HostWork> => {
  const { model: name } = params
  if (name === null) return { inputBytes: 1, outputBytes: 1, facts: NO_FACTS, start: () => () => 0 }
  const files = modelFiles(name)
  if (!files) throw new Error(`there is no model ${quote(name)} here`)
  try {
    return await workOf(await openModel(files.path, Number(params.threads)), {
      type: type as ModelNode,
      params,
      classNames: files.classNames,
    })
  } catch (error) {
    throw error instanceof NotModel ? new Error(`the model ${name} ${error.message}`) : error
  }
}

interface Wanted {
  readonly type: ModelNode
  readonly params: HostedStep['params']
  readonly classNames: string
}

const workOf = async (open: OpenModel, { type, params, classNames }: Wanted): Promise<HostWork> => {
  const { session, model } = open
  const feeding = fitModel(type, model, params)
  if (isUnfit(feeding)) throw new NotModel(feeding.why)
  const { input } = feeding
  const answer = planAnswer(model.outputs, await runTrial(open, input))
  return {
    inputBytes: inputBytes(input),
    outputBytes: answer.bytes,
    facts: factsOf(feeding),
    labels: namesBeside(classNames) ?? model.classes,
    start: (room) => {
      const feeds = { [input.name]: inputTensor(input, room.input) }
      const answers = new Answers(answer, room.output)
      return async () => answers.take(await session.run(feeds, answers.fetches))
    },
  }
}

/** The names of the classes that somebody has put beside the model; undefined: nobody has. */
const namesBeside = (path: string): readonly string[] | undefined => {
  try {
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    return lines.slice(0, MAX_CLASSES).map((line) => line.trim().slice(0, MAX_CLASS_NAME_LENGTH))
  } catch {
    return undefined
  }
}
