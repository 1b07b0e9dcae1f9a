// Receives pictures and draws them with what was found in them, apart from the page: one worker for all that it shows.
import type { Order, Report } from './messages.ts'
import { Picture } from './picture.ts'

const pictures = new Map<number, Picture>()

const report = (message: Report): void => postMessage(message)

const carryOut = (order: Order): void => {
  const { id } = order
  if (order.kind === 'open') {
    pictures.set(id, new Picture(id, order.canvas, order.look, report))
    return
  }
  const picture = pictures.get(id)
  if (order.kind === 'source') picture?.setSource(order.source)
  if (order.kind === 'look') picture?.setLook(order.look)
  if (order.kind === 'watch') picture?.setSeen(order.isSeen)
  if (order.kind === 'hold') picture?.setHold(order.hold)
  if (order.kind === 'redial') picture?.redial()
  if (order.kind === 'close') {
    picture?.close()
    pictures.delete(id)
  }
}

addEventListener('message', ({ data }: MessageEvent<Order>) => carryOut(data))
