// Pipelines to begin with, on the wire.
import { GraphDocument } from '../../machines/pipeline/graph.ts'
import { templates } from '../../machines/pipeline/templates.ts'
import { nearestName } from '../../machines/schema/nearest-name.ts'
import { quote } from '../../machines/schema/quote.ts'
import Type from '../../machines/schema/type.ts'
import { list } from '../endpoints/list.ts'
import { read } from '../endpoints/read.ts'
import { fault } from '../problems/problem.ts'
import { graphExample } from './wire.ts'

const strict = { additionalProperties: false } as const

const TemplateId = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,39}$',
  description: '1 to 40 lower-case letters, digits and -, beginning with a letter.',
  examples: ['apriltag-3d'],
})

const summaryFields = {
  id: TemplateId,
  name: Type.String({ description: 'For people.' }),
  description: Type.String({ description: 'What it finds, and what it needs.' }),
}

const TemplateSummary = Type.Object(summaryFields, {
  ...strict,
  title: 'TemplateSummary',
  description: 'A pipeline to begin with, without its graph.',
})

const Template = Type.Object(
  { ...summaryFields, graph: GraphDocument },
  { ...strict, title: 'Template', description: 'A pipeline to begin with. It runs as it is.' },
)

const summaryExample = { id: 'apriltag-2d', name: 'AprilTags in the picture', description: 'Finds AprilTags.' }

export const templateRows = [
  list('GET', '/v1/pipelines/templates', {
    name: 'TemplateList',
    isLasting: true,
    summary: 'Pipelines to begin with',
    order: 'Those that most teams want first.',
    item: TemplateSummary,
    example: summaryExample,
    items: () => templates.map(({ graph: _, ...summary }) => summary),
    keyOf: ({ id }) => id,
  }),

  read('GET', '/v1/pipelines/templates/:id', {
    params: { id: TemplateId },
    summary: 'One pipeline to begin with',
    about: 'Its graph can be stored or given to a stream as it is.',
    isLasting: true,
    answer: Template,
    example: { ...summaryExample, graph: graphExample },
    get: ({ params: { id } }) =>
      templates.find((each) => each.id === id) ??
      fault('template.not_found', `there is no template ${quote(id)}; ${instead(id)}`),
    faults: ['template.not_found'],
  }),
]

const instead = (id: string): string => {
  const meant = nearestName(
    id,
    templates.map((each) => each.id),
  )
  return meant === undefined ? 'GET /v1/pipelines/templates lists them' : `perhaps ${meant} is meant`
}
