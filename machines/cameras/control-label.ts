// What people read in place of the name of a control of a camera.
import { type Label, labelOf } from '../schema/label.ts'

/** Where the label does not follow from the name. */
const GIVEN: Readonly<Record<string, Partial<Label>>> = {
  exposure_auto: { title: 'Automatic exposure' },
  exposure_dynamic_framerate: { title: 'Lower rate for longer exposure' },
  gain_auto: { title: 'Automatic gain' },
  white_balance_auto: { title: 'Automatic white balance' },
  white_balance_temperature: { title: 'White balance', unit: 'K' },
  focus_auto: { title: 'Automatic focus' },
  focus_absolute: { title: 'Focus' },
  zoom_absolute: { title: 'Zoom' },
  pan_absolute: { title: 'Pan' },
  tilt_absolute: { title: 'Tilt' },
  hflip: { title: 'Flip horizontally' },
  vflip: { title: 'Flip vertically' },
  power_line_frequency: { title: 'Mains frequency' },
  exposure_lines: { title: 'Exposure', unit: 'lines' },
}

/** The label of a control. */
export const controlLabelOf = (name: string): Label => ({ ...labelOf(name), ...GIVEN[name] })
