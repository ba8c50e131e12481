import { expect, it } from 'vitest'
import { compared } from '../../../../test/diff/compared.js'

const form = (type: string, ...required: boolean[]): string => `
swagger: '2.0'
info: { title: Shop, version: 1.0.0 }
paths:
  /a:
    post:
      operationId: a.do
      consumes: [${type}]
      parameters:
${required.map((one, index) => `        - { name: p${index}, in: formData, type: string, required: ${one} }`).join('\n')}
      responses: { 204: { description: Fine } }
`

it.each(['application/x-www-form-urlencoded', 'multipart/form-data'])(
  'a form parameter of Swagger 2.0 that becomes required is one change: %s',
  async (type) => {
    const idsOf = async (old: string, fresh: string): Promise<string[]> =>
      (await compared(old, fresh)).changes.map(({ id, path, level }) => `${level} ${id} ${path}`)
    const [without, only, second] = [
      form(type, false, false),
      form(type, true, false),
      form(type, false, true),
    ]
    expect(await idsOf(without, only)).toEqual(['breaking request-property-became-required /p0'])
    expect(await idsOf(without, second)).toEqual(['breaking request-property-became-required /p1'])
    expect(await idsOf(second, without)).toEqual(['compatible request-property-became-optional /p1'])
  },
)
