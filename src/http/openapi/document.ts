import type { AnyOperation } from '../../operation/operation.ts';
import { isWrite, TOOLSET_DESCRIPTIONS, TOOLSETS } from '../../operation/operation-kind.ts';
import { toolNamesToEndpoints } from '../../operation/rest-conventions.ts';
import { SCOPES } from '../../schema/scope.ts';
import { PROBLEM_SCHEMA } from '../transport-errors.ts';
import { errorResponses, problemResponse, sharedResponses } from './error-responses.ts';
import { composeExample, type ExampleStories, type OperationExample } from './examples.ts';
import {
  batchQueryParameters,
  conciseSchema,
  operationParameters,
  referencedSchemas,
  requestBodySchema,
  responseSchema,
} from './schemas.ts';
import { webhookPaths } from './webhook-paths.ts';

const INTRODUCTION = `Every call acts within the company of its key, which travels in the header \`x-api-key\`; make one with \`acequia keys create\`.

- Bodies are JSON in UTF-8. Instants are ISO 8601; in answers they are UTC with milliseconds. An instant sent without an offset is local time of the company.
- Fields left out of a PATCH keep their value; null clears a nullable field. An unknown field or parameter is refused.
- Lists answer \`{ data, next_cursor }\`: pass next_cursor back unchanged in \`cursor\`; null marks the last page.
- Every write takes an \`Idempotency-Key\`: the same request with the same key within 24 hours gets the same answer again, marked \`Idempotent-Replayed\` with its instant in \`Idempotent-Answered-At\`, and writes nothing twice.
- Errors are \`application/problem+json\` with a \`code\`, and usually a \`hint\` that says what to do next.

Each operation names its scope: ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}. OWNER and MANAGER write, VIEWER only reads.`;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any text that is new for this write, 1 to 255 printable characters; it makes a retry safe for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};

const RESPONSE_HEADERS = {
  RequestId: {
    description:
      'Identifies this request in the log: the X-Request-Id of the request if it is one word of at most 128 characters.',
    schema: { type: 'string' },
  },
  Replayed: {
    description:
      'true if this is the stored answer of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  AnsweredAt: {
    description:
      'When the stored answer was made, or the earlier call under a key that was reused.',
    schema: { type: 'string', format: 'date-time' },
  },
  ChangeId: {
    description: 'Id of the change that this request made, by which it can be undone.',
    schema: { type: 'integer' },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer' },
  },
  RateLimitLimit: {
    description: 'Requests that the key may send in a burst.',
    schema: { type: 'integer' },
  },
  RateLimitRemaining: { description: 'Requests remaining.', schema: { type: 'integer' } },
  RateLimitReset: {
    description: 'Seconds until the full number is available again.',
    schema: { type: 'integer' },
  },
};

const headerRef = (name: keyof typeof RESPONSE_HEADERS) => ({
  $ref: `#/components/headers/${name}`,
});

/** Headers that are undefined do not appear in the JSON of the document. */
const successHeaders = (operation: AnyOperation) => ({
  'X-Request-Id': headerRef('RequestId'),
  'Idempotent-Replayed': isWrite(operation) ? headerRef('Replayed') : undefined,
  'Idempotent-Answered-At': isWrite(operation) ? headerRef('AnsweredAt') : undefined,
  'Acequia-Change-Id':
    isWrite(operation) && !operation.rest?.isRestOnly ? headerRef('ChangeId') : undefined,
  'RateLimit-Limit': headerRef('RateLimitLimit'),
  'RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'RateLimit-Reset': headerRef('RateLimitReset'),
});

const descriptionOf = ({ description, scope }: AnyOperation): string =>
  `${description.replaceAll('an idempotencyKey', 'an Idempotency-Key')}\n\nScope: \`${scope}\`.`;

