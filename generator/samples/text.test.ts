import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { describe, expect, it } from 'vitest'
import { Random } from './random.js'
import { sampleText } from './text.js'

const ajv = new Ajv2020({ formats: fullFormats })
const seeds = Array.from({ length: 20 }, (_, index) => String(index))

describe('a text', () => {
  it('is base64 if its content is, as format byte of OpenAPI 3.0', () => {
    for (const seed of seeds) {
      const text = sampleText({ contentEncoding: 'base64' }, 0, new Random(seed))
      expect(Buffer.from(text, 'base64').toString('base64')).toBe(text)
    }
  })

  const textual = Object.keys(fullFormats).filter(
    (format) => !['int32', 'int64', 'float', 'double', 'binary', 'password'].includes(format),
  )
  it.each(textual)('of the format %s is one', (format) => {
    const accepts = ajv.compile({ type: 'string', format })
    for (const seed of seeds) {
      const text = sampleText({ format }, 0, new Random(seed))
      expect(accepts(text), text).toBe(true)
    }
  })

  it.each([
    { minLength: 40 },
    { maxLength: 3 },
    { minLength: 7, maxLength: 7 },
    { maxLength: 0 },
    { minLength: 60, format: 'uri' },
    { minLength: 60, format: 'email' },
    { minLength: 60, format: 'byte' },
    { minLength: 60, contentEncoding: 'base64' },
    { pattern: '^[a-z]+$', minLength: 25 },
  ])('of %j is as long as that', (schema) => {
    const accepts = ajv.compile({ type: 'string', ...schema })
    for (const seed of seeds) {
      const text = sampleText(schema, 0, new Random(seed))
      expect(accepts(text), text).toBe(true)
    }
  })

  it('of a format that is refused for its length becomes short', () => {
    expect(sampleText({ format: 'email', maxLength: 8 }, 1, new Random('1'))).toBe('a@b.co')
    expect(sampleText({ format: 'uri', maxLength: 5 }, 1, new Random('1'))).toBe('a://b')
  })

  it('is not created if it would be enormous', () => {
    expect(sampleText({ minLength: 1e12 }, 0, new Random('1')).length).toBeLessThan(200_000)
  })
})
