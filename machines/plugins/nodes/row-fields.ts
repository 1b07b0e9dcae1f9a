// The fields of rows that programs of plugins give: less than rows of results have, since directions and shares follow.
import type { PortKind } from '../../pipeline/kinds.ts'

const corners = [0, 1, 2, 3].flatMap((n) => [`x${n}_px`, `y${n}_px`])
const idealCorners = [0, 1, 2, 3].flatMap((n) => [`x${n}`, `y${n}`])

/** By the kind of the port; as the addon reads them (native/addon/host/plugin_rows.cc). */
export const MADE_FIELDS: { readonly [Kind in PortKind]?: readonly string[] } = {
  detections: ['family', 'id', 'hamming', 'margin', 'cx_px', 'cy_px', ...corners],
  points: ['family', 'id', ...idealCorners],
  targets: ['cx_px', 'cy_px', 'width_px', 'height_px', ...corners],
  circles: ['cx_px', 'cy_px', 'radius_px'],
  objects: ['label', 'confidence', 'cx_px', 'cy_px', 'width_px', 'height_px'],
  classes: ['label', 'confidence'],
}