/** Undefined for an operation without a body. */
function requestBody(operation: AnyOperation, example: OperationExample) {
  const schema = requestBodySchema(operation);
  if (schema === null) return undefined;

  const csv = { schema: { type: 'string' }, example: example.csv };
  return {
    required: schema.required !== undefined,
    content: {
      'application/json': { schema, example: example.body },
      'text/csv': operation.batch?.csv ? csv : undefined,
    },
  };
}

function responseContent(operation: AnyOperation, example: OperationExample) {
  if (operation.render)
    return { 'image/png': { schema: { type: 'string', contentMediaType: 'image/png' } } };

  const full = responseSchema(operation.output);
  const schema = operation.concise ? { anyOf: [full, conciseSchema(operation.output)] } : full;
  return { 'application/json': { schema, example: example.response } };
}

function operationObject(operation: AnyOperation, example: OperationExample) {
  const { name, title, toolset, scope, endpoint } = operation;
  const parameters = operationParameters(operation).map((parameter) => {
    const value = example.parameters[parameter.name];
    return value === undefined ? parameter : { ...parameter, example: value };
  });
  const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' };

  return {
    operationId: name,
    summary: title,
    description: descriptionOf(operation),
    tags: [toolset],
    'x-scope': scope,
    security: [{ apiKey: [scope] }],
    parameters: [
      ...parameters,
      ...batchQueryParameters(operation),
      ...(isWrite(operation) ? [idempotencyKey] : []),
    ],
    requestBody: requestBody(operation, example),
    responses: {
      [endpoint.status]: {
        description: endpoint.status === 201 ? 'Created.' : 'OK.',
        headers: successHeaders(operation),
        content: responseContent(operation, example),
      },
      ...errorResponses(operation),
    },
  };
}

function statusPath(
  name: string,
  summary: string,
  status: string,
  refusals: Record<string, unknown>,
) {
  const schema = {
    type: 'object',
    properties: { status: { type: 'string', enum: [status] } },
    required: ['status'],
    additionalProperties: false,
  };

  return {
    servers: [{ url: '/' }],
    get: {
      operationId: name,
      summary,
      tags: ['service'],
      security: [],
      responses: {
        200: {
          description: 'OK.',
          content: { 'application/json': { schema, example: { status } } },
        },
        ...refusals,
      },
    },
  };
}

function pathItems(operations: readonly AnyOperation[], stories: ExampleStories) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const { path, method } = operation.endpoint;
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: operationObject(
        operation,
        composeExample(operation, stories.get(operation.name)),
      ),
    };
  }
  return paths;
}

/** Replaces tool names in descriptions by endpoints, which REST clients know. */
function withEndpointNames(
  paths: ReturnType<typeof pathItems>,
  operations: readonly AnyOperation[],
): typeof paths {
  const byName = new Map(operations.map((each) => [each.name, each]));
  return JSON.parse(
    JSON.stringify(paths, (key, value) =>
      key === 'description' && typeof value === 'string'
        ? toolNamesToEndpoints(value, byName)
        : value,
    ),
  );
}

export function openApiDocument(
  operations: readonly AnyOperation[],
  stories: ExampleStories,
  version: string,
) {
  const paths = {
    ...withEndpointNames(pathItems(operations, stories), operations),
    ...webhookPaths,
    '/health': statusPath('health', 'Check whether the process is alive', 'ok', {}),
    '/ready': statusPath('ready', 'Check whether the store answers', 'ready', {
      503: problemResponse('503', ['STORE_UNAVAILABLE']),
    }),
  };

  const tags = TOOLSETS.filter((toolset) => operations.some((each) => each.toolset === toolset));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Acequia',
      version,
      summary: 'Irrigation records and soil moisture.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1' }],
    security: [{ apiKey: [] }],
    tags: [
      ...tags.map((name) => ({ name, description: TOOLSET_DESCRIPTIONS[name] })),
      { name: 'service', description: 'The service itself; no key needed.' },
    ],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'A key of `acequia keys create`.',
        },
      },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: RESPONSE_HEADERS,
      responses: sharedResponses(),
      schemas: { Problem: PROBLEM_SCHEMA, ...referencedSchemas(paths) },
    },
  };
}
