import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Sunset } from 'duet-runtime'
import { prerelease, rsort, valid } from 'semver'
import { isDay } from './day.js'

/** The API versions generated into @billing/api, newest first (SemVer 2.0.0 section 11). */
export function availableVersions(directory = generatedDirectory()): readonly string[] {
  const folders = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && valid(entry.name) === entry.name)
    .filter((entry) => existsSync(join(directory, entry.name, 'manifest.json')))
  return rsort(folders.map((entry) => entry.name))
}

/** The newest version that is no pre-release. */
export function newestRelease(versions: readonly string[]): string | undefined {
  return rsort([...versions]).find((version) => prerelease(version) === null)
}

export function generatedDirectory(): string {
  return dirname(createRequire(import.meta.url).resolve('@billing/api/package.json'))
}

/** Reads `1.0.0=2027-06-30,1.1.0=2028-01-31`. Undefined: invalid. */
export function readSunsets(text: string, versions: readonly string[]): Record<string, Sunset> | undefined {
  const sunsets: Record<string, Sunset> = {}
  for (const part of text.split(',')) {
    const [version = '', day = ''] = part.trim().split('=')
    if (!versions.includes(version) || !isDay(day) || Object.hasOwn(sunsets, version)) return undefined
    sunsets[version] = { day }
  }
  return sunsets
}
