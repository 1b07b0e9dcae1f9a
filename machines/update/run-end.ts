// How a run of the service ended, in words: of what systemd, or the launcher in its place, noted of it.
import { inSentence } from '../schema/quote.ts'

const MAX_WORDS = 600 // of what it said itself: a sentence or two

/**
 * line: `RESULT CODE STATUS`, as systemd.exec(5) has them in the environment of ExecStopPost; undefined: nobody noted
 * it. words: what the run itself said last. null: nothing is known.
 */
export const runEndIn = (line: string | undefined, words: string | undefined): string | null => {
  const said = words === undefined ? '' : inSentence(words.trim()).slice(0, MAX_WORDS)
  const [result = '', , status = ''] = (line ?? '').trim().split(/\s+/)
  const how = howOf(result, inSentence(status).slice(0, MAX_STATUS))
  if (said === '') return how
  return how === null ? said : `${how}: ${said}`
}

const MAX_STATUS = 20

const howOf = (result: string, status: string): string | null => {
  switch (result) {
    case '':
      return null
    case 'success':
      return 'it ended as if it had been told to'
    case 'timeout':
      return 'it was not ready in time, and was killed'
    case 'watchdog':
      return 'it hung, and was killed: it did not say any more that it was well'
    case 'oom-kill':
      return 'the system had no memory left, and killed it'
    case 'exit-code':
      return `it ended with code ${status}`
    case 'signal':
    case 'core-dump':
      return status === 'KILL'
        ? 'it was killed (SIGKILL), as the system does with what takes all the memory'
        : `it was killed by SIG${status}`
    default:
      return `it ended (${inSentence(result).slice(0, MAX_STATUS)})`
  }
}
