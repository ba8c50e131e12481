/** Templates as `Handlebars.precompile` gives them, by `templateKey`. Filled in by `scripts/bundle-command.mjs`. */
export const precompiled: ReadonlyMap<string, TemplateSpecification> = new Map()
