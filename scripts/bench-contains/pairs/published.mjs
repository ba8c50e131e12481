import { array, boolean, closed, integer, needs, number, object, string } from './family.mjs'

const to = (name) => ({ $ref: `#/definitions/${name}` })
const map = (additionalProperties) => ({ type: 'object', additionalProperties })
const strings = array(string)

const manifest = {
  $schema: 'http://json-schema.org/draft-04/schema#',
  title: 'A package manifest',
  definitions: {
    person: {
      anyOf: [
        string,
        object(
          {
            name: string,
            email: { type: 'string', format: 'email' },
            url: { type: 'string', format: 'uri' },
          },
          needs('name'),
        ),
      ],
    },
    dependencies: map(string),
    license: { anyOf: [string, { enum: ['MIT', 'ISC', 'Apache-2.0', 'UNLICENSED'] }] },
  },
  type: 'object',
  properties: {
    name: {
      type: 'string',
      maxLength: 214,
      minLength: 1,
      pattern: '^(?:@[a-z0-9-*~][a-z0-9-*._~]*/)?[a-z0-9-~][a-z0-9-._~]*$',
    },
    version: string,
    keywords: strings,
    license: to('license'),
    author: to('person'),
    contributors: array(to('person')),
    files: strings,
    main: string,
    bin: { oneOf: [string, map(string)] },
    scripts: map(string),
    dependencies: to('dependencies'),
    devDependencies: to('dependencies'),
    engines: { type: 'object', properties: { node: string }, additionalProperties: string },
    private: { oneOf: [boolean, { enum: ['false', 'true'] }] },
    exports: { oneOf: [string, map({ oneOf: [string, { type: 'null' }, map(string)] })] },
    workspaces: { anyOf: [strings, object({ packages: strings, nohoist: strings })] },
  },
  patternProperties: { '^_': {} },
  required: ['name', 'version'],
}

const pipeline = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  definitions: {
    script: { oneOf: [string, { type: 'array', items: string, minItems: 1 }] },
    when: { enum: ['on_success', 'on_failure', 'always', 'manual'] },
    variables: { type: 'object', additionalProperties: { type: ['string', 'integer', 'boolean'] } },
    job: {
      type: 'object',
      properties: {
        script: to('script'),
        stage: string,
        image: {
          oneOf: [
            string,
            object({ name: { type: 'string', minLength: 1 }, entrypoint: strings }, needs('name')),
          ],
        },
        when: to('when'),
        retry: {
          oneOf: [
            { type: 'integer', minimum: 0, maximum: 2 },
            closed({
              max: { type: 'integer', minimum: 0, maximum: 2 },
              when: array({ enum: ['always', 'runner_failure'] }, { uniqueItems: true }),
            }),
          ],
        },
        needs: array({ oneOf: [string, closed({ job: string, artifacts: boolean }, needs('job'))] }),
        parallel: { type: 'integer', minimum: 2, maximum: 50 },
        timeout: { type: 'string', minLength: 1 },
        only: { oneOf: [strings, closed({ refs: strings, changes: strings })] },
        variables: to('variables'),
      },
      additionalProperties: false,
      if: { properties: { when: { const: 'manual' } }, required: ['when'] },
      then: { not: needs('parallel') },
    },
  },
  type: 'object',
  properties: {
    stages: { type: 'array', items: string, uniqueItems: true, minItems: 1 },
    variables: to('variables'),
    image: string,
    default: { type: 'object', properties: { retry: { type: 'integer' }, image: string } },
  },
  patternProperties: { '^[.]': { anyOf: [to('job'), { type: 'object' }] } },
  additionalProperties: to('job'),
}

const position = array(number, { minItems: 2, maxItems: 4 })
const geometry = (type, coordinates) =>
  object(
    { type: { enum: [type] }, coordinates, bbox: array(number, { minItems: 4 }) },
    needs('type', 'coordinates'),
  )
const ring = array(to('position'), { minItems: 4 })
const map2d = {
  definitions: {
    position,
    geometry: {
      oneOf: [
        geometry('Point', to('position')),
        geometry('LineString', array(to('position'), { minItems: 2 })),
        geometry('Polygon', array(ring)),
        geometry('MultiPolygon', array(array(ring))),
        object(
          { type: { enum: ['GeometryCollection'] }, geometries: array(to('geometry')) },
          needs('type', 'geometries'),
        ),
      ],
    },
    feature: object(
      {
        type: { enum: ['Feature'] },
        geometry: { oneOf: [{ type: 'null' }, to('geometry')] },
        properties: { type: ['object', 'null'] },
        id: { type: ['number', 'string'] },
      },
      needs('type', 'geometry', 'properties'),
    ),
  },
  oneOf: [
    to('geometry'),
    to('feature'),
    object(
      { type: { enum: ['FeatureCollection'] }, features: array(to('feature')) },
      needs('type', 'features'),
    ),
  ],
}

