import type { CodeTexts } from './code-definition.js'

/** Doubtful parts of a document that only concern those who serve it. */
export const serviceWarnings = {
  'error-status-unreachable': [
    'Declared error without a code',
    'Handlers throw codes of the error catalogue, each of which has one status. No response has a declared status that no code has.',
    'Add a code with this status to x-errors at the root, and name it in x-errors of the operation. An overlay can do both.',
  ],
  'error-status-undeclared': [
    'Code without a declared response',
    'The operation names a code of the error catalogue, and has no response with its status. The generated service answers it, but other readers of the document do not expect it, and duet test reports it.',
    'Add a response with the status, a range such as 4XX, or default.',
  ],
} satisfies Record<string, CodeTexts>

/** Doubtful parts of a valid document. */
export const warnings = {
  'unknown-field': [
    'Unknown field',
    'The OpenAPI specification has no such field here, so nothing reads it.',
    'Remove it, or start its name with x- if a tool of yours reads it.',
  ],
  'misspelt-keyword': [
    'Misspelt schema keyword',
    'JSON Schema ignores keywords that it does not know, so the schema accepts more than it seems to.',
    'Correct the spelling.',
  ],
  'reference-place': [
    'Reference where OpenAPI allows none',
    'OpenAPI allows a $ref in place of a schema, a parameter, a response and other entries of components, and in a path item. duet replaces this one with its target; other tools may not.',
    'Replace it with its target, or refer to the whole path item.',
  ],
  'reference-through': [
    'Reference through another one',
    'The JSON Pointer continues beyond a $ref, where the document itself has no keys (RFC 6901). duet follows that $ref; other tools may not.',
    'Use the pointer that the message names.',
  ],
  'schema-dialect': [
    'Schema of an earlier draft',
    'Schemas of drafts 4 to 2019-09 are read as JSON Schema 2020-12. There the keywords next to a $ref count too, and some keywords have other names; each of those has a warning of its own.',
    'Remove the dialect, or name https://json-schema.org/draft/2020-12/schema.',
  ],
  'keyword-outdated': [
    'Keyword of an earlier draft',
    'JSON Schema 2020-12 uses another keyword instead. Nothing reads this one, so the schema accepts more than it seems to.',
    'Write the keyword of 2020-12.',
  ],
  'nullable-outdated': [
    'nullable in OpenAPI 3.1',
    'OpenAPI 3.1 has no nullable. It is read as in 3.0: null is allowed.',
    "Write type: [TYPE, 'null'], or anyOf with { type: 'null' } next to the rest.",
  ],
  'misspelt-field': [
    'Misspelt field',
    'The field is unknown here, and differs by a letter or two from a known one. It is ignored.',
    'Correct the spelling.',
  ],
  'component-name': [
    'Invalid component name',
    'Names under components should consist of letters, digits, dots, hyphens and underscores (OpenAPI 3.1, Components Object).',
    'Rename the component, and the references to it.',
  ],
  'path-parameter-undeclared': [
    'Undeclared path parameter',
    'Every {name} in a path needs a parameter with in: path. An undeclared one is a text.',
    'Declare the parameter under the path or under each of its operations.',
  ],
  'path-parameter-unused': [
    'Path parameter missing in the path',
    'A parameter with in: path must occur as {name} in its path. This one does not, so it is ignored.',
    'Add it to the path, or correct its name.',
  ],
  'path-parameter-optional': [
    'Optional path parameter',
    'Requests cannot omit a part of the path, so parameters with in: path are always required.',
    'Add required: true.',
  ],
  'parameter-schema': [
    'Parameter without one clear schema',
    'A parameter has either schema or content with exactly one media type. If it has both, the schema counts. If it has neither, every text is accepted.',
    'Keep exactly one of the two.',
  ],
  'request-impossible': [
    'Impossible in an HTTP request',
    'HTTP does not allow this name or method, or clients do not let their callers set it, so it is never sent. The params are still available over JSON-RPC.',
    'Change the name or method. Declare a cookie with in: cookie.',
  ],
  'schema-contradiction': [
    'Schema that no value satisfies',
    'Two keywords of the schema contradict each other. Calls and responses with such a value fail; those without it, and all other operations, work.',
    'Correct one of the two, or write false if no value is allowed.',
  ],
  'schema-endless': [
    'Schema without a finite value',
    'The schema requires a value of itself, which requires another, without end. Calls and responses with such a value fail; those without it, and all other operations, work.',
    'Make a property on the way optional or nullable.',
  ],
  'enum-empty': [
    'Enum without values',
    'No value satisfies an empty enum, so requests and responses cannot contain one.',
    'List the values, or remove enum.',
  ],
  'number-rounded': [
    'Number with more digits than a double holds',
    'Services and most clients read numbers as doubles, which have about 16 digits, and a service refuses a number that a double does not hold. So no caller can send this value.',
    'Write a number of up to 15 digits, or make it a string.',
  ],
  'parameter-style': [
    'Style that the parameter cannot have',
    'Path, query, header and cookie each allow their own styles (OpenAPI 3.1, Style Values). With any other style the default applies.',
    'Choose an allowed style, or remove style.',
  ],
  'operation-id-duplicate': [
    'Duplicate operationId',
    'An operationId is unique in a document; duet derives names of methods and functions from it.',
    'Change the operationId of one of the operations.',
  ],
  'text-unquoted': [
    'Text without quotes',
    'Without quotes YAML reads 1.0 and 2020 as numbers; openapi, and title and version of info are texts. duet uses the value as it is written.',
    'Put the value in quotes.',
  ],
  'swagger-converted': [
    'Swagger 2.0 document',
    'duet converts it to OpenAPI 3.0. Body and formData parameters become request bodies; consumes and produces become the media types of requests and responses; host, basePath and schemes become servers; collectionFormat becomes a style.',
    'You need not do anything. To use the features of OpenAPI 3, convert the file once: openapi.json in the output is the document in OpenAPI 3.1.',
  ],
  'list-separator': [
    'List with a separator that OpenAPI 3 does not have',
    'OpenAPI 3 has no style for tabs, and only queries and forms have spaces and pipes between the items of a list. duet reads and writes such lists with commas.',
    'Send commas, or declare a string and split it in the handler.',
  ],
  'operations-missing': [
    'Document without operations',
    'Neither paths nor webhooks has an operation, so there is nothing to serve or to call.',
    'Add an operation to paths.',
  ],
  'selection-unmatched': [
    'Selection that matches nothing',
    'An entry of include or exclude matches no operation, so it has no effect.',
    'Correct the tag, path or operationId, or remove it. Upper and lower case count.',
  ],
  'overlay-unmatched': [
    'Overlay action without a target',
    'The JSONPath matches nothing, so the action has no effect. The other actions of the overlay apply.',
    'Correct the path, or remove the action.',
  ],
  'version-empty': [
    'Empty version',
    'The output folder and responses have the name from info.version. An empty version counts as 0.0.0.',
    'Write a version such as 1.0.0.',
  ],
  'version-respelled': [
    'Version with characters that no folder has',
    'The output folder and responses have the name from info.version. Other characters in it are read as hyphens.',
    'Use a version such as 1.0.0 or 2.0.0-rc.1: letters, digits, dots, hyphens, plus signs, underscores.',
  ],
  'errors-foreign': [
    'x-errors of another tool',
    'The error catalogue of duet maps codes to a title, an HTTP status and a JSON-RPC code. x-errors here has another format, so duet ignores it. The operation uses the built-in codes.',
    'Keep it. To add its entries to the catalogue, give them an rpc code.',
  ],
  'parameter-repeated': [
    'Identical parameter declared twice',
    'A parameter is identified by its name and its in, so a list may contain each pair only once. The two are identical and count as one.',
    'Remove one of the two.',
  ],
  'params-named-by-place': [
    'Parameters with one name in several places',
    'Path, query, headers and cookies form one params object, so two parameters with one name and different schemas clash. The document has no x-rpc-* extension, so duet renames one of the params: its name begins with its place. Its name over REST does not change.',
    'To choose the name yourself, write x-rpc-param.',
  ],
  'body-kept-whole': [
    'Whole body as one param',
    'A field of the body has the name of a parameter with another schema. The document has no x-rpc-* extension, so duet makes the whole body one param.',
    'To get its fields as params, rename one of the two with x-rpc-param.',
  ],
  'status-code-invalid': [
    'Invalid status code',
    'Keys of responses are status codes, ranges such as 4XX, or default. A response with another key is ignored.',
    'Use a code from 100 to 599, 1XX to 5XX, or default.',
  ],
  'server-variable-undeclared': [
    'Undeclared server variable',
    'Every {name} in a server url needs an entry under its variables. Without one it is empty.',
    'Declare the variable with a default.',
  ],
  'pattern-foreign': [
    'Escape from another regular expression language',
    'The escape has no meaning in ECMAScript, where it is just the letter (ECMA-262, Annex B). In other languages it is a class or a character.',
    'If you mean the letter, remove the backslash. If you mean a class, write it in brackets.',
  ],
  'pattern-slashes': [
    'Regular expression between slashes',
    'A pattern is the bare regular expression (JSON Schema 2020-12, core, section 6.4). Slashes around it are letters, so nothing matches its anchors.',
    'Remove both slashes, and the flags behind them.',
  ],
  'rpc-param-ignored': [
    'x-rpc-param in an alternative',
    'x-rpc-param names a field of the body itself or of its allOf. The fields of a branch of anyOf or oneOf keep their names.',
    'Move the field out of the branch, or remove x-rpc-param.',
  ],
  'pattern-slow': [
    'Regular expression that backtracks',
    'A program that backtracks needs very long for some texts that the pattern rejects, and is blocked meanwhile. Generated validators are not affected; clients and gateways may be.',
    'Rewrite the pattern so that no two repetitions can take the same characters, or limit the text with maxLength.',
  ],
  'default-invalid': [
    'Default that its own schema rejects',
    'Defaults replace values that a caller omits, so they must be valid. An invalid default is ignored.',
    'Change the default or the schema.',
  ],
  'exclusive-flag': [
    'Exclusive bound as in draft 4',
    'In OpenAPI 3.0 the exclusive bound is a flag next to minimum or maximum; in 3.1 it is a number of its own. duet reads the flag as in 3.0.',
    'Replace the two with exclusiveMinimum: NUMBER or exclusiveMaximum: NUMBER.',
  ],
  'required-repeated': [
    'Name that is required twice',
    'The names in required must be unique (JSON Schema 2020-12, validation, section 6.5.3). The second one is ignored.',
    'Keep each name once.',
  ],
  'missing-detail': [
    'Required field is missing',
    'The OpenAPI specification requires the field here, but the output does not depend on it. A missing title is API, and a missing version 0.0.0.',
    'Add the field.',
  ],
  'path-query': [
    'Path with a query string',
    'A path ends before the question mark. The rest becomes fixed query parameters that requests must have.',
    'Declare them as query parameters with const, and give the operation a path of its own.',
  ],
  'path-ambiguous': [
    'Two paths that match the same requests',
    'The router tries the most specific path first, segment by segment from the left. If two paths differ only in the names of their parameters, the first one in the document wins. JSON-RPC and in-process calls are not affected: they use the names of operations.',
    'Merge the two paths, or change a fixed part of one. Until then, call the other operation over JSON-RPC.',
  ],
  'path-fragment': [
    'Path with a fragment',
    'Requests do not contain the fragment. If it is name=value and the operation declares that query parameter, requests with that value belong to this operation. Otherwise REST serves the operation only if no other one has its method and path.',
    'Call it over JSON-RPC, or give it a path of its own. The REST client still sends its requests, for services that distinguish them by body or headers.',
  ],
  'path-of-rpc': [
    'Operation at the usual path of JSON-RPC',
    'JSON-RPC calls are POST requests to the root of the API. If the document has an operation there, JSON-RPC uses another path, and generated clients know it.',
    'Send JSON-RPC calls to the path that the message names, or give the operation another path, such as /orders.',
  ],
  'path-parameter-space': [
    'Path parameter with a space in its name',
    'duet uses the name unchanged, as a quoted member of the params. Other tools may not support it.',
    'Use letters, digits and underscores.',
  ],
  'free-form-twice': [
    'Two query parameters for members of any name',
    'With style form and explode, each member is a query parameter of its own, so an unknown name could belong to either object.',
    'Change one of them to style: deepObject, or to additionalProperties: false.',
  ],
  'params-merged': [
    'Two parameters merged into one param',
    'Path, query, headers, cookies and the fields of the body form one params object. Two of them with the same name and schema become one param. For a body that repeats an id of its path this is usual, so it is only an info there.',
    'If they mean different things, rename one with x-rpc-param.',
  ],
  'discriminator-inherited': [
    'Discriminator without alternatives',
    'The type of a value is one of the children that extend the base by allOf. But validation only checks the base, since a discriminator does not affect validation.',
    'To validate the members of the children, list them in oneOf next to the discriminator.',
  ],
  'media-type-invalid': [
    'Invalid media type',
    'Keys of content are media types such as application/json. Content with another key is ignored.',
    'Correct the media type.',
  ],
  'media-type-misspelt': [
    'Misspelt media type',
    'The media type differs by a letter or two from a common one. duet keeps it as written, so callers must send it in that spelling, and programs do not know what they receive.',
    'Correct the spelling.',
  ],
  'server-path-ignored': [
    'Server with a path of its own',
    'Everything is served below the path of the first server of the document.',
    'Put the difference into the path.',
  ],
  'header-parameter-ignored': [
    'Ignored header parameter',
    'Parameters named Accept, Content-Type or Authorization are ignored (OpenAPI 3.1, Parameter Object).',
    'Use the media types of content, or a security scheme.',
  ],
  'security-unsatisfiable': [
    'Security requirement that no request satisfies',
    'A request has one header Authorization, with a credential of one scheme (RFC 9110, section 11.6.2). No request can satisfy a requirement of two such schemes, for instance basic and bearer. Other requirements of the list still apply.',
    'Write the schemes as two requirements if either is enough, or make one of them an apiKey in a header of its own.',
  ],
  'content-impossible': [
    'Content of a response that cannot have any',
    'A response with status 204, 205 or 304 has no content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). Over both protocols its result is null.',
    'Remove the content, or use another status, such as 200.',
  ],
  'timezone-parameter-missing': [
    'Operation with zoned datetimes has no __tz',
    'Callers can choose the time zone of its datetimes only if the operation declares __tz.',
    'Add a query parameter __tz of type string.',
  ],
  'deprecation-date-missing': [
    'Deprecation date is missing',
    'Without x-deprecated-since, responses have no Deprecation header (RFC 9745).',
    'Add x-deprecated-since with the date of deprecation.',
  ],
  'body-media-type': [
    'Body of a media type that is ignored or not parsed',
    'duet accepts several media types for a body if their schemas are equal or all are objects. It does not parse XML, which is a text.',
    'Give all of them the same schema, and remove those that duet would read as text or bytes.',
  ],
  'operation-renamed': [
    'Operation with another name than its own',
    'Two operations without x-rpc-method would get the same name, so one of them gets another. Or the operation had another name in the generated version, and keeps it.',
    'Set the name with x-rpc-method.',
  ],
  'client-member-renamed': [
    'Name that every client already has',
    'Clients have the methods batch, call and notify. In the client, an operation or namespace of such a name gets an underscore. Over both protocols its name stays.',
    'Call it by that name, or set another one with x-rpc-method.',
  ],
  'mcp-code-reserved': [
    'Error code that MCP reserves',
    'MCP has its own meaning for the codes from -32099 to -32020. Over MCP such an error has the code -32600.',
    'Use another code, such as one from -32019 to -32000.',
  ],
  'mcp-argument-name': [
    'Argument name that some clients of MCP refuse',
    'Some clients take only names of 1 to 64 characters: letters of ASCII, digits, _, . and -. For one other name they refuse the whole list of tools.',
    'Give the parameter another name, or leave it out of the tool with fixed or hidden in x-mcp.',
  ],
  'mcp-schema-wider': [
    'Tool whose schema accepts more',
    'Clients of MCP read only a part of JSON Schema. So the schema of the tool accepts calls that the operation refuses; an agent then learns what is wrong from the response.',
    'Describe the limit in words, or accept it.',
  ],
  'misspelt-extension': [
    'Misspelt extension',
    'The extension differs by a letter or two from one that duet reads, so it is ignored.',
    'Correct the spelling.',
  ],
} satisfies Record<string, CodeTexts>
