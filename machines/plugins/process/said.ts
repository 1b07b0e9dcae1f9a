// Whether what a program says is one of the messages that it may say.
import { firstError, schemaErrors } from '../../schema/errors.ts'
import { quote } from '../../schema/quote.ts'
import { FROM_PLUGIN, type FromPlugin, type FromPluginType } from './messages.ts'

const isType = (type: unknown): type is FromPluginType => typeof type === 'string' && Object.hasOwn(FROM_PLUGIN, type)

/** The message, or why it is none, in a sentence without its full stop. */
export const whySaidIsWrong = (said: { readonly type?: unknown }): string | undefined => {
  if (!isType(said.type)) return `there is no message of the type ${quote(said.type)}`
  const errors = schemaErrors(FROM_PLUGIN[said.type], said)
  return errors.length === 0 ? undefined : firstError(errors, `the message ${said.type}`)
}

/** The same for the compiler. */
export const isFromPlugin = (said: { readonly type?: unknown }): said is FromPlugin =>
  whySaidIsWrong(said) === undefined
