// A place for three dimensions: a canvas, an eye that one can move, and one picture for each change. z is up.
import { Color, HemisphereLight, PerspectiveCamera, Scene, type Vector3, WebGLRenderer } from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { goAround, heightDegOf, type Viewpoint } from './scene-view.ts'

const NEAREST_M = 0.02
const FARTHEST_M = 200
const STEP_DEG = 6
const STEP_TIMES = 1.15
const MAX_PIXELS_A_POINT = 2

/** What a key does: to the right, up, how many times as far. */
const KEYS: Readonly<Record<string, readonly [number, number, number]>> = {
  ArrowLeft: [-STEP_DEG, 0, 1],
  ArrowRight: [STEP_DEG, 0, 1],
  ArrowUp: [0, STEP_DEG, 1],
  ArrowDown: [0, -STEP_DEG, 1],
  '+': [0, 0, 1 / STEP_TIMES],
  '=': [0, 0, 1 / STEP_TIMES],
  '-': [0, 0, STEP_TIMES],
}

/** Whether this browser can draw in three dimensions. */
export const hasThreeDimensions = (): boolean => {
  const context = document.createElement('canvas').getContext('webgl2')
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}

/** One canvas. All of it is given back by `dispose`, but for what stands in the scene. */
export class Stage {
  readonly scene = new Scene()
  readonly #canvas: HTMLCanvasElement
  readonly #renderer: WebGLRenderer
  readonly #eye = new PerspectiveCamera(50, 1, NEAREST_M, FARTHEST_M)
  #controls: OrbitControls
  #view: Viewpoint | undefined
  #frame: number | undefined

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas
    this.#renderer = new WebGLRenderer({ canvas, antialias: true })
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, MAX_PIXELS_A_POINT))
    this.scene.add(new HemisphereLight(0xffffff, 0x888888, 3))
    this.#eye.up.set(0, 0, 1)
    this.#controls = this.#newControls()
    canvas.addEventListener('keydown', this.#press)
  }

  /** Draws with the next picture of the screen. */
  draw(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.#renderer.render(this.scene, this.#eye)
    })
  }

  /** Sets what is behind everything. */
  setGround(colour: string): void {
    this.scene.background = new Color(colour)
  }

  /** Says how large the canvas is on the page. */
  resize(width_px: number, height_px: number): void {
    this.#renderer.setSize(width_px, height_px, false)
    this.#eye.aspect = width_px / height_px
    this.#fit()
  }

  /** Looks from there. */
  look(view: Viewpoint): void {
    if (this.#view?.canTurn !== view.canTurn) {
      this.#controls.dispose()
      this.#eye.up.set(0, 0, 1)
      this.#controls = this.#newControls()
      this.#controls.enabled = view.canTurn
    }
    this.#view = view
    this.#eye.up.set(...view.up)
    this.#eye.position.set(...view.from)
    if (view.canTurn) {
      this.#controls.target.set(...view.at)
      this.#controls.update()
    } else this.#eye.lookAt(...view.at)
    this.#fit()
  }

  /** Gives everything of the canvas back. */
  dispose(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#canvas.removeEventListener('keydown', this.#press)
    this.#controls.dispose()
    this.#renderer.dispose()
    this.#renderer.forceContextLoss()
  }

  #newControls(): OrbitControls {
    const controls = new OrbitControls(this.#eye, this.#canvas)
    controls.maxPolarAngle = Math.PI / 2 + 0.1 // not from below the floor
    controls.addEventListener('change', () => this.draw())
    return controls
  }

  #fit(): void {
    if (this.#view) this.#eye.fov = heightDegOf(this.#view.reach, this.#eye.aspect)
    this.#eye.updateProjectionMatrix()
    this.draw()
  }

  readonly #press = (event: KeyboardEvent): void => {
    const step = KEYS[event.key]
    if (!step || !this.#view?.canTurn || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const { target } = this.#controls
    const [right, up, times] = step
    const pointOf = ({ x, y, z }: Vector3) => [x, y, z] as const
    this.#eye.position.set(...goAround(pointOf(this.#eye.position), pointOf(target), right, up, times))
    this.#controls.update()
    this.draw()
  }
}
