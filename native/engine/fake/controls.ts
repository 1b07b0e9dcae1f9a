// The controls of a camera that does not exist.
import type { Control } from '../../../machines/engine/controls.ts'
import type { EngineSource } from '../port.ts'
import { wantedControlsOf } from './sources.ts'

const plain = { unit: null, flags: [] as string[], menu: null }

const CONTROLS: readonly Control[] = [
  { ...plain, id: 0x00980900, name: 'brightness', type: 'integer', min: -64, max: 64, step: 1, default: 0, value: 0 },
  { ...plain, id: 0x00980913, name: 'gain', type: 'integer', min: 0, max: 100, step: 1, default: 10, value: 10 },
  {
    ...plain,
    id: 0x009a0901,
    name: 'exposure_auto',
    type: 'menu',
    min: 0,
    max: 3,
    step: 1,
    default: 3,
    value: 3,
    menu: [
      { value: 1, label: 'Manual Mode' },
      { value: 3, label: 'Aperture Priority Mode' },
    ],
  },
  {
    ...plain,
    id: 0x009a0902,
    name: 'exposure_time_us',
    type: 'integer',
    min: 100,
    max: 500_000,
    step: 100,
    default: 15_600,
    value: 15_600,
    unit: 'us',
  },
]

/** Those of a source after its opening, by number; what is no camera has none. */
export const controlsOf = (source: EngineSource): Map<number, Control> => {
  const values = wantedControlsOf(source)
  if (!values) return new Map()
  const wanted = new Map(values.map(({ id, value }) => [id, value]))
  return new Map(
    CONTROLS.map((control) => [control.id, { ...control, value: wanted.get(control.id) ?? control.value }]),
  )
}