const parameter = {
  type: 'object',
  required: ['name', 'in'],
  properties: {
    name: string,
    in: { enum: ['path', 'query', 'header', 'cookie'] },
    required: boolean,
    schema: { oneOf: [to('schema'), to('reference')] },
    content: map({ type: 'object' }),
    style: string,
  },
  patternProperties: { '^x-': {} },
  additionalProperties: false,
  allOf: [
    { oneOf: [needs('schema'), needs('content')] },
    {
      if: { properties: { in: { enum: ['path'] } } },
      then: { properties: { required: { enum: [true] } }, required: ['required'] },
    },
  ],
}
const description = {
  definitions: {
    reference: {
      type: 'object',
      required: ['$ref'],
      patternProperties: { '^\\$ref$': { type: 'string', format: 'uri-reference' } },
    },
    schema: {
      type: 'object',
      properties: {
        type: { enum: ['array', 'boolean', 'integer', 'number', 'object', 'string'] },
        multipleOf: { type: 'number', exclusiveMinimum: 0 },
        maxLength: { type: 'integer', minimum: 0 },
        required: array(string, { minItems: 1, uniqueItems: true }),
        enum: { type: 'array', minItems: 1 },
        items: { oneOf: [to('schema'), to('reference')] },
        properties: map({ oneOf: [to('schema'), to('reference')] }),
        allOf: array({ oneOf: [to('schema'), to('reference')] }),
        not: { oneOf: [to('schema'), to('reference')] },
      },
      patternProperties: { '^x-': {} },
      additionalProperties: false,
    },
    parameter,
    operation: {
      type: 'object',
      required: ['responses'],
      properties: {
        operationId: string,
        tags: strings,
        parameters: array({ oneOf: [to('parameter'), to('reference')] }, { uniqueItems: true }),
        responses: {
          type: 'object',
          properties: { default: to('response') },
          patternProperties: { '^[1-5](?:\\d{2}|XX)$': to('response'), '^x-': {} },
          minProperties: 1,
          additionalProperties: false,
        },
        deprecated: boolean,
      },
      patternProperties: { '^x-': {} },
      additionalProperties: false,
    },
    response: {
      type: 'object',
      required: ['description'],
      properties: { description: string, content: map({ type: 'object' }) },
      patternProperties: { '^x-': {} },
      additionalProperties: false,
    },
  },
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  properties: {
    openapi: { type: 'string', pattern: '^3\\.0\\.\\d(-.+)?$' },
    info: closed(
      { title: string, version: string, contact: object({ email: { type: 'string', format: 'email' } }) },
      needs('title', 'version'),
    ),
    servers: array(object({ url: string }, needs('url'))),
    paths: {
      type: 'object',
      patternProperties: {
        '^\\/': { type: 'object', patternProperties: { '^(get|put|post|delete|patch)$': to('operation') } },
        '^x-': {},
      },
      additionalProperties: false,
    },
  },
  patternProperties: { '^x-': {} },
  additionalProperties: false,
}

const metadata = object({
  name: { type: 'string', maxLength: 253, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' },
  namespace: string,
  labels: map(string),
  annotations: map(string),
  generation: { type: 'integer', format: 'int64' },
})
const container = object(
  {
    name: string,
    image: string,
    command: strings,
    args: strings,
    env: array(object({ name: string, value: string }, needs('name'))),
    ports: array(
      object(
        {
          containerPort: { type: 'integer', minimum: 1, maximum: 65535 },
          protocol: { enum: ['TCP', 'UDP', 'SCTP'] },
        },
        needs('containerPort'),
      ),
    ),
    resources: object({
      limits: map({ type: ['string', 'number'] }),
      requests: map({ type: ['string', 'number'] }),
    }),
    imagePullPolicy: { enum: ['Always', 'Never', 'IfNotPresent'] },
  },
  needs('name'),
)
const workload = (kind) => ({
  definitions: {
    metadata,
    container,
    pod: object({
      metadata: to('metadata'),
      spec: object(
        {
          containers: array(to('container'), { minItems: 1 }),
          initContainers: array(to('container')),
          restartPolicy: { enum: ['Always', 'OnFailure', 'Never'] },
        },
        needs('containers'),
      ),
    }),
  },
  type: 'object',
  properties: {
    apiVersion: { enum: ['apps/v1'] },
    kind: { enum: [kind] },
    metadata: to('metadata'),
    spec: object(
      {
        replicas: { type: 'integer', format: 'int32', minimum: 0 },
        template: to('pod'),
        selector: object({ matchLabels: map(string) }),
      },
      needs('template', 'selector'),
    ),
  },
  required: ['apiVersion', 'kind', 'spec'],
})

const wide = closed(
  Object.fromEntries(
    Array.from({ length: 150 }, (_, i) => [
      `field${i}`,
      [
        string,
        integer,
        boolean,
        { type: ['string', 'null'], maxLength: i },
        array(number),
        object({ id: integer, [`sub${i}`]: string }),
      ][i % 6],
    ]),
  ),
  needs(...Array.from({ length: 30 }, (_, i) => `field${5 * i}`)),
)

/** Schemas in the style of published ones, with the dialect of each. */
export const published = {
  manifest: ['draft4', manifest],
  pipeline: ['draft7', pipeline],
  geometry: ['draft4', map2d],
  description: ['draft7', description],
  workload: ['draft7', workload('Deployment')],
  wide: ['2020-12', wide],
}
