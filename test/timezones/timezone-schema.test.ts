import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { timezoneNamed } from '../../runtime/contract/time/timezone.js'

// What the documents say of __tz is what the service accepts, but for names that its database does not have.
describe.each(['1.0.0', '1.1.0', '2.0.0-rc.1'])('__tz in the document of %s', (version) => {
  const document = parse(readFileSync(new URL(`../../spec/${version}/openapi.yaml`, import.meta.url), 'utf8'))
  const all: { name?: string; schema: { maxLength: number; pattern: string } }[] = Object.values(
    document.components.parameters,
  )
  const { maxLength = 0, pattern = '' } = all.find(({ name }) => name === '__tz')?.schema ?? {}
  const takes = (name: string) => name.length <= maxLength && new RegExp(pattern, 'u').test(name)

  test('takes every name that the service knows, in any case', () => {
    const links = ['UTC', 'GMT', 'Etc/GMT+5', 'Etc/GMT-14', 'EST5EDT', 'W-SU', 'America/Port-au-Prince']
    for (const name of [...Intl.supportedValuesOf('timeZone'), ...links]) {
      for (const spelling of [name, name.toLowerCase(), name.toUpperCase()]) {
        expect([spelling, timezoneNamed(spelling) !== undefined, takes(spelling)]).toEqual([
          spelling,
          true,
          true,
        ])
      }
    }
  })

  test.each([
    '',
    '+01:00',
    '-05',
    '2',
    '/Etc',
    ' UTC',
    'UTC ',
    'UTC\n',
    'Europe/Berlin\0',
    'Europe\\Berlin',
    'Ευρώπη/Αθήνα',
    'ＵＴＣ',
    'a'.repeat(65),
  ])('takes %j no more than the service does', (name) => {
    expect([timezoneNamed(name), takes(name)]).toEqual([undefined, false])
  })
})
