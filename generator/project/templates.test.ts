import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { templatesOf } from './templates.js'

const folder = mkdtempSync(join(tmpdir(), 'duet-templates-'))
afterAll(() => rmSync(folder, { recursive: true }))

const data = {
  name: '@shop/api',
  title: '*Shop*',
  latest: '1.0.0',
  basePath: '',
  rpcAddress: '/',
  versions: [],
}

describe('templates', () => {
  it('are those of duet if the folder has no template of that path', () => {
    expect(templatesOf(folder).render('package-readme.hbs', data)).toMatch(
      /^# @shop\/api\n\n\\\*Shop\\\*, generated/,
    )
  })

  it('are those of the folder before them, with the same data and escaping helpers', () => {
    writeFileSync(join(folder, 'package-readme.hbs'), '{{md title}} {{html "<b>"}} {{title}}\n')
    expect(templatesOf(folder).render('package-readme.hbs', data)).toBe('\\*Shop\\* &lt;b&gt; *Shop*\n')
  })

  it.each([
    ['{{#if x}}', /^The template .*broken\.hbs failed: Parse error/],
    ['{{titel}}', /^The template .*broken\.hbs failed: "titel" not defined/],
  ])('of %j fail by name', (text, message) => {
    writeFileSync(join(folder, 'broken.hbs'), text)
    expect(() => templatesOf(folder).render('broken.hbs', data)).toThrow(message)
  })

  it('that do not parse fail with the place of the fault', () => {
    writeFileSync(join(folder, 'broken.hbs'), '# Shop\n{{#each versions}}\n{{/if}}\n')
    expect(() => templatesOf(folder).render('broken.hbs', data)).toThrow(
      /broken\.hbs failed: each doesn't match if - 2:3$/,
    )
    writeFileSync(join(folder, 'broken.hbs'), '{{name}} {{title}\n')
    expect(() => templatesOf(folder).render('broken.hbs', data)).toThrow(
      /failed: Parse error on line 1:\n {2}\{\{name\}\} \{\{title\}\n {2}-+\^\n {2}Expecting /,
    )
  })
})
