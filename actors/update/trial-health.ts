// How a version is doing, measured by what ran before it.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { BoundAddress } from '../../machines/http/http-server-machine.ts'
import type { Latest } from '../../machines/latest.ts'
import type { RanBefore } from '../../machines/update/record.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import type { AskOwnApi } from '../../native/update/port.ts'
import type { Directory, Part } from '../directory.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'

/** Where a version is looked at. */
export interface TrialHealthParts {
  readonly directory: Pick<Directory, 'parts'>
  readonly streams: Pick<StreamRegistry, 'all' | 'get'>
  readonly link: Latest<Nt4Session | undefined>
  readonly askOwnApi: AskOwnApi
  /** Where the API listens; null: it does not. */
  readonly address: () => BoundAddress | null
}

const DOWN: readonly string[] = ['restarting', 'failed']

/** What runs now, and is to run again with the next version. */
export const ranBefore = ({
  directory,
  streams,
  link,
}: Pick<TrialHealthParts, 'directory' | 'streams' | 'link'>): RanBefore => ({
  streams: streams
    .all()
    .filter((stream) => stream.status().state === 'live')
    .map(({ id }) => id),
  parts: directory
    .parts()
    .filter(({ name, state }) => isWhole(name) && !DOWN.includes(state))
    .map(({ name }) => name),
  robot_link: link.value !== undefined,
})

/** A part of the service, and not of a stream, a peer or a job, which come and go. */
const isWhole = (name: string): boolean => !name.includes('/')

/**
 * Makes the look at a version: what is not well, for people. A part that was started again since the last look is not
 * well in this one. before null: nobody knows what ran; the API and the essential parts are to be well all the same.
 */
export const trialHealth = ({ directory, streams, link, askOwnApi, address }: TrialHealthParts) => {
  let restarts = new Map<string, number>()
  const restarted = (parts: readonly Part[]): readonly string[] => {
    const known = restarts
    restarts = new Map(parts.map((part) => [part.name, part.restarts]))
    return parts
      .filter((part) => part.restarts > (known.get(part.name) ?? 0))
      .map(({ name }) => `the part ${name} crashed, and was started again`)
  }
  const down = (parts: readonly Part[], before: RanBefore | null) =>
    parts
      .filter(({ name, state }) => DOWN.includes(state) && (ESSENTIAL.includes(name) || before?.parts.includes(name)))
      .map(({ name, state, fault }) => `the part ${name} is ${state}${because(fault)}`)
  const idle = (before: RanBefore | null) =>
    (before?.streams ?? []).flatMap((id) => {
      const status = streams.get(id)?.status()
      if (!status) return [`the stream ${id} is missing`]
      return status.state === 'live' ? [] : [`the stream ${id} is ${status.state}${because(status.fault)}`]
    })
  const api = Effect.suspend(() => {
    const at = address()
    if (!at) return Effect.succeed(['the API does not listen'])
    return Effect.match(askOwnApi(at), { onSuccess: () => [], onFailure: ({ detail }) => [detail] })
  })
  return (before: RanBefore | null): Effect.Effect<readonly string[]> =>
    Effect.map(api, (unanswered) => {
      const parts = directory.parts()
      return [
        ...unanswered,
        ...down(parts, before),
        ...restarted(parts),
        ...idle(before),
        ...(before?.robot_link && !link.value ? ['there is no link to the robot'] : []),
      ]
    })
}

/** Without them there is nothing to run for. */
const ESSENTIAL: readonly string[] = ['settings', 'http']

const because = (fault: Pick<Fault, 'detail'> | null | undefined): string => (fault ? `: ${fault.detail}` : '')
