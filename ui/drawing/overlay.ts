// What was found in a frame, drawn over its picture.
import type { Documents } from '../api/documents.ts'
import type { Output, Outputs } from '../api/outputs.ts'
import { axesOf } from './overlay-axes.ts'
import { type OverlayParts, type Pen, type Pixel, penOf } from './overlay-pen.ts'

/** What is drawn. What is not said is not drawn, but `found` is as `tags` is. */
export interface OverlayOptions {
  /** Outlines of tags with their ids. */
  readonly tags?: boolean
  /** The axes of tags whose pose was solved: x red, y green, z blue and out of the tag. */
  readonly axes?: boolean
  /** In the middle of the picture. */
  readonly crosshair?: boolean
  /** Contours, targets, circles, objects, classes and barcodes. */
  readonly found?: boolean
  /** Where the synthetic camera says that tags are, dashed. */
  readonly truth?: boolean
}

/** Of tags. */
export const MARK = '#35e0a1'
const OTHER = '#ffd166' // what is no tag
const TRUTH = '#a9b6ff'
const AXES = { x: '#ff6b61', y: '#4fd67a', z: '#6fa8ff' } as const

/** Draws what was found. size: of the picture that the rows are of. */
export const drawOverlay = (
  parts: OverlayParts & { readonly size: { readonly width: number; readonly height: number } },
  outputs: Outputs,
  options: OverlayOptions,
): void => {
  const pen = penOf(parts)
  const all = Object.values(outputs)
  if (options.truth) for (const output of all) if (output.kind === 'visible') drawTruth(pen, output.rows)
  if (options.found ?? options.tags) for (const output of all) drawFound(pen, output)
  if (options.tags) for (const output of all) if (output.kind === 'detections') drawTags(pen, output.rows)
  if (options.axes)
    for (const { from, x, y, z } of axesOf(outputs)) {
      pen.line(from, x, AXES.x)
      pen.line(from, y, AXES.y)
      pen.line(from, z, AXES.z)
    }
  if (options.crosshair) drawCrosshair(pen, { x_px: parts.size.width / 2, y_px: parts.size.height / 2 })
}

/** The one that is highest: a label above it hides nothing. */
const topOf = (points: readonly Pixel[]): Pixel =>
  points.reduce((top, point) => (point.y_px < top.y_px ? point : top), points[0] ?? { x_px: 0, y_px: 0 })

const drawTags = (pen: Pen, tags: readonly Documents['Detection'][]): void => {
  for (const { corners } of tags) pen.outline(corners, MARK)
  for (const { id, corners } of tags) pen.label(String(id), topOf(corners), MARK)
}

const drawTruth = (pen: Pen, tags: readonly Documents['VisibleTag'][]): void => {
  for (const { corners } of tags) pen.dashedOutline(corners, TRUTH)
}

const cross = (pen: Pen, { x_px, y_px }: Pixel, colour: string): void => {
  const arm = pen.ofPage(5)
  pen.line({ x_px: x_px - arm, y_px }, { x_px: x_px + arm, y_px }, colour)
  pen.line({ x_px, y_px: y_px - arm }, { x_px, y_px: y_px + arm }, colour)
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

const drawObject = (pen: Pen, { center, width_px, height_px, label, confidence }: Documents['FoundObject']): void => {
  const [left, right] = [center.x_px - width_px / 2, center.x_px + width_px / 2]
  const [top, bottom] = [center.y_px - height_px / 2, center.y_px + height_px / 2]
  const corner = (x_px: number, y_px: number) => ({ x_px, y_px })
  pen.outline([corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom)], OTHER)
  pen.label(`${label} ${percent(confidence)}`, corner(left, top), OTHER)
}

const drawFound = (pen: Pen, { kind, rows }: Output): void => {
  if (kind === 'contours') for (const { corners } of rows) pen.outline(corners, OTHER, 1)
  if (kind === 'circles') for (const { center, radius_px } of rows) pen.circle(center, radius_px, OTHER)
  if (kind === 'objects') for (const row of rows) drawObject(pen, row)
  if (kind === 'targets')
    for (const { corners, center } of rows) {
      pen.outline(corners, OTHER)
      cross(pen, center, OTHER)
    }
  if (kind === 'barcodes')
    for (const { corners, text } of rows) {
      pen.outline(corners, OTHER)
      pen.label(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text, topOf(corners), OTHER)
    }
  const best = kind === 'classes' ? rows[0] : undefined
  if (best) pen.label(`${best.label} ${percent(best.confidence)}`, { x_px: 0, y_px: 0 }, OTHER)
}

const MAX_TEXT = 40

/** Four arms that leave the middle free. */
const drawCrosshair = (pen: Pen, { x_px, y_px }: Pixel): void => {
  const [from, to] = [pen.ofPage(5), pen.ofPage(18)]
  for (const [right, down] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const)
    pen.line(
      { x_px: x_px + right * from, y_px: y_px + down * from },
      { x_px: x_px + right * to, y_px: y_px + down * to },
      MARK,
    )
}
