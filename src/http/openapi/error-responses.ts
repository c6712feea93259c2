import { STATUS_CODES } from 'node:http';
import { inputFields } from '../../operation/input-fields.ts';
import type { JsonSchema } from '../../operation/json-schema.ts';
import {
  type AnyOperation,
  argumentLocation,
  defaultErrorCode,
  isWrite,
  pathParameters,
} from '../../operation/operation.ts';
import { fieldMetadata } from '../../schema/field.ts';
import { componentRef } from './component-schemas.ts';

/** Codes by status. */
export type CodesByStatus = Readonly<Record<number, readonly string[]>>;

/** A problem body. Source: RFC 9457; code, hint and field are ours. */
export const PROBLEM_SCHEMA: JsonSchema = {
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

const AMOUNT_CODES = ['MISSING_DURATION', 'MISSING_DEPTH', 'MISSING_VOLUME'];
const TIMELINE_CODES = ['EFFECTIVE_FROM_IN_FUTURE', 'INSTALLATION_VERSION_EXISTS_AT_DATE'];

/** What the use cases refuse beside a malformed argument and a reference that is not the company's. */
const OWN_CODES: Readonly<Record<string, CodesByStatus>> = {
  log_watering: { 400: ['ENDED_BEFORE_STARTED', ...AMOUNT_CODES] },
  correct_watering: { 400: ['ENDED_BEFORE_STARTED', ...AMOUNT_CODES] },
  create_schedule: { 400: AMOUNT_CODES },
  update_schedule: { 400: AMOUNT_CODES },
  set_module_installation: { 400: TIMELINE_CODES },
  set_parcel_installation: { 400: TIMELINE_CODES },
  correct_installation: { 400: TIMELINE_CODES },
  generalize_installation: { 400: ['NO_INSTALLATION', ...TIMELINE_CODES], 404: ['PARCEL_NOT_FOUND'] },
  ingest: { 400: ['AMBIGUOUS_NAME', 'INVALID_TIMEZONE'], 404: ['not_found'] },
  create_alert: { 403: ['no_user'] },
  create_annotation: { 400: ['THRESHOLD_REQUIRES_VWC'], 403: ['no_user'] },
  update_annotation: { 400: ['THRESHOLD_REQUIRES_VWC'] },
};

/** The code of a path parameter that names neither module nor parcel, where nothing stands under it. */
const UNKNOWN_ID_CODES: Readonly<Record<string, string>> = { eventId: 'EVENT_NOT_FOUND' };

/** What the HTTP side refuses, whatever the operation. */
const COMMON_CODES: CodesByStatus = {
  400: ['invalid_parameter', 'invalid_body'],
  401: ['unauthenticated'],
  403: ['insufficient_scope'],
  414: ['uri_too_long'],
  429: ['rate_limited'],
  431: ['headers_too_large'],
  500: ['INTERNAL'],
  503: ['STORE_UNAVAILABLE'],
};

const WRITE_CODES: CodesByStatus = { 403: ['insufficient_role'], 422: ['IDEMPOTENCY_KEY_REUSED'] };

const BODY_CODES: CodesByStatus = {
  408: ['request_timeout'],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
};

/** Codes of malformed arguments, each of its own or by its place. */
const malformedCodes = (operation: AnyOperation): CodesByStatus => ({
  400: inputFields(operation).map(([name, schema]) => fieldMetadata(schema).code ?? defaultErrorCode(operation, name)),
});

/** Codes of references that are unknown or another company's. */
function referenceCodes(operation: AnyOperation): CodesByStatus[] {
  return inputFields(operation).flatMap(([name, schema]): CodesByStatus[] => {
    const { kind } = fieldMetadata(schema);
    if (kind === 'module' || kind === 'parcel') {
      const unknown = operation.unknown?.[kind];
      if (unknown === 'MODULE_NOT_OWNED') return [{ 400: [unknown] }];
      return [{ 403: ['forbidden_resource'], 404: [unknown ?? 'not_found'] }];
    }
    if (!pathParameters(operation.endpoint).includes(name)) return [];
    return [{ 403: ['forbidden_resource'], 404: [UNKNOWN_ID_CODES[name] ?? 'not_found'] }];
  });
}

const takesBody = ({ endpoint }: AnyOperation): boolean => argumentLocation(endpoint, '') === 'body';

/** Every code that an operation may answer, by status. */
export function errorCodesOf(operation: AnyOperation): CodesByStatus {
  const parts: CodesByStatus[] = [
    malformedCodes(operation),
    OWN_CODES[operation.name] ?? {},
    ...referenceCodes(operation),
    COMMON_CODES,
    ...(isWrite(operation) ? [WRITE_CODES] : []),
    ...(takesBody(operation) ? [BODY_CODES] : []),
  ];
  const merged: Record<number, string[]> = {};
  for (const [status, codes] of parts.flatMap((part) => Object.entries(part)))
    merged[Number(status)] = [...new Set([...(merged[Number(status)] ?? []), ...codes])];
  return merged;
}

/** Statuses in words, for a person who reads the document. */
const STATUS_DESCRIPTIONS: Readonly<Record<string, string>> = {
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

const problemExample = (status: string, code: string | undefined) => ({
  type: 'about:blank',
  title: STATUS_CODES[status],
  status: Number(status),
  detail: STATUS_DESCRIPTIONS[status],
  code,
});

/** A refusal as a response: its codes are all there are. */
export const problemResponse = (status: string, codes: readonly string[]) => ({
  description: `${STATUS_DESCRIPTIONS[status]} Codes: ${codes.join(', ')}.`,
  ...(status === '429' && { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }),
  content: {
    'application/problem+json': {
      schema: { allOf: [componentRef('Problem'), { properties: { code: { enum: codes } } }] },
      example: problemExample(status, codes[0]),
    },
  },
});

/** The name under which a refusal that is the same for all operations stands once. */
const SHARED_RESPONSE_NAMES: Readonly<Record<string, string>> = {
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
    Object.entries({ ...COMMON_CODES, ...WRITE_CODES, ...BODY_CODES })
      .filter(([status]) => SHARED_RESPONSE_NAMES[status])
      .map(([status, codes]) => [SHARED_RESPONSE_NAMES[status]!, problemResponse(status, codes)]),
  );

/** The refusals of an operation as responses. */
export const errorResponses = (operation: AnyOperation): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(errorCodesOf(operation)).map(([status, codes]) => [
      status,
      SHARED_RESPONSE_NAMES[status]
        ? { $ref: `#/components/responses/${SHARED_RESPONSE_NAMES[status]}` }
        : problemResponse(status, codes),
    ]),
  );
