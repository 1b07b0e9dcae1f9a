// What of a config its schema cannot say.
import type { SchemaError } from '../schema/explain.ts'
import { quote } from '../schema/quote.ts'
import type { LocalizationConfig } from './config.ts'

/** What a config may name. */
export interface Nameable {
  readonly maps: Pick<ReadonlyMap<string, unknown>, 'has'>
  readonly streams: Pick<ReadonlySet<string>, 'has'>
}

/** What stands in a list twice. */
export const repeatedIn = (config: LocalizationConfig): readonly SchemaError[] => [
  ...twice('/streams', chosenStreams(config), (id) => `is ${quote(id)} once more; name each stream once`),
  ...twice(
    '/ignored',
    config.ignored.map(({ tag_id }) => tag_id),
    (id) => `is tag ${id} once more; name each tag once`,
  ),
]

/**
 * What is named that is not there. before: the config as it stands; what it names may stay, as a stream that was
 * deleted and comes back.
 */
export const strangersIn = (
  config: LocalizationConfig,
  { maps, streams }: Nameable,
  before: LocalizationConfig,
): readonly SchemaError[] => {
  const { map_id } = config
  const kept = new Set(chosenStreams(before))
  return [
    ...(map_id === null || map_id === before.map_id || maps.has(map_id)
      ? []
      : [
          {
            pointer: '/map_id',
            message: `is ${quote(map_id)}, and there is no such map; GET /v1/localization/maps lists them`,
          },
        ]),
    ...chosenStreams(config).flatMap((id, n) =>
      streams.has(id) || kept.has(id)
        ? []
        : [
            {
              pointer: `/streams/${n}`,
              message: `is ${quote(id)}, and there is no such stream; GET /v1/streams lists them`,
            },
          ],
    ),
  ]
}

/** Those that it names; none where it takes all. */
export const chosenStreams = ({ streams }: LocalizationConfig): readonly string[] => (streams === 'all' ? [] : streams)

const twice = <Each>(at: string, list: readonly Each[], message: (each: Each) => string): readonly SchemaError[] => {
  const seen = new Set<Each>()
  return list.flatMap((each, n) => {
    const isRepeated = seen.has(each)
    seen.add(each)
    return isRepeated ? [{ pointer: `${at}/${n}`, message: message(each) }] : []
  })
}
