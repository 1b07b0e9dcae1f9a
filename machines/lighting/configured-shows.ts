// What the configuration has the device show by itself, where it stands there, and what of it cannot be shown.
import type { SchemaError } from '../schema/explain.ts'
import type { LightingConfig } from './config.ts'
import { pictureOf, type Show, type ShowLibrary } from './show.ts'

/** Something to be shown. pointer: where in the configuration. */
export interface ConfiguredShow {
  readonly pointer: string
  readonly show: Show
}

/** All that there is. */
export const showsIn = ({ idle, signals }: Pick<LightingConfig, 'idle' | 'signals'>): readonly ConfiguredShow[] => [
  { pointer: '/idle', show: idle },
  ...Object.entries(signals).flatMap(([name, show]) => (show ? { pointer: `/signals/${name}`, show } : [])),
]

/** Why some of them cannot be shown. */
export const flawsOfShows = (shows: readonly ConfiguredShow[], library: ShowLibrary): readonly SchemaError[] =>
  shows.flatMap(({ pointer, show }) => {
    const made = pictureOf(show, library)
    return 'pointer' in made ? { ...made, pointer: pointer + made.pointer } : []
  })

/** Where the configuration shows the animation of that name. */
export const placesOf = (config: LightingConfig, name: string): readonly string[] =>
  showsIn(config).flatMap(({ pointer, show }) =>
    show.command === 'animation' && show.animation === name ? pointer : [],
  )
