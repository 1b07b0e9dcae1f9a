// Plots the number that somebody chooses.
import { Curve, numbersOf } from './plot.js'
import { panel } from './vedette-panel.js'

const [streams, numbers, said, canvas] = ['stream', 'number', 'said', 'plot'].map((id) => document.getElementById(id))
let curve = new Curve()
let stop = () => {}

const fill = (select, names) => {
  const chosen = select.value
  select.replaceChildren(...names.map((name) => new Option(name, name, false, name === chosen)))
}

const draw = () => {
  const { clientWidth: width, clientHeight: height } = canvas
  const ratio = devicePixelRatio
  Object.assign(canvas, { width: width * ratio, height: height * ratio })
  const on = canvas.getContext('2d')
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name)
  on.scale(ratio, ratio)
  on.strokeStyle = colour('--line')
  on.strokeRect(0.5, 0.5, width - 1, height - 1)
  if (curve.points.length === 0) return
  on.strokeStyle = colour('--curve')
  on.lineWidth = 2
  on.beginPath()
  for (const [x, y] of curve.placesIn(width - 8, height - 8)) on.lineTo(x + 4, y + 4)
  on.stroke()
  const [least, most] = curve.range().map((each) => each.toPrecision(4))
  on.fillStyle = colour('--ink')
  on.font = '12px system-ui'
  on.fillText(most, 8, 16)
  on.fillText(least, 8, height - 8)
}

const take = ({ captured_us, outputs }) => {
  const found = numbersOf(outputs)
  if (found.size !== numbers.options.length) fill(numbers, [...found.keys()])
  const value = found.get(numbers.value)
  if (value === undefined) return
  curve.add(captured_us, value)
  said.textContent = `${numbers.value} is ${Number(value.toPrecision(6))}`
  draw()
}

const again = () => {
  curve = new Curve()
  draw()
}

const watch = () => {
  stop()
  again()
  stop = streams.value ? panel.watch(streams.value, take) : () => {}
}

streams.onchange = watch
numbers.onchange = again
panel.onTheme(draw)
panel.fitHeight()
panel.onSize(draw)

const { items } = await panel.read('/v1/streams')
fill(
  streams,
  items.map(({ id }) => id),
)
said.textContent = items.length === 0 ? 'There is no stream to watch; start one first' : 'Waiting for a frame'
watch()
