// Which files a stream may read, judged by where its paths lead.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalManifest } from '../../../../machines/stream/canonical-manifest.ts'
import {
  judgePaths,
  liesWithin,
  type MediaRules,
  mayBeLookedAt,
  pathErrors,
} from '../../../../machines/stream/sources/media-roots.ts'
import { pathsOf } from '../../../../machines/stream/sources/traits.ts'

const roots = [
  { named: '/data', real: '/data' },
  { named: '/pictures', real: '/mnt/disk/pictures' },
]
const rules = (more: Partial<MediaRules> = {}): MediaRules => ({ roots, granted: [], administers: false, ...more })

/** `path` leads to `place`. */
const judge = (path: string, place: string | null, more: Partial<MediaRules> = {}) =>
  judgePaths([{ pointer: '/source/path', path, place }], rules(more))

test('a folder holds itself and what is below it, and nothing that is only spelt like it', () => {
  const inside = ['/data', '/data/', '/data/a', '/data/a/b.png']
  const outside = ['/', '/dat', '/database', '/other/data']

  assert.ok(inside.every((path) => liesWithin('/data', path)))
  assert.ok(!outside.some((path) => liesWithin('/data', path)))
  assert.ok(liesWithin('/', '/anything'))
})

test('a path that says more than it seems to is refused by its spelling', () => {
  const complaintAbout = (path: string) => pathErrors([{ pointer: '/source/path', path }])[0]?.message

  assert.match(complaintAbout('/data/a.png\0/etc/passwd') ?? '', /NUL/)
  assert.equal(complaintAbout('a.png'), 'must be an absolute path, like /home/team/pictures, not "a.png"')
  assert.match(complaintAbout('pictures') ?? '', /absolute/)
  assert.match(complaintAbout('') ?? '', /absolute/)
  assert.match(complaintAbout('~/pictures') ?? '', /absolute/)
  assert.match(complaintAbout('/data/../etc') ?? '', /\.\./)
  assert.equal(complaintAbout('/data/..hidden/a..b.png'), undefined)
})

test('a manifest names the place of each path that is wrong', () => {
  const source = { backend: 'images', path: ['/data/a.png', 'b.png', '/data/c\0.png'] } as const
  const canonical = canonicalManifest({ source: { ...source, path: [...source.path] } })

  assert.deepEqual(canonical.ok ? [] : canonical.errors.map(({ pointer }) => pointer), [
    '/source/path/1',
    '/source/path/2',
  ])
  assert.deepEqual(pathsOf({ backend: 'synthetic' }), [])
})

test('what leads into a root is read, what leads elsewhere or nobody knows where is not', () => {
  assert.deepEqual(judge('/data/a.png', '/data/a.png'), { ok: true, grants: [] })
  assert.deepEqual(judge('/pictures/a.png', '/mnt/disk/pictures/a.png'), { ok: true, grants: [] })
  assert.equal(judge('/data/link.png', '/etc/passwd').ok, false)
  assert.equal(judge('/data/dangling.png', null).ok, false)
  assert.equal(judge('/pictures/a.png', '/pictures/a.png').ok, false)
})

test('the answer does not tell what is there: missing, forbidden and linked away are refused in one sentence', () => {
  const sentence = (path: string, place: string | null) => {
    const verdict = judge(path, place)
    return verdict.ok ? 'read' : verdict.errors[0]?.message.replace(`"${path}"`, 'PATH')
  }
  const said = [sentence('/etc/passwd', null), sentence('/etc/nothing', null), sentence('/data/link', '/etc/passwd')]

  assert.equal(new Set(said).size, 1)
  assert.match(said[0] ?? '', /^is PATH, .*\/data, \/pictures.*VEDETTE_MEDIA_ROOTS/)
})

test('a path outside of the roots is not looked at, unless an administrator asks or has allowed it', () => {
  const looks = (path: string, more: Partial<MediaRules> = {}) => mayBeLookedAt(path, rules(more))

  assert.deepEqual([looks('/data/a'), looks('/mnt/disk/pictures/a'), looks('/etc/passwd')], [true, true, false])
  assert.ok(looks('/etc/passwd', { administers: true }))
  assert.deepEqual([looks('/srv/a', { granted: ['/srv'] }), looks('/srva', { granted: ['/srv'] })], [true, false])
})

test('an administrator may name any place, and the place is what is kept, not the link to it', () => {
  const verdict = judge('/data/link', '/srv/pictures', { administers: true })

  assert.deepEqual(verdict, { ok: true, grants: ['/srv/pictures'] })
  assert.equal(judge('/data/dangling', null, { administers: true }).ok, false)
})

test('what an administrator allowed is kept by those who come after, and not widened', () => {
  const granted = ['/srv/pictures']

  assert.deepEqual(judge('/srv/pictures/day-2', '/srv/pictures/day-2', { granted }), { ok: true, grants: granted })
  assert.equal(judge('/srv', '/srv', { granted }).ok, false)
  assert.equal(judge('/srv/pictures/out', '/etc', { granted }).ok, false)
  assert.deepEqual(judge('/data/a.png', '/data/a.png', { granted }), { ok: true, grants: [] })
})

test('nobody grants himself files', () => {
  const canonical = canonicalManifest({ source: { backend: 'images', path: '/data/a' }, media_grants: ['/etc'] })

  assert.equal(canonical.ok && 'media_grants' in canonical.manifest, false)
})

test('ten thousand files that lie outside are one answer of a bounded length', () => {
  const found = Array.from({ length: 10_000 }, (_, index) => ({
    pointer: `/source/path/${index}`,
    path: '/x',
    place: null,
  }))

  const verdict = judgePaths(found, rules())

  assert.equal(verdict.ok ? 0 : verdict.errors.length, 16)
})
