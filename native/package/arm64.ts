// Builds the addons for arm64 on an x64 machine: Debian's cross compiler, and Debian's own libraries of arm64 unpacked
// into a folder. Nothing is installed on the machine, and no foreign architecture is added to it.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cachedFolder } from './cache.ts'
import { type Parts, requireAll, VISION_ADDONS, VISION_PROGRAMS } from './parts.ts'

const TRIPLET = 'aarch64-linux-gnu'
const CHIP = 'arm64'

/** What compiling takes. libc6-dev stays out: its scripts for the linker would win over those of the compiler. */
const TO_COMPILE = [
  ...['libapriltag-dev', 'libturbojpeg0-dev', 'libjpeg62-turbo-dev', 'libpng-dev', 'libzxing-dev'],
  ...['libopencv-core-dev', 'libopencv-imgproc-dev', 'libopencv-calib3d-dev', 'libcurl4-openssl-dev'],
  ...['libavformat-dev', 'libavcodec-dev', 'libavutil-dev', 'libswresample-dev'],
]

/** What is run there needs these, and all that they need: names as of the package's dependencies. */
export const arm64System = (dependencies: readonly string[]): string => {
  const names = dependencies.map((each) => each.replace(/ .*/, '')).toSorted()
  return cachedFolder('arm64', [names, TO_COMPILE], (folder) => {
    const apt = mkdtempSync(join(tmpdir(), 'vedette-apt-'))
    for (const each of ['state/lists/partial', 'cache/archives/partial', 'dev'])
      mkdirSync(join(apt, each), { recursive: true })
    writeFileSync(join(apt, 'status'), '')
    const options = [
      ...[`Dir::State=${apt}/state`, `Dir::State::status=${apt}/status`, `Dir::Cache=${apt}/cache`],
      ...[`APT::Architecture=${CHIP}`, `APT::Architectures=${CHIP}`, 'APT::Sandbox::User=root'],
      ...['APT::Keep-Downloaded-Packages=true', 'Debug::NoLocking=1'],
    ].flatMap((option) => ['-o', option])
    const run = (args: readonly string[], cwd: string) =>
      execFileSync('apt-get', ['-qq', ...options, ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
    run(['update'], apt)
    run(['install', '--download-only', '-y', '--no-install-recommends', ...names], apt)
    run(['download', ...TO_COMPILE], join(apt, 'dev'))
    for (const archive of [...archivesIn(join(apt, 'cache/archives')), ...archivesIn(join(apt, 'dev'))])
      execFileSync('dpkg-deb', ['-x', archive, folder])
    rmSync(apt, { recursive: true })
    linkAlternatives(folder)
  })
}

const archivesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => join(folder, name))

/** BLAS and LAPACK lie in folders of their own, which a script of their packages would choose among. */
const linkAlternatives = (system: string): void => {
  const libraries = join(system, 'usr/lib', TRIPLET)
  for (const path of globSync('{blas,lapack}/*.so.*', { cwd: libraries })) {
    const name = path.replace(/^\w+\//, '')
    if (!existsSync(join(libraries, name))) symlinkSync(path, join(libraries, name))
  }
}

/** What npm brings for it. */
const modulesOf = (root: string): string => {
  const files = ['package.json', 'package-lock.json', '.npmrc']
  const madeOf = files.map((name) => readFileSync(join(root, name), 'utf8'))
  const folder = cachedFolder('arm64-npm', madeOf, (into) => {
    for (const name of files) cpSync(join(root, name), join(into, name))
    for (const [, path = ''] of readFileSync(join(root, 'package.json'), 'utf8').matchAll(/"file:([^"]+)"/g))
      cpSync(join(root, path), join(into, path), { recursive: true })
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--os=linux', `--cpu=${CHIP}`, '--libc=glibc'], {
      cwd: into,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  })
  return join(folder, 'node_modules')
}

/** The command that compiles for it, as make's CXX. Paths are not told to what is compiled. */
export const arm64Compiler = (system: string): string =>
  [
    `${TRIPLET}-g++`,
    `-ffile-prefix-map=${system}=`,
    ...['usr/include', `usr/include/${TRIPLET}`, 'usr/include/opencv4', `usr/include/${TRIPLET}/opencv4`].map(
      (folder) => `-isystem ${join(system, folder)}`,
    ),
    `-L${join(system, 'usr/lib', TRIPLET)}`,
    '-Wl,--allow-shlib-undefined',
  ].join(' ')

/** What is built, by the folder that it is built in. */
const TARGETS = {
  addon: [...VISION_ADDONS, ...VISION_PROGRAMS],
  libav: ['vedette_libav.node', 'codecs'],
  notify: ['notify.node'],
} as const

/** Those of arm64; what has not changed is not built again. dependencies: of the package, recommended ones too. */
export const partsOfArm64 = (root: string, dependencies: readonly string[]): Parts => {
  const system = arm64System(dependencies)
  const built = (name: keyof typeof TARGETS): string => {
    const folder = join(root, 'native', name, 'build', CHIP)
    mkdirSync(folder, { recursive: true })
    const targets = TARGETS[name].map((target) => join(folder, target))
    execFileSync(
      'make',
      ['-s', '-j2', '-C', `native/${name}`, `BUILD=${folder}`, `CXX=${arm64Compiler(system)}`, ...targets],
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    )
    return folder
  }
  return requireAll({
    arch: 'arm64',
    addon: built('addon'),
    libav: built('libav'),
    notify: built('notify'),
    modules: modulesOf(root),
    strip: `${TRIPLET}-strip`,
  })
}
