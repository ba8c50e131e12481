import { expect, it } from 'vitest'
import { readSettings, type Settings } from '../../project/settings.js'
import { settingsDigest } from './settings-digest.js'

const settings = readSettings({ package: 'shop-api' }, 'duet.config.json')

/** Another value of each setting. */
const others: { readonly [name in keyof Settings]-?: Settings[name] } = {
  package: 'other-api',
  specs: ['other'],
  out: 'other',
  emitters: [{ setting: 'emitters[0]', use: './other.mjs', options: {} }],
  templates: 'other',
  reference: false,
  waivers: 'other.yaml',
  sunsets: { '1.0.0': '2027-06-30' },
  adapters: 'other',
  baseline: 'previous',
  naming: 'path',
  reading: { include: { tags: ['orders'] } },
  clientOnly: true,
  int64: 'bigint',
}

it('depends on the settings that change stored results', () => {
  const changing = Object.entries(others)
    .filter(([name, value]) => settingsDigest({ ...settings, [name]: value }) !== settingsDigest(settings))
    .map(([name]) => name)
  expect(changing).toEqual(['naming', 'reading', 'clientOnly', 'int64'])
})

it('depends on a new setting', () => {
  const newer: Settings & { readonly rounding: string } = { ...settings, rounding: 'up' }
  expect(settingsDigest(newer)).not.toBe(settingsDigest(settings))
})
