// The documents of the interface, for what runs in a worker or is tested without a browser.
import type { components } from './schema.d.ts'

/** Every document of the interface, by its name there. */
export type Documents = components['schemas']
