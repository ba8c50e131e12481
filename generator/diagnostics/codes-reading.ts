import type { CodeTexts } from './code-definition.js'

/** Errors of reading files and following references. */
export const readingErrors = {
  'file-unreadable': [
    'File cannot be read',
    'The file is missing, is a folder, or its permissions keep it from being read.',
    'Check the path and its permissions.',
  ],
  'json-syntax': [
    'Malformed JSON',
    'The file ends in .json and is not JSON by RFC 8259. Comments and trailing commas are not JSON.',
    'Correct the JSON at this place.',
  ],
  'yaml-syntax': [
    'Malformed YAML',
    'The file is not YAML 1.2.',
    'Correct the YAML at this place; text with ": ", " #" or a leading @, *, & or ` needs quotes.',
  ],
  'yaml-tag': [
    'Unknown YAML tag',
    'Only the tags of the YAML core schema (!!str, !!int, !!float, !!bool, !!null, !!map, !!seq) have a form in JSON.',
    'Remove the tag.',
  ],
  'yaml-alias': [
    'Alias without a value',
    'An alias needs an anchor before it. One that contains itself has no end; aliases of aliases multiply until memory is full.',
    'Write the value once under components and refer to it by $ref.',
  ],
  'yaml-merge': [
    'Merge key without maps',
    'The merge key << takes over the members of a map, or of each map in a list (YAML 1.1, merge type).',
    'Write <<: *NAME with the anchor of a map; put << in quotes where a member is called so.',
  ],
  'not-json': [
    'Value without a form in JSON',
    'OpenAPI documents are JSON data: no .inf, no .nan, and every key is text.',
    'Write a value that JSON has.',
  ],
  'number-too-large': [
    'Number too large',
    'JSON has no largest number, but programs read numbers as doubles, which end at about 1.8e308 (RFC 8259 section 6).',
    'Write a number between -1.8e308 and 1.8e308.',
  ],
  'duplicate-key': [
    'Key given twice',
    'Of two members with one name a parser keeps one, and which one is chance.',
    'Keep one of the two.',
  ],
  'document-too-deep': [
    'Document nested too deeply',
    'Nesting this deep has no use and would exhaust the stack of whatever reads it.',
    'Move the inner part under components and refer to it by $ref.',
  ],
  'not-openapi': [
    'Not an OpenAPI document',
    'The entry file has to be an object with the field openapi.',
    'Name the file that holds the OpenAPI document; its first line reads openapi: 3.1.1.',
  ],
  'openapi-version': [
    'OpenAPI version not supported',
    'OpenAPI 3.0, 3.1 and 3.2, and Swagger 2.0 are read.',
    'Set openapi to 3.1.1 and adjust the document to it.',
  ],
  'overlay-invalid': [
    'Invalid overlay',
    'An overlay has the field overlay and a list of actions, each with a JSONPath as its target (OpenAPI Overlay 1.0, RFC 9535).',
    'Correct the overlay.',
  ],
  'selection-empty': [
    'Selection without operations',
    'include and exclude of the config file, or of duet init, leave none of the operations.',
    'Correct the tags, paths and operationIds. Upper and lower case count.',
  ],
  'reference-remote': [
    'Remote reference',
    'Documents are read from local files alone unless the network is allowed, so that a build neither depends on nor reveals itself to it.',
    'Save the file beside this one and refer to it by a relative path, or allow remote references with --allow-remote.',
  ],
  'reference-outside': [
    'Reference out of the project',
    'References reach files under the working directory and in the project of the entry file: the folder above it that holds .git or package.json, else the one that holds its folder.',
    'Copy the file into the project and refer to the copy.',
  ],
  'reference-file-missing': [
    'Referenced file is missing',
    'The path is taken relative to the file that holds the reference.',
    'Correct the path, or add the file.',
  ],
  'reference-missing': [
    'Reference leads nowhere',
    'The JSON pointer after the # finds nothing in its file.',
    'Correct the pointer, or add what it refers to.',
  ],
  'reference-unsupported': [
    'Reference of another kind',
    'References lead to files whose names end in .json, .yaml or .yml and, where that is allowed, to the web over http and https.',
    'Save it beside this one, as .json, .yaml or .yml, and refer to it by a relative path.',
  ],
  'reference-anchor': [
    'Reference to an anchor that is not there once',
    'An anchor has to be given exactly once in its file; a dynamic one that schemas give anew has no fixed meaning.',
    'Refer by JSON pointer: #/components/schemas/NAME.',
  ],
  'reference-kind': [
    'Reference to something of another kind',
    'A parameter can only be replaced by a parameter, a schema only by a schema.',
    'Refer to an entry of the fitting section of components.',
  ],
  'reference-cycle': [
    'Reference leads back to itself',
    'References that lead only to references never arrive at a value.',
    'Replace one of them by the value itself.',
  ],
} satisfies Record<string, CodeTexts>
