// What people read of a comparison: a line for each picture, and one for all of them.
import { oneLine } from '../../machines/schema/one-line.ts'
import type { Answer, ComparedTag, Comparison } from './program.ts'

/** name: of the picture. */
export interface Compared {
  readonly name: string
  readonly comparison: Comparison
}

type Good = Comparison & { readonly ok: true }

const HEADS = ['picture', 'pixels', 'libapriltag', 'vedette', 'only libapriltag', 'only vedette', 'time']
const MAX_SHOWN = 40 // letters of a cell: a sheet of tags would fill the screen

/** The table, what could not be compared, and the sum. time: vedette's as a share of libapriltag's. */
export const report = (all: readonly Compared[]): string => {
  const good = all.flatMap(({ name, comparison }) => (comparison.ok ? [{ name, ...comparison }] : []))
  const bad = all.flatMap(({ name, comparison }) => (comparison.ok ? [] : [`${name}: ${comparison.detail}`]))
  return [...(good.length > 0 ? [table([HEADS, ...good.map(cells)]), ''] : []), ...bad, sum(good)].join('\n')
}

const cells = ({ name, width_px, height_px, reference, vedette }: Good & { readonly name: string }): string[] => [
  name,
  `${width_px}x${height_px}`,
  ids(reference.tags),
  ids(vedette.tags),
  ids(aloneIn(reference)),
  ids(aloneIn(vedette)),
  share(vedette.cpu_us / reference.cpu_us),
]

const aloneIn = ({ tags }: Answer): readonly ComparedTag[] => tags.filter(({ is_alone }) => is_alone)

const share = (ratio: number): string => (Number.isFinite(ratio) ? ratio.toFixed(2) : '')

/** `3, 7 (2x)`; with the family where it is not the usual one. */
const ids = (tags: readonly ComparedTag[]): string => {
  const counts = new Map<string, number>()
  for (const { family, id } of tags) {
    const name = family === 'tag36h11' ? String(id) : `${id} of ${family}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const words = [...counts].map(([name, count]) => (count > 1 ? `${name} (${count}x)` : name)).join(', ')
  return words.length > MAX_SHOWN ? `${tags.length} tags` : words || '-'
}

const table = (lines: readonly (readonly string[])[]): string => {
  const widths = HEADS.map((_, n) => Math.max(...lines.map((line) => (line[n] as string).length)))
  return lines
    .map((line) =>
      line
        .map((cell, n) => cell.padEnd(widths[n] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const sum = (good: readonly Good[]): string => {
  if (good.length === 0) return 'No picture could be compared.'
  const of = (take: (each: Good) => number) => good.reduce((total, each) => total + take(each), 0)
  const [found, other] = [of(({ reference }) => reference.tags.length), of(({ vedette }) => vedette.tags.length)]
  const alone = of(({ reference }) => aloneIn(reference).length)
  const ratio = of(({ vedette }) => vedette.cpu_us) / of(({ reference }) => reference.cpu_us)
  return [
    oneLine`
      ${good.length} ${good.length === 1 ? 'picture' : 'pictures'}: libapriltag found ${found}
      ${found === 1 ? 'tag' : 'tags'}, vedette ${other}
    `,
    oneLine`
      ${alone} ${alone === 1 ? 'is' : 'are'} libapriltag's alone, ${of(({ vedette }) => aloneIn(vedette).length)}
      vedette's
    `,
    `vedette took ${share(ratio)} of libapriltag's time.`,
  ].join('; ')
}
