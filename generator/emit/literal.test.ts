import fc from 'fast-check'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { commentText, keyText, lineCommentText, stringText } from './literal.js'

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      "'",
      '"',
      '\\',
      '\n',
      '\r',
      '\u2028',
      '*',
      '/',
      '`',
      '$',
      '{',
      '</script>',
      '\ud800',
    ),
  }),
)

it('prints a string literal that evaluates to the text', () => {
  expect(stringText('plain')).toBe("'plain'")
  expect(stringText("it's")).toBe('"it\'s"')
  expect(stringText('\u2028')).toBe("'\\u2028'")
  expect(stringText('</script>')).toBe("'\\x3c/script>'")
  fc.assert(
    fc.property(hostile, (text) => {
      const printed = stringText(text)
      expect(new Function(`return ${printed}`)()).toBe(text)
      expect(printed).not.toMatch(/[\n\r\u2028\u2029]|<\/script/i)
    }),
  )
})

it('prints a key that is an own property of that name', () => {
  expect(keyText('name')).toBe('name')
  expect(keyText('x-y')).toBe("'x-y'")
  expect(keyText('1')).toBe("'1'")
  expect(keyText('__proto__')).toBe("['__proto__']")
  fc.assert(
    fc.property(hostile, (name) => {
      expect(Object.keys(new Function(`return { ${keyText(name)}: 1 }`)())).toEqual([name])
    }),
  )
})

it('prints comments that text cannot end', () => {
  expect(commentText(['One.', undefined, ''])).toBe('/** One. */')
  expect(commentText(['One.', 'Two.'])).toBe('/**\n * One.\n * Two.\n */')
  fc.assert(
    fc.property(hostile, (text) => {
      for (const comment of [commentText([text, 'second']), lineCommentText(text)]) {
        const file = ts.createSourceFile('a.ts', `${comment}\nconst last = 1`, ts.ScriptTarget.Latest)
        expect(file.statements).toHaveLength(1)
      }
    }),
  )
})
