// The maps that are there without any file: the demo's field, and the official ones.
import { demoMap, type FieldMap } from '../field-map.ts'
import { map2024 } from './season-2024.ts'
import { map2025AndyMark, map2025Welded } from './season-2025.ts'
import { map2026AndyMark, map2026Welded } from './season-2026.ts'

/** In the order in which they are listed. */
export const builtInMaps: readonly FieldMap[] = [
  demoMap,
  map2026Welded,
  map2026AndyMark,
  map2025Welded,
  map2025AndyMark,
  map2024,
]
