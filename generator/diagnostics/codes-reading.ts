import type { CodeTexts } from './code-definition.js'

/** Errors of reading files and following references. */
export const readingErrors = {
  'file-unreadable': [
    'File cannot be read',
    'The file is missing, is a folder, or its permissions prevent reading.',
    'Check the path and its permissions.',
  ],
  'json-syntax': [
    'Malformed JSON',
    'The name of the file ends in .json, but its content is not JSON (RFC 8259). Comments and trailing commas are not JSON.',
    'Correct the JSON at this place.',
  ],
  'yaml-syntax': [
    'Malformed YAML',
    'The file is not YAML 1.2.',
    'Correct the YAML at this place; text with ": ", " #" or a leading @, *, & or ` needs quotes.',
  ],
  'yaml-tag': [
    'Unknown YAML tag',
    'Only the tags of the YAML core schema (!!str, !!int, !!float, !!bool, !!null, !!map, !!seq) have an equivalent in JSON.',
    'Remove the tag.',
  ],
  'yaml-alias': [
    'Alias without a value',
    'An alias needs an anchor before it. An alias inside its own anchor would never end, and aliases of aliases could fill the memory.',
    'Write the value once under components and refer to it by $ref.',
  ],
  'yaml-merge': [
    'Merge key without maps',
    'The merge key << takes over the members of a map, or of each map in a list (YAML 1.1, merge type).',
    'Write <<: *NAME with the anchor of a map; put << in quotes if it is the name of a member.',
  ],
  'not-json': [
    'Value that JSON does not have',
    'OpenAPI documents are JSON data: no .inf, no .nan, and every key is text.',
    'Write a JSON value.',
  ],
  'number-too-large': [
    'Number too large',
    'JSON has no largest number, but programs read numbers as doubles, which end at about 1.8e308 (RFC 8259 section 6).',
    'Write a number between -1.8e308 and 1.8e308.',
  ],
  'duplicate-key': [
    'Duplicate key',
    'If two members have the same name, a parser keeps only one, and parsers differ in which.',
    'Keep one of the two.',
  ],
  'document-too-deep': [
    'Document nested too deeply',
    'Such deep nesting would exhaust the stack of programs that read it.',
    'Move the inner part under components and refer to it by $ref.',
  ],
  'not-openapi': [
    'Not an OpenAPI document',
    'The entry file has to be an object with the field openapi.',
    'Name the file with the OpenAPI document. It contains a field such as openapi: 3.1.1.',
  ],
  'openapi-version': [
    'Unsupported OpenAPI version',
    'duet reads OpenAPI 3.0, 3.1 and 3.2, and Swagger 2.0.',
    'Set openapi to 3.1.1 and adjust the document to it.',
  ],
  'overlay-invalid': [
    'Invalid overlay',
    'An overlay has the field overlay and a list of actions, each with a JSONPath as its target, and update or remove (OpenAPI Overlay 1.0, RFC 9535). Other fields begin with x-.',
    'Correct the overlay.',
  ],
  'selection-empty': [
    'Selection without operations',
    'include and exclude of the config file, or of duet init, exclude every operation.',
    'Correct the tags, paths and operationIds. Upper and lower case count.',
  ],
  'reference-remote': [
    'Remote reference',
    'By default duet reads only local files, so that a build does not depend on the network and sends nothing to it.',
    'Save the file next to this one and refer to it by a relative path, or allow remote references with --allow-remote.',
  ],
  'reference-outside': [
    'Reference outside of the project',
    'References may lead to files in the folder of the entry file, in its project (the nearest folder above it with .git or package.json, else the parent of its folder) and in the working directory. The home folder, the folder of temporary files and the root are no projects.',
    'Copy the file into the project and refer to the copy, or run the command in a folder that contains both.',
  ],
  'reference-file-missing': [
    'Referenced file is missing',
    'The path is relative to the file that contains the reference.',
    'Correct the path, or add the file.',
  ],
  'reference-unsupported': [
    'Unsupported reference',
    'References may lead to files whose names end in .json, .yaml or .yml and, with --allow-remote, to http and https addresses.',
    'Save the file next to this one, as .json, .yaml or .yml, and refer to it by a relative path.',
  ],
} satisfies Record<string, CodeTexts>
