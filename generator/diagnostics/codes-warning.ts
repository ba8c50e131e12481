import type { CodeTexts } from './code-definition.js'

/** Doubtful parts of a valid document. */
export const warnings = {
  'unknown-field': [
    'Unknown field',
    'The OpenAPI specification does not know the field here, so nothing reads it.',
    'Remove it, or start its name with x- if a tool of yours reads it.',
  ],
  'misspelt-keyword': [
    'Misspelt schema keyword',
    'JSON Schema ignores keywords that it does not know, so the schema accepts more than it seems to.',
    'Correct the spelling.',
  ],
  'reference-place': [
    'Reference where OpenAPI has none',
    'A $ref may stand for a schema, a parameter, a response and other entries of components, and for a path item. Here it is read as if what it leads to stood in its place.',
    'Write what it leads to in its place, or refer to the whole path item.',
  ],
  'reference-through': [
    'Reference through another one',
    'A JSON Pointer names keys of the document itself (RFC 6901), and none of them stands behind a $ref. What such a $ref leads to is read all the same; other tools may not find it.',
    'Refer to the place that the message names.',
  ],
  'schema-dialect': [
    'Schema of an earlier draft',
    'Schemas of drafts 4 to 2019-09 are read as JSON Schema 2020-12. There a $ref counts together with what stands beside it, and some keywords have other names, which is told where they stand.',
    'Leave the dialect out, or name https://json-schema.org/draft/2020-12/schema.',
  ],
  'keyword-outdated': [
    'Keyword of an earlier draft',
    'JSON Schema 2020-12 has another keyword for it, so nothing reads this one, and the schema accepts more than it seems to.',
    'Write the keyword of 2020-12.',
  ],
  'nullable-outdated': [
    'nullable in OpenAPI 3.1',
    'OpenAPI 3.1 has no nullable. It is read as in 3.0: null is allowed.',
    "Write type: [TYPE, 'null'], or anyOf with { type: 'null' } beside the rest.",
  ],
  'misspelt-field': [
    'Misspelt field',
    'The field is unknown here and differs by a letter or two from one that is known; it is ignored.',
    'Correct the spelling.',
  ],
  'component-name': [
    'Invalid component name',
    'Names under components should consist of letters, digits, dots, hyphens and underscores (OpenAPI 3.1, Components Object).',
    'Rename the component, and the references to it.',
  ],
  'path-parameter-undeclared': [
    'Path parameter is not declared',
    'Every {name} in a path needs a parameter with in: path. One that has none is taken as a text.',
    'Declare the parameter under the path or under each of its operations.',
  ],
  'path-parameter-unused': [
    'Path parameter that the path does not have',
    'A parameter with in: path has to stand as {name} in its path; elsewhere it is left out.',
    'Add it to the path, or correct its name.',
  ],
  'path-parameter-optional': [
    'Optional path parameter',
    'A part of the path cannot be left out; parameters with in: path are required whatever they say.',
    'Add required: true.',
  ],
  'parameter-schema': [
    'Parameter without one clear schema',
    'A parameter has either schema or content with exactly one media type. Of both the schema counts; without either every text is taken.',
    'Keep exactly one of the two.',
  ],
  'request-impossible': [
    'What no request over HTTP can have',
    'Names and methods that HTTP does not have, or that clients do not let their callers set, are never sent; the params stay reachable over JSON-RPC.',
    'Give it another name or method, or describe a cookie as such.',
  ],
  'schema-contradiction': [
    'Schema that nothing satisfies',
    'Two keywords of the schema rule each other out. A call or an answer that holds such a value fails; those that leave it out and all other operations work.',
    'Correct one of the two, or write false where no value is meant.',
  ],
  'schema-endless': [
    'Schema without a finite value',
    'The schema requires a value of itself, which requires another, without end. A call or an answer that holds such a value fails; those that leave it out and all other operations work.',
    'Make a property on the way optional or nullable.',
  ],
  'enum-empty': [
    'Enum without values',
    'No value satisfies an enum that lists none, so nothing can be sent or answered there.',
    'List the values, or leave enum out.',
  ],
  'parameter-style': [
    'Style that does not fit its parameter',
    'Each place of a parameter has its own styles (OpenAPI 3.1, Style Values). With another one the default style of the place is used.',
    'Choose a style that the place has, or leave style out.',
  ],
  'operation-id-duplicate': [
    'operationId given twice',
    'An operationId is unique in a document; names of methods and functions are made from it.',
    'Give one of the operations another operationId.',
  ],
  'text-unquoted': [
    'Text without quotes',
    'Without quotes YAML reads 1.0 and 2020 as numbers; openapi, and title and version of info are texts. The value is taken as it is written.',
    'Put it in quotes.',
  ],
  'swagger-converted': [
    'Swagger 2.0 document',
    'It is read as OpenAPI 3.0: body and formData parameters are request bodies, consumes and produces their media types and those of answers, host, basePath and schemes servers, collectionFormat a style. A list with collectionFormat tsv is written as csv.',
    'Nothing has to be done. To use what OpenAPI 3 has beyond it, convert the file once; openapi.json among the output is the document in OpenAPI 3.1.',
  ],
  'selection-unmatched': [
    'Selection that matches nothing',
    'An entry of include or exclude matches no operation, so it has no effect.',
    'Correct the tag, path or operationId, or remove it. Upper and lower case count.',
  ],
  'overlay-unmatched': [
    'Action of an overlay without a target',
    'The JSONPath finds nothing, so the action does nothing; all else of the overlay is applied.',
    'Correct the path, or remove the action.',
  ],
  'version-empty': [
    'Version that says nothing',
    'Output goes into a folder named after info.version, and answers name it. One that is empty is taken as 0.0.0.',
    'Write a version such as 1.0.0.',
  ],
  'errors-foreign': [
    'x-errors of another tool',
    'The error catalogue of duet maps codes to a title, an HTTP status and a JSON-RPC code. What stands under x-errors here is something else and left out; the operation answers with the built-in codes.',
    'Keep it, or give its entries an rpc code to have them in the catalogue.',
  ],
  'parameter-repeated': [
    'Parameter declared twice alike',
    'A parameter is known by its name and its in; both may stand once in a list. The two say the same, and count as one.',
    'Remove one of the two.',
  ],
  'params-named-by-place': [
    'Parameters of one name in several places',
    'Path, query, headers and cookies make one object of params, in which two of one name and different schemas have no room. The document has no x-rpc-* extension, so it is taken as it is: one of the params has its place before its name. Its name over REST stays.',
    'To choose the name yourself, write x-rpc-param.',
  ],
  'body-kept-whole': [
    'Whole body as one param',
    'A field of the body has the name of a parameter with another schema. The document has no x-rpc-* extension, so it is taken as it is: the whole body becomes one param.',
    'To have its fields as params, give one of the two another name with x-rpc-param.',
  ],
  'status-code-invalid': [
    'Invalid status code',
    'Responses are keyed by a status code, a range such as 4XX, or default. What stands under another key is left out.',
    'Use a code from 100 to 599, 1XX to 5XX, or default.',
  ],
  'server-variable-undeclared': [
    'Server variable is not declared',
    'Every {name} in a server url needs an entry under its variables; without one it is taken as empty.',
    'Declare the variable with a default.',
  ],
  'pattern-invalid': [
    'Invalid regular expression',
    'Patterns are ECMAScript regular expressions (JSON Schema 2020-12 section 6.4). One that is none is not checked.',
    'Correct the pattern.',
  ],
  'pattern-foreign': [
    'Escape of another language',
    'Without a meaning in ECMAScript, an escaped letter is that letter (ECMA-262, Annex B). Other languages have classes and characters by such names.',
    'Leave the backslash out where the letter is meant, or write what is meant as a class.',
  ],
  'pattern-slow': [
    'Regular expression that backtracks',
    'Whoever runs it by backtracking takes very long over some texts that it rejects, and stops meanwhile. Generated validators do not; clients and gateways may.',
    'Rewrite the pattern so that no two repetitions can take the same characters, or bound the text with maxLength.',
  ],
  'default-invalid': [
    'Default that its own schema rejects',
    'Defaults are filled in where a caller sends nothing, so they have to be valid. One that is not is left out.',
    'Change the default or the schema.',
  ],
  'value-ignored': [
    'Value that is ignored',
    'The value is of another type than the specification wants, and what it was meant to say cannot be known.',
    'Give a value of the type named.',
  ],
  'exclusive-flag': [
    'Exclusive bound as in draft 4',
    'A flag beside minimum or maximum is of OpenAPI 3.0; in 3.1 an exclusive bound is a number of its own. It is read as in 3.0.',
    'Write exclusiveMinimum: NUMBER in place of the two.',
  ],
  'required-repeated': [
    'Name that is required twice',
    'The names in required are different ones (JSON Schema 2020-12, validation, section 6.5.3). The second is left out.',
    'Keep each once.',
  ],
  'missing-detail': [
    'Required field is missing',
    'The OpenAPI specification requires the field here; nothing is generated from it. A version that is missing is 0.0.0.',
    'Add the field.',
  ],
  'path-query': [
    'Path with a query string',
    'A path ends before the question mark. What follows is taken as fixed query parameters that requests must have.',
    'Declare them as query parameters with const, and give the operation a path of its own.',
  ],
  'path-ambiguous': [
    'Two paths that match the same requests',
    'The most concrete path is matched first, segment by segment from the left; of paths that differ only in the names of their parameters the first in the document. JSON-RPC and calls in process tell the operations apart by their names.',
    'Merge the two, or make a fixed part of one differ. Until then call the other one over JSON-RPC.',
  ],
  'path-fragment': [
    'Path with a fragment',
    'No request carries a fragment. Where it is name=value and the operation declares that query parameter, the value is fixed and tells its requests apart. Another one is served over REST only where no other operation has its method and path.',
    'Call it over JSON-RPC, or give it a path of its own. The client for REST sends its requests as they are, for services that tell them apart by their body or headers.',
  ],
  'path-of-rpc': [
    'Operation at the usual address of JSON-RPC',
    'JSON-RPC calls are POST requests to the root of the API. Where the document has an operation there, they go to a path of their own; clients for JSON-RPC get that address.',
    'Send JSON-RPC calls to the path named, or give the operation another path, such as /orders.',
  ],
  'path-parameter-space': [
    'Path parameter with a space in its name',
    'The name is taken as it is: it is a member of the params in quotes. Other tools may not read it.',
    'Use letters, digits and underscores.',
  ],
  'free-form-twice': [
    'Two query parameters for members of any name',
    'With style form and explode, members stand alone in the query; which object an unknown name belongs to cannot be told.',
    'Give one of them the style deepObject, or additionalProperties: false.',
  ],
  'params-merged': [
    'Two parameters that are one param',
    'Path, query, headers and cookies make one object of params; two parameters of one name and schema are one of them.',
    'Where they mean different things, name one of them with x-rpc-param.',
  ],
  'discriminator-inherited': [
    'Discriminator without alternatives',
    'A value is typed as one of the children that take the base by allOf; it is checked as the base alone, since a discriminator changes no validation.',
    'List the children in oneOf beside the discriminator to have their members checked.',
  ],
  'media-type-invalid': [
    'Invalid media type',
    'Content is keyed by media types such as application/json. What stands under another key is left out.',
    'Correct the media type.',
  ],
  'server-path-ignored': [
    'Server with a path of its own',
    'Everything is served below the path of the first server of the document.',
    'Put the difference into the path.',
  ],
  'header-parameter-ignored': [
    'Header parameter that is ignored',
    'Parameters named Accept, Content-Type or Authorization are ignored (OpenAPI 3.1, Parameter Object).',
    'Describe it by the media types of content, or by a security scheme.',
  ],
  'security-unsatisfiable': [
    'Security requirement that no request satisfies',
    'A request has one header Authorization, with a credential of one scheme (RFC 9110, section 11.6.2). A requirement of two such schemes, basic and bearer for instance, lets nobody in. Other requirements of the list are tried as ever.',
    'Write the schemes as two requirements if either is enough, or make one of them an apiKey in a header of its own.',
  ],
  'content-impossible': [
    'Content of an answer that has none',
    'An answer of status 204, 205 or 304 has no content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). Over both protocols its result is null.',
    'Remove the content, or answer with another status, such as 200.',
  ],
  'timezone-parameter-missing': [
    'Operation with zoned datetimes lacks __tz',
    'Callers cannot say which zone its datetimes are in unless the operation declares __tz.',
    'Add a query parameter __tz of type string.',
  ],
  'deprecation-date-missing': [
    'Deprecated since when?',
    'Without x-deprecated-since the Deprecation header (RFC 9745) cannot be sent.',
    'Add x-deprecated-since with the date of deprecation.',
  ],
  'body-media-type': [
    'Body of a media type that is left out or not looked into',
    'Media types of one body are accepted together where they hold the same or are objects. XML is text.',
    'Give all of them the same schema.',
  ],
  'operation-renamed': [
    'Derived name was taken',
    'Two operations without x-rpc-method would get the same name.',
    'State the name with x-rpc-method.',
  ],
  'misspelt-extension': [
    'Misspelt extension',
    'The extension differs by a letter or two from one that duet reads; as it stands it is ignored.',
    'Correct the spelling.',
  ],
} satisfies Record<string, CodeTexts>
