import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { contentsOf, llmsText } from '../../scripts/docs/contents.js'

// The pages are those that GitHub shows. The source is the whole repository, so that their links work in both.

const contents = contentsOf(readFileSync(new URL('../README.md', import.meta.url), 'utf8'))
const siteLink = (path: string) => `/${path.replace(/README\.md/, '').replace(/\.md/, '')}`

export default defineConfig({
  title: 'Duet',
  description: 'REST and JSON-RPC 2.0 services from one OpenAPI document.',
  srcDir: '..',
  srcExclude: [
    '{generated,generator,runtime,service,templates,test}/**',
    'examples/*/{dist,generated,node_modules}/**',
    '.github/**',
  ],
  rewrites: (path) => path.replace(/README\.md$/, 'index.md'),
  cleanUrls: true,
  buildEnd: ({ outDir }) => writeFileSync(join(outDir, 'llms.txt'), llmsText(contents, siteLink)),
  markdown: {
    config: (markdown) => {
      const normalize = markdown.normalizeLink
      markdown.normalizeLink = (url) => normalize(url.replace(/(^|\/)README\.md/, '$1index.md'))
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: contents
      .slice(0, 3)
      .map(({ title, entries }) => ({ text: title, link: siteLink(entries[0]?.path ?? '') })),
    sidebar: [
      ...contents.map(({ title, entries }) => ({
        text: title,
        items: entries.map(({ text, path }) => ({ text, link: siteLink(path) })),
      })),
      // TypeDoc writes them before each build: npm run docs:api.
      { text: 'Packages', link: '/docs/packages/' },
    ],
  },
})
