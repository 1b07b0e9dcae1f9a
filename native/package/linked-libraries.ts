// The libraries of the system that a release is linked with. They are no part of it: the package depends on those of
// Debian that bring them.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A package of Debian that a release needs. */
export interface LinkedLibrary {
  readonly name: string
  readonly version: string
  /** Its terms. */
  readonly copyright: string
}

/** As a line of the control file: `libc6 (>= 2.36), libcurl4`. Debian's own tool knows from which version on. */
export const dependenciesOf = (binaries: readonly string[]): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-package-'))
  try {
    mkdirSync(join(folder, 'debian'))
    writeFileSync(join(folder, 'debian/control'), 'Source: vedette\n\nPackage: vedette\nArchitecture: any\n')
    const said = execFileSync('dpkg-shlibdeps', ['-O', '--warnings=0', ...binaries.flatMap((each) => ['-e', each])], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return said
      .trim()
      .replace(/^shlibs:Depends=/, '')
      .split(', ')
      .sort()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What this machine has of them: what was built here is made for these. dependencies: as of dependenciesOf. */
export const linkedLibraries = (dependencies: readonly string[]): readonly LinkedLibrary[] =>
  [...new Set(dependencies.map((each) => each.replace(/[ (|].*/, '')))].map((name) => ({
    name,
    version: /^Version: (.*)$/m.exec(execFileSync('dpkg-query', ['-s', name], { encoding: 'utf8' }))?.[1] ?? '',
    copyright: copyrightOf(name),
  }))

const copyrightOf = (name: string): string => {
  const path = `/usr/share/doc/${name}/copyright`
  return existsSync(path) ? readFileSync(path, 'utf8') : `See /usr/share/doc/${name}/copyright where it is installed.\n`
}
