// Pipelines: what they can be made of, whether one can run, and those that are stored.
import { areaOf } from '../endpoints/area.ts'
import { area } from '../endpoints/endpoint.ts'
import { graphRows } from './graphs.ts'
import { pipelineNeeds } from './parts.ts'
import { registryRow } from './registry.ts'
import { templateRows } from './templates.ts'
import { validateRow } from './validate.ts'

export const pipelineArea = areaOf(pipelineNeeds, (parts) =>
  area('pipelines', 'What streams compute: types of nodes, the planner, and pipelines that are stored.', [
    ...graphRows(parts),
    registryRow(parts),
    ...templateRows,
    validateRow(parts),
  ]),
)
