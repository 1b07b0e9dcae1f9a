// Small releases, as the packager makes them, and bundles of them.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ReleaseManifest } from '../../../machines/update/release.ts'
import { listReleaseFiles, packBundle } from '../../../native/update/bundle/pack.ts'
import { makeSigningKey, parseSigningKey, type SigningKey } from '../../../native/update/bundle/sign.ts'
import { manifestWith } from './manifest.ts'

/** A key that signs, made for one test. */
export const signingKey = (): SigningKey => parseSigningKey(makeSigningKey(), 'the key of a test')

/** What lies in a release, by path. */
export type ReleaseContent = Readonly<Record<string, string | Buffer>>

/** What `releaseIn` writes unless it is told otherwise. */
export const releaseContent: ReleaseContent = {
  'bin/node': Buffer.from(Array.from({ length: 40_000 }, (_, n) => (n * n) % 251)),
  'package.json': '{ "name": "vedette", "version": "1.2.3" }\n',
  '.bundle/main.mjs': 'console.log("runs")\n',
  'licenses/none': '',
  [`ui/build/${'deep/'.repeat(12)}${'long-'.repeat(22)}name.js`]: 'long()\n',
}

/** Writes a release into a folder. What lies in bin/ are programs. */
export const releaseIn = async (
  folder: string,
  { content = releaseContent, ...more }: Partial<ReleaseManifest> & { readonly content?: ReleaseContent } = {},
): Promise<ReleaseManifest> => {
  for (const [path, text] of Object.entries(content)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    if (path.startsWith('bin/')) chmodSync(join(folder, path), 0o755)
  }
  const manifest = manifestWith({ files: [...(await listReleaseFiles(folder))], ...more })
  writeFileSync(join(folder, 'release.json'), JSON.stringify(manifest, null, 2))
  return manifest
}

/** Makes a release below a folder, and a bundle of it. */
export const bundleIn = async (
  folder: string,
  more: Parameters<typeof releaseIn>[1] & { readonly keys?: readonly SigningKey[] } = {},
) => {
  const { keys = [signingKey()], ...release } = more
  mkdirSync(join(folder, 'release'), { recursive: true })
  const manifest = await releaseIn(join(folder, 'release'), release)
  const path = join(folder, 'release.vedette')
  await packBundle(join(folder, 'release'), keys, path, { level: 1 })
  return { path, manifest, keys, release: join(folder, 'release') }
}
