import { pair } from './family.mjs'
import { published } from './published.mjs'

const edited = (schema, edit) => {
  // Copies through JSON text, so that an edit of a shared part changes one place only.
  const copy = JSON.parse(JSON.stringify(schema))
  edit(copy)
  return copy
}

/** An edit that narrows, one by one: the edited schema is strictly contained in the published one. */
const narrowings = {
  manifest: [
    (s) => s.required.push('license'),
    (s) => {
      s.properties.version.pattern = '^\\d'
    },
    (s) => {
      s.properties.keywords.uniqueItems = true
    },
    (s) => {
      s.additionalProperties = false
    },
    (s) => {
      s.definitions.person = { type: 'string' }
    },
    (s) => {
      s.properties.name.maxLength = 20
    },
    (s) => s.properties.bin.oneOf.pop(),
  ],
  pipeline: [
    (s) => {
      s.properties.stages.maxItems = 3
    },
    (s) => s.definitions.when.enum.pop(),
    (s) => {
      s.definitions.job.properties.parallel.maximum = 10
    },
    (s) => {
      s.definitions.job.required = ['script']
    },
    (s) => {
      s.additionalProperties = { allOf: [s.additionalProperties, { required: ['stage'] }] }
    },
    (s) => {
      s.definitions.variables.additionalProperties.type = ['string']
    },
  ],
  geometry: [
    (s) => {
      s.definitions.position.maxItems = 2
    },
    (s) => s.oneOf.pop(),
    (s) => s.definitions.geometry.oneOf.pop(),
    (s) => s.definitions.feature.required.push('id'),
    (s) => {
      s.definitions.feature.properties.properties = { type: 'object' }
    },
  ],
  description: [
    (s) => s.definitions.operation.required.push('operationId'),
    (s) => {
      s.properties.openapi.pattern = '^3\\.0\\.[0-3]$'
    },
    (s) => {
      s.definitions.parameter.properties.in.enum = ['path', 'query', 'header']
    },
    (s) => {
      delete s.definitions.parameter.patternProperties
    },
    (s) => {
      s.properties.servers.minItems = 1
    },
    (s) => {
      s.definitions.schema.properties.multipleOf.minimum = 1
    },
  ],
  workload: [
    (s) => {
      s.properties.spec.properties.replicas.minimum = 1
    },
    (s) => s.definitions.container.required.push('image'),
    (s) => {
      s.definitions.container.properties.ports.items.properties.containerPort.minimum = 1024
    },
    (s) =>
      (s.definitions.metadata.properties.labels = {
        type: 'object',
        additionalProperties: { type: 'string', maxLength: 63 },
      }),
    (s) => {
      s.additionalProperties = false
    },
  ],
  wide: [
    (s) => {
      s.properties.field7.minimum = 0
    },
    (s) => s.required.push('field149'),
    (s) => {
      delete s.properties.field146
    },
    (s) => {
      s.properties.field77.required = ['id']
    },
    (s) => {
      s.properties.field4.items = { type: 'integer' }
    },
  ],
}

export const realWorld = Object.entries(narrowings).flatMap(([name, edits]) => {
  const [dialect, schema] = published[name]
  const singles = edits.map((edit) => edited(schema, edit))
  const all = edited(schema, (copy) => {
    for (const edit of edits) edit(copy)
  })
  return [
    ...singles.flatMap((narrow) => [
      pair(name, dialect, narrow, schema, true),
      pair(name, dialect, schema, narrow, false),
      pair(name, dialect, all, narrow, true),
      pair(name, dialect, narrow, all, false),
    ]),
    ...singles.flatMap((a, i) =>
      singles.flatMap((b, j) => (i === j ? [] : [pair(name, dialect, a, b, false)])),
    ),
  ]
})
