// A robot's dashboard by other people: `ntcore-ts-client`. It has defects of its own (docs/decisions), so only what
// works in it is used.
import type { TestContext } from 'node:test'
import { NetworkTables, type NetworkTablesTypeInfo, NetworkTablesTypeInfos } from 'ntcore-ts-client'
import { until } from '../until.ts'

/** A connected client of a server on this machine. */
export interface Stranger {
  /** Collects every value of a topic. */
  readonly listen: <Value>(name: string, type: NetworkTablesTypeInfo) => readonly Value[]
  /** Publishes a topic, and writes to it each time that it is called. */
  readonly publisher: (name: string) => Promise<(value: number) => void>
}

/** Connects. */
export const stranger = async (t: TestContext, port: number): Promise<Stranger> => {
  for (const method of ['info', 'warn', 'error'] as const) t.mock.method(console, method, () => {})
  const tables = NetworkTables.getInstanceByURI('127.0.0.1', port)
  tables.client.messenger.socket.stopAutoConnect() // or it would dial on for ever once the server is gone
  await until('the connection of the third-party client', () => tables.isRobotConnected())
  return {
    listen: <Value>(name: string, type: NetworkTablesTypeInfo) => {
      const heard: Value[] = []
      const hear = (value: unknown) => {
        if (value !== null) heard.push(value as Value)
      }
      tables.createTopic(name, type).subscribe(hear, { all: true, periodic: 0.01 })
      return heard
    },
    publisher: async (name) => {
      const topic = tables.createTopic<number>(name, NetworkTablesTypeInfos.kDouble)
      await topic.publish()
      return (value) => topic.setValue(value)
    },
  }
}
