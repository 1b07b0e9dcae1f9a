// The planner's findings on the wire.
import { Diagnostic } from '../../machines/pipeline/diagnostic.ts'
import type { PlanContext, Report } from '../../machines/pipeline/examine.ts'
import type { GraphDraft } from '../../machines/pipeline/graph.ts'
import { DEFAULT_PICTURE } from '../../machines/pipeline/planning/cost.ts'
import { PortKindName } from '../../machines/pipeline/port-kind-name.ts'
import { orNull } from '../../machines/schema/or-null.ts'
import Type from '../../machines/schema/type.ts'

const strict = { additionalProperties: false } as const
/** Fields that tell whether a graph can run. */
export const verdictFields = {
  runnable: Type.Boolean({ description: 'Whether it can run: there is no error among the diagnostics.' }),
  diagnostics: Type.Array(Diagnostic, { description: 'Errors first.' }),
  diagnostics_left_out: Type.Integer({ minimum: 0, description: 'How many more there are.' }),
}

const PlanSummary = Type.Object(
  {
    steps: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'Under which it stands in the figures of a stream.' }),
          type: Type.String(),
          nodes: Type.Array(Type.String(), {
            description:
              'The nodes whose work it does: several, where they do the same; none, where the planner inserted it.',
          }),
          inserted: Type.Boolean({ description: 'Whether the planner inserted it, to make grey of colour.' }),
          cost_us: Type.Number({ minimum: 0, description: 'About how long it takes for each frame.' }),
          for_pictures: Type.Boolean({
            description: 'Whether nothing but pictures needs it: it runs only while somebody watches these.',
          }),
        },
        { ...strict, title: 'PlanStep', description: 'A step of a plan.' },
      ),
      { description: 'In the order in which they run.' },
    ),
    outputs: Type.Array(
      Type.Object(
        { port: Type.String(), kind: PortKindName, from: Type.String({ description: '`<node>.<port>`.' }) },
        { ...strict, title: 'PlanOutput', description: 'An output of a plan.' },
      ),
    ),
    unused: Type.Array(Type.String(), { description: 'Nodes that lead to no output, so that they do not run.' }),
    cost_us: Type.Number({
      minimum: 0,
      description: 'About how long the steps take for each frame, without those that only pictures need.',
    }),
    pictures_cost_us: Type.Number({
      minimum: 0,
      description: 'About how long the others take in addition, for a frame of which somebody watches all pictures.',
    }),
    budget_us: orNull(
      Type.Number(),
      'Between two frames of the stream; null: no stream was named, or its pictures wait for the pipeline.',
    ),
    picture: Type.Object(
      {
        width_px: Type.Integer({ description: 'From side to side.' }),
        height_px: Type.Integer({ description: 'From top to bottom.' }),
        known: Type.Boolean({ description: 'false: a usual size was taken, for want of the true one.' }),
      },
      { ...strict, title: 'PlannedPicture', description: 'The picture of the source that the cost was estimated for.' },
    ),
  },
  { ...strict, title: 'PlanSummary', description: 'What an engine would run.' },
)

/** The answer about a graph. */
export const PlannerReport = Type.Object(
  { ...verdictFields, plan: orNull(PlanSummary, 'null: it cannot run.') },
  { ...strict, title: 'PlannerReport', description: 'What the planner says about a graph.' },
)

/** Whether a graph can run, as a document. */
export const verdictOf = ({ runnable, diagnostics, left_out }: Report) => ({
  runnable,
  diagnostics: [...diagnostics],
  diagnostics_left_out: left_out,
})

export const reportOf = (graph: GraphDraft, report: Report, context: PlanContext) => ({
  ...verdictOf(report),
  plan: summaryOf(graph, report, context),
})

const summaryOf = (graph: GraphDraft, { planned, cost }: Report, { picture, fps }: PlanContext) => {
  if (!planned || !cost) return null
  const sharing = Map.groupBy(planned.shared, ({ step }) => step)
  const inserted = new Set(planned.inserted.map(({ id }) => id))
  const from = new Map(graph.outputs.map((output) => [output.port, output.from]))
  return {
    steps: cost.steps.map(({ id, type, us, forPictures }) => ({
      id,
      type,
      nodes: inserted.has(id) ? [] : [id, ...(sharing.get(id) ?? []).map(({ node }) => node.id)],
      inserted: inserted.has(id),
      cost_us: us,
      for_pictures: forPictures,
    })),
    outputs: planned.plan.outputs.map(({ port, kind }) => ({ port, kind, from: from.get(port) ?? '' })),
    unused: [...planned.unused],
    cost_us: cost.us,
    pictures_cost_us: cost.pictures_us,
    budget_us: fps === null ? null : Math.round(1e6 / fps),
    picture: { ...(picture ?? DEFAULT_PICTURE), known: picture !== null },
  }
}

export const reportExample = {
  runnable: true,
  diagnostics: [],
  diagnostics_left_out: 0,
  plan: {
    steps: [
      { id: 'source', type: 'source', nodes: ['source'], inserted: false, cost_us: 3082, for_pictures: false },
      { id: 'tags', type: 'apriltag', nodes: ['tags'], inserted: false, cost_us: 20_680, for_pictures: false },
    ],
    outputs: [{ port: 'tags', kind: 'detections', from: 'tags.detections' }],
    unused: [],
    cost_us: 23_762,
    pictures_cost_us: 0,
    budget_us: 33_333,
    picture: { width_px: 1280, height_px: 800, known: true },
  },
}
