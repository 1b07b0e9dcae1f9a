// The field from above: its outline, its tags, the robot as it was solved, and as it really is.

const SVG = 'http://www.w3.org/2000/svg'
const MARGIN_M = 0.4
const ROBOT_M = 1.1 // drawn larger than life, or it could not be seen

const shape = (name, attributes) => {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}

/** An arrow of the robot's size that points along +x. */
const arrow = (kind) => {
  const nose = ROBOT_M * 0.75
  const tail = ROBOT_M * 0.5
  return shape('path', {
    class: kind,
    d: `M${nose} 0 L${-tail} ${tail} L${-tail * 0.5} 0 L${-tail} ${-tail} Z`,
    'stroke-width': 0.1,
    visibility: 'hidden',
  })
}

/**
 * Draws a field map into an svg; returns a function that moves the two robots. Poses: x_m, y_m, yaw_deg; null: not
 * known.
 */
export const drawField = (svg, map) => {
  const { length_m, width_m, tags } = map
  svg.setAttribute('viewBox', [-MARGIN_M, -MARGIN_M, length_m + 2 * MARGIN_M, width_m + 2 * MARGIN_M].join(' '))
  const plan = shape('g', { transform: `translate(0 ${width_m}) scale(1 -1)` }) // y points up on a field
  plan.append(shape('rect', { class: 'ground', width: length_m, height: width_m, rx: 0.1, 'stroke-width': 0.06 }))
  for (const { pose } of tags) {
    plan.append(
      shape('path', {
        class: 'tag',
        d: 'M0 -0.22 V0.22',
        'stroke-width': 0.14,
        transform: `translate(${pose.x_m} ${pose.y_m}) rotate(${pose.yaw_deg})`,
      }),
    )
  }
  const solved = arrow('solved')
  const truth = arrow('true')
  plan.append(solved, truth)
  svg.replaceChildren(plan)
  return (solvedPose, truePose) => {
    place(solved, solvedPose)
    place(truth, truePose)
  }
}

const place = (robot, pose) => {
  robot.setAttribute('visibility', pose ? 'visible' : 'hidden')
  if (pose) robot.setAttribute('transform', `translate(${pose.x_m} ${pose.y_m}) rotate(${pose.yaw_deg})`)
}
