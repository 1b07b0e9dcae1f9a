// How a service is put together.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../../actors/directory.ts'
import { allAreas } from '../../../api/areas.ts'
import { token } from '../../../machines/token.ts'
import type { Branch } from '../../../supervisors/composition/branch.ts'
import { branch, port } from '../../../supervisors/composition/branch.ts'
import { compose, devicePorts, fakePorts, type Service } from '../../../supervisors/composition/compose.ts'
import { type Binding, offer, value } from '../../../supervisors/composition/container.ts'
import { OPTIONS } from '../../../supervisors/composition/tokens.ts'
import { defaultOptions } from '../../../supervisors/options.ts'
import { tree } from '../../../supervisors/tree.ts'

const options = { ...defaultOptions(), dataDir: '/nowhere', tls: { host: '127.0.0.1', port: 0 } }

/** What is seen of a service of these branches. */
const composed = <Seen>(
  branches: readonly Branch[],
  ports: readonly Binding[],
  look: (service: Service) => Seen,
): Seen =>
  Effect.runSync(
    Effect.scoped(Effect.map(compose({ branches, options, ports, log: () => {}, version: '1.2.3' }), look)),
  )

interface Lamp {
  readonly colour: string
}

const LAMP = token<Lamp>('lamp')
const SHADOW = token<string>('shadow')

/** A branch with a port. made: told of each lamp that is made. */
const lampBranch = (made: () => void) =>
  branch({
    ports: [
      port(LAMP, {
        needs: { options: OPTIONS },
        device: ({ dataDir }) => ({ colour: dataDir }),
        fake: ({ options }) => {
          made()
          return { colour: `fake in ${options.dataDir}` }
        },
      }),
    ],
    offers: [offer(SHADOW, { lamp: LAMP }, ({ lamp }) => `of ${lamp.colour}`)],
    needs: {},
    start: () => Effect.void,
  })

test('all that branches and areas need is there, on the ports of a device and on fakes', () => {
  for (const ports of [devicePorts(tree, options), fakePorts(tree)])
    composed(tree, ports, ({ resolve }) => {
      const areas = allAreas(resolve)
      for (const each of tree) each.start(resolve) // names what it starts, and runs nothing yet
      for (const { close } of areas) close?.()
      assert.equal(resolve(DIRECTORY).identity.version, '1.2.3')
    })
  assert.ok(!existsSync('/nowhere'))
})

test('a thing is made when it is first needed, once for each service', () => {
  let made = 0
  const branches = [
    lampBranch(() => {
      made += 1
    }),
  ]

  const colours = [1, 2].map(() =>
    composed(branches, fakePorts(branches), ({ resolve }) => {
      const before = made
      const shadow = resolve(SHADOW)
      assert.equal(resolve(LAMP), resolve(LAMP))
      assert.equal(made, before + 1)
      return shadow
    }),
  )

  assert.deepEqual(colours, ['of fake in /nowhere', 'of fake in /nowhere'])
})

test('a port of the device comes of the options, and the last one that is given counts', () => {
  const branches = [lampBranch(() => {})]
  const colour = ({ resolve }: Service) => resolve(LAMP).colour

  assert.equal(composed(branches, devicePorts(branches, options), colour), '/nowhere')
  assert.equal(composed(branches, [...fakePorts(branches), value(LAMP, { colour: 'mine' })], colour), 'mine')
})

test('what nobody offers is an error that names it', () => {
  assert.throws(() => composed([], fakePorts([]), ({ resolve }) => resolve(LAMP)), /lamp/)
})
