// What the registry knows of a type of node.
import type { TObject } from 'typebox'
import type { FieldLabels } from '../schema/label.ts'
import type { PortFormat, PortKind } from './kinds.ts'
import type { PluginStep } from './plugin-step.ts'

/**
 * A port of a node type. Inputs must be connected unless they are optional; of an output that is, nobody minds that
 * nothing reads it.
 */
export interface PortType {
  readonly name: string
  readonly kind: PortKind
  readonly optional?: true
  /** Of a port of kind image, and only there. */
  readonly format?: PortFormat
}

/** For people who look for a node. */
export const NODE_CATEGORIES = ['source', 'image', 'tags', 'colour', 'learned', 'plugins', 'other'] as const
export type NodeCategory = (typeof NODE_CATEGORIES)[number]

/** A node type. The order of its ports is the order of `inputs` and `outputs` in a plan's step. */
export interface NodeType {
  readonly category: NodeCategory
  readonly description: string
  readonly inputs: readonly PortType[]
  readonly outputs: readonly PortType[]
  readonly params: TObject
  /** What a form says of a parameter, where that does not follow from its name. */
  readonly labels?: FieldLabels
  /**
   * Parameters of which another value takes effect in the next frame, without another plan; the addon's
   * Node::set_params takes them.
   */
  readonly live?: readonly string[]
  /**
   * What a schema cannot say of parameters that pass it, as a parameter and a sentence about it; undefined when they
   * will do.
   */
  readonly refusal?: (params: Readonly<Record<string, unknown>>) => { param: string; message: string } | undefined
  /**
   * About how long it takes, on a machine on which 1280x800 pixels of libapriltag at decimate 2 take 20 ms: for each
   * frame, and for each pixel of its first picture; factor: what its parameters multiply that by.
   */
  readonly cost: {
    readonly us: number
    readonly ns_per_px?: number
    readonly factor?: (params: Readonly<Record<string, unknown>>) => number
  }
  /**
   * Pictures that it gives are as large as its parameters width_px and height_px say, null as its first one (`set`), or
   * at most that (`cut`); else as its first one.
   */
  readonly size?: 'set' | 'cut'
  /** Bytes for each pixel of its first picture, beyond what it gives. */
  readonly keeps?: number
  /** What it can do nothing without. */
  readonly needs?: 'intrinsics' | 'model'
  /** What does its work, where a plugin brings it. */
  readonly plugin?: PluginStep
}

/** Types by their names. */
export type NodeTypes = Readonly<Record<string, NodeType>>

export const imagePort = (format: PortFormat, name = 'image'): PortType => ({ name, kind: 'image', format })

/** Strict, as all parameters are: a name that is not known is a mistake. */
export const STRICT = { additionalProperties: false } as const
