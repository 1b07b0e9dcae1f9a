// A hub with what it needs for its life: the file of its persistent topics, and reports at a bounded rate of what its
// clients do wrong.
import { oneLine } from '../../../machines/schema/one-line.ts'
import { FaultThrottle } from '../fault-throttle.ts'
import type { Nt4Report } from '../port.ts'
import { Hub } from './hub.ts'
import { PersistentFile, readPersistent } from './persistence.ts'
import type { RestorableTopic } from './persistent-entries.ts'

const MAX_NAME_TOLD_LENGTH = 100 // a topic's name may itself be what is too large

/** Opens a hub. file: of its persistent topics; null: nowhere. close: writes what is still unwritten. */
export const openHub = async (
  file: string | null,
  report: Nt4Report,
): Promise<{ readonly hub: Hub; readonly close: () => Promise<void> }> => {
  const bad = new FaultThrottle(report, (count) => ({
    code: 'nt4.bad_message',
    detail: `${count} messages of clients of the NT4 server could not be read or did not fit and were skipped`,
    context: { count },
  }))
  let latestConflict = ''
  const conflicts = new FaultThrottle(report, (count) => ({
    code: 'nt4.type_conflict',
    detail: `${latestConflict}; its values are held back until that is gone: find who is wrong`,
    context: { count },
  }))
  let whoAndWhat = ''
  const tooLarge = new FaultThrottle(report, (count) => ({
    code: 'nt4.too_large',
    detail: `${whoAndWhat}; robots take 2 MiB at most, so it was disconnected: let it send less, or in parts`,
    context: { count },
  }))
  const persistent = file === null ? undefined : new PersistentFile(file, () => hub.topics.all(), report)
  const hub = new Hub({
    bad: (count) => bad.add(count),
    conflict: (client, type, topic) => {
      const published = `${told(client)} publishes ${told(topic.name)} to the NT4 server as ${told(type)}`
      latestConflict = `${published}, which exists as ${told(topic.type)}`
      conflicts.add(1)
    },
    tooLarge: (client, topic) => {
      whoAndWhat = oneLine`
        ${told(client)} sent the NT4 server too much ${topic === undefined ? 'in one message' : `for ${told(topic)}`}
      `
      tooLarge.add(1)
    },
    persistentChanged: () => persistent?.changed(),
  })
  if (file !== null) restore(hub, await readPersistent(file, report), file, report)
  const close = async () => {
    bad.stop()
    conflicts.stop()
    tooLarge.stop()
    await persistent?.close()
  }
  return { hub, close }
}

const restore = (hub: Hub, saved: readonly RestorableTopic[], file: string, report: Nt4Report): void => {
  const left = saved.filter(({ name, type, properties, value }) => !hub.restore(name, type, properties, value))
  if (left.length === 0) return
  report({
    code: 'nt4.too_large',
    detail: oneLine`
      topics saved in ${file} are larger than the 2 MiB that robots take and were left out:
      ${left.map(({ name }) => told(name)).join(', ')}
    `,
  })
}

const told = (name: string): string => name.slice(0, MAX_NAME_TOLD_LENGTH)
