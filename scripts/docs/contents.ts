import { posix } from 'node:path'

/** A line of the list of all documentation, docs/README.md. */
interface Entry {
  readonly text: string
  /** Path from the root of the repository, with the heading if there is one: `docs/review.md#waivers`. */
  readonly path: string
  readonly description: string
}

interface Section {
  readonly title: string
  readonly entries: readonly Entry[]
}

/** The sections of docs/README.md, for the site's menu and llms.txt. */
export function contentsOf(page: string): readonly Section[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.split('\n', 1)[0] ?? '',
      entries: [...section.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)(?:[:,] ([^\n]*(?:\n {2}[^\n]+)*))?/gm)].map(
        ([, text = '', path = '', description = '']) => ({
          text,
          path: posix.join('docs', path),
          description: description.replaceAll(/\s+/g, ' '),
        }),
      ),
    }))
    .filter(({ entries }) => entries.length > 0)
}

/**
 * The list of pages for language models (llmstxt.org). `linkOf` turns a path of the repository into a link.
 */
export function llmsText(contents: readonly Section[], linkOf: (path: string) => string): string {
  const sections = contents.map(({ title, entries }) => {
    const lines = entries.map(({ text, path, description }) => `- [${text}](${linkOf(path)}): ${description}`)
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return `# Duet

> Duet generates REST and JSON-RPC 2.0 services, validators and typed clients from one OpenAPI document for each version, and reviews versions
> with calls that prove what breaks.

${sections.join('\n')}`
}
