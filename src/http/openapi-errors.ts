import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import type { JsonSchema } from '../operation/json-schema.ts';
import { type AnyOperation, codeOfPlace, isWrite, pathParameters, placeOf } from '../operation/operation.ts';
import { factsOf } from '../schema/field.ts';
import { componentRef } from './openapi-resources.ts';

/** Codes by status. */
export type Codes = Readonly<Record<number, readonly string[]>>;

/** A problem body. Source: RFC 9457; code, hint and field are ours. */
export const PROBLEM: JsonSchema = {
  type: 'object',
  description: 'What went wrong, for a program (code) and for a person (detail, hint). Source: RFC 9457.',
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'Always about:blank.' },
    title: { type: 'string', description: 'The status in words.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What is wrong, with the value.' },
    code: { type: 'string', description: 'The error code.' },
    hint: { type: 'string', description: 'What to do next.' },
    field: { type: 'string', description: 'The argument at fault.' },
  },
  required: ['type', 'title', 'status', 'detail', 'code'],
  additionalProperties: false,
};

const AMOUNTS = ['MISSING_DURATION', 'MISSING_DEPTH', 'MISSING_VOLUME'];
const TIMELINE = ['EFFECTIVE_FROM_IN_FUTURE', 'INSTALLATION_VERSION_EXISTS_AT_DATE'];

/** What the use cases refuse beside a malformed argument and a reference that is not the company's. */
const REFUSALS: Readonly<Record<string, Codes>> = {
  log_watering: { 400: ['ENDED_BEFORE_STARTED', ...AMOUNTS] },
  correct_watering: { 400: ['ENDED_BEFORE_STARTED', ...AMOUNTS] },
  create_schedule: { 400: AMOUNTS },
  update_schedule: { 400: AMOUNTS },
  set_module_installation: { 400: TIMELINE },
  set_parcel_installation: { 400: TIMELINE },
  correct_installation: { 400: TIMELINE },
  generalize_installation: { 400: ['NO_INSTALLATION', ...TIMELINE], 404: ['PARCEL_NOT_FOUND'] },
  ingest: { 400: ['AMBIGUOUS_NAME', 'INVALID_TIMEZONE'], 404: ['not_found'] },
  create_alert: { 403: ['no_user'] },
  create_annotation: { 400: ['THRESHOLD_REQUIRES_VWC'], 403: ['no_user'] },
  update_annotation: { 400: ['THRESHOLD_REQUIRES_VWC'] },
};

/** The code of a path parameter that names neither module nor parcel, where nothing stands under it. */
const UNKNOWN_IDS: Readonly<Record<string, string>> = { eventId: 'EVENT_NOT_FOUND' };

/** What the HTTP side refuses, whatever the operation. */
const EVERYWHERE: Codes = {
  400: ['invalid_parameter', 'invalid_body'],
  401: ['unauthenticated'],
  403: ['insufficient_scope'],
  414: ['uri_too_long'],
  429: ['rate_limited'],
  431: ['headers_too_large'],
  500: ['INTERNAL'],
  503: ['STORE_UNAVAILABLE'],
};

const OF_WRITES: Codes = { 403: ['insufficient_role'], 422: ['IDEMPOTENCY_KEY_REUSED'] };

const OF_BODIES: Codes = {
  408: ['request_timeout'],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
};

const fieldsOf = (described: AnyOperation) => Object.entries(described.input.shape as z.ZodRawShape);

/** Codes of malformed arguments, each of its own or by its place. */
const malformed = (described: AnyOperation): Codes => ({
  400: fieldsOf(described).map(([name, schema]) => factsOf(schema).code ?? codeOfPlace(described, name)),
});

/** Codes of references that are unknown or another company's. */
function notOwned(described: AnyOperation): Codes[] {
  return fieldsOf(described).flatMap(([name, schema]): Codes[] => {
    const { kind } = factsOf(schema);
    if (kind === 'module' || kind === 'parcel') {
      const unknown = described.unknown?.[kind];
      if (unknown === 'MODULE_NOT_OWNED') return [{ 400: [unknown] }];
      return [{ 403: ['forbidden_resource'], 404: [unknown ?? 'not_found'] }];
    }
    if (!pathParameters(described.endpoint).includes(name)) return [];
    return [{ 403: ['forbidden_resource'], 404: [UNKNOWN_IDS[name] ?? 'not_found'] }];
  });
}

const takesBody = ({ endpoint }: AnyOperation): boolean => placeOf(endpoint, '') === 'body';

/** Every code that an operation may answer, by status. */
export function codesOf(described: AnyOperation): Codes {
  const parts: Codes[] = [
    malformed(described),
    REFUSALS[described.name] ?? {},
    ...notOwned(described),
    EVERYWHERE,
    ...(isWrite(described) ? [OF_WRITES] : []),
    ...(takesBody(described) ? [OF_BODIES] : []),
  ];
  const merged: Record<number, string[]> = {};
  for (const [status, codes] of parts.flatMap((part) => Object.entries(part)))
    merged[Number(status)] = [...new Set([...(merged[Number(status)] ?? []), ...codes])];
  return merged;
}

/** Statuses in words, for a person who reads the document. */
const WORDS: Readonly<Record<string, string>> = {
  400: 'The entry is refused, or a parameter is not valid.',
  401: 'The key is missing, unknown, expired or revoked.',
  403: 'The scope or the role does not allow it, or it belongs to another company.',
  404: 'Nothing stands there.',
  408: 'The request was not sent in time.',
  413: 'The body is too large.',
  414: 'The address is too long.',
  415: 'The body is of a type or an encoding that is not taken.',
  422: 'The Idempotency-Key was used before with other arguments.',
  429: 'Too many requests: wait as Retry-After says.',
  431: 'The headers are too large.',
  500: 'Something went wrong inside; the reference stands in the log.',
  503: 'The store cannot answer now.',
};

const exampleOf = (status: string, code: string | undefined) => ({
  type: 'about:blank',
  title: STATUS_CODES[status],
  status: Number(status),
  detail: WORDS[status],
  code,
});

/** A refusal as a response: its codes are all there are. */
export const problemResponse = (status: string, codes: readonly string[]) => ({
  description: `${WORDS[status]} Codes: ${codes.join(', ')}.`,
  ...(status === '429' && { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }),
  content: {
    'application/problem+json': {
      schema: { allOf: [componentRef('Problem'), { properties: { code: { enum: codes } } }] },
      example: exampleOf(status, codes[0]),
    },
  },
});

/** The name under which a refusal that is the same for all operations stands once. */
const SHARED: Readonly<Record<string, string>> = {
  401: 'Unauthenticated',
  408: 'RequestTimeout',
  413: 'PayloadTooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedMediaType',
  422: 'IdempotencyKeyReused',
  429: 'RateLimited',
  431: 'HeadersTooLarge',
  500: 'Internal',
  503: 'StoreUnavailable',
};

export const sharedResponses = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ ...EVERYWHERE, ...OF_WRITES, ...OF_BODIES })
      .filter(([status]) => SHARED[status])
      .map(([status, codes]) => [SHARED[status]!, problemResponse(status, codes)]),
  );

/** The refusals of an operation as responses. */
export const refusalsOf = (described: AnyOperation): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(codesOf(described)).map(([status, codes]) => [
      status,
      SHARED[status] ? { $ref: `#/components/responses/${SHARED[status]}` } : problemResponse(status, codes),
    ]),
  );
