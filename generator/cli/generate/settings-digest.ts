import { digestOf } from '../../cache/store.js'
import type { Settings } from '../../project/settings.js'

/**
 * A digest of the settings that the cache depends on: of all but those that change no stored result. So a new setting
 * counts until somebody has thought about it.
 */
export function settingsDigest(settings: Settings | undefined): string {
  if (settings === undefined) return digestOf('no settings')
  const {
    // Which documents are read, and where their files are written.
    specs: _specs,
    out: _out,
    // `Surroundings` has a digest of them.
    package: _package,
    templates: _templates,
    reference: _reference,
    // They run each time, and a project with emitters stores no records.
    emitters: _emitters,
    // Other commands read them.
    waivers: _waivers,
    sunsets: _sunsets,
    adapters: _adapters,
    baseline: _baseline,
    ...counting
  } = settings
  return digestOf(JSON.stringify(counting))
}
