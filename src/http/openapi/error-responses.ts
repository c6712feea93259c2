import { STATUS_CODES } from 'node:http';
import { DAILY_LIMIT } from '../../operation/daily-rows.ts';
import type { AnyOperation, CodesByStatus } from '../../operation/operation.ts';
import { inputFields, takesBody } from '../../operation/operation-fields.ts';
import { isWrite } from '../../operation/operation-kind.ts';
import { isReferenceKind } from '../../schema/field.ts';
import { componentRef } from './schemas.ts';

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

const READ_CODES: CodesByStatus = { 503: ['BUSY'] };

const WRITE_CODES: CodesByStatus = {
  403: ['insufficient_role'],
  422: ['IDEMPOTENCY_KEY_REUSED'],
  429: [DAILY_LIMIT],
};

const BODY_CODES: CodesByStatus = {
  408: ['request_timeout'],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
};

/** Codes for an argument that is invalid whatever is stored. */
const malformedCodes = (operation: AnyOperation): CodesByStatus => ({
  400: [...inputFields(operation).values()].map(({ errorCode }) => errorCode),
});

/** Codes for ids that do not exist, or belong to another company. */
function referenceCodes(operation: AnyOperation): CodesByStatus[] {
  return [...inputFields(operation).values()].flatMap(({ location, metadata }): CodesByStatus[] => {
    const { kind, unknownCode } = metadata;
    const isReference = isReferenceKind(kind) || location === 'path';
    if (!isReference) return [];
    if (unknownCode === 'MODULE_NOT_OWNED') return [{ 400: [unknownCode] }];
    return [{ 403: ['forbidden_resource'], 404: [unknownCode ?? 'not_found'] }];
  });
}

export function errorCodesOf(operation: AnyOperation): CodesByStatus {
  const parts: CodesByStatus[] = [
    malformedCodes(operation),
    operation.rest?.errorCodes ?? {},
    ...referenceCodes(operation),
    COMMON_CODES,
    isWrite(operation) ? WRITE_CODES : READ_CODES,
  ];
  if (takesBody(operation.endpoint)) parts.push(BODY_CODES);

  const merged: Record<string, string[]> = {};
  for (const [status, codes] of parts.flatMap((part) => Object.entries(part))) {
    const earlier = merged[status] ?? [];
    merged[status] = [...new Set([...earlier, ...codes])];
  }

  return merged;
}

const STATUS_DESCRIPTIONS: Readonly<Record<string, string>> = {
  400: 'The request or a parameter is not valid.',
  401: 'The key is missing, unknown, expired or revoked.',
  403: 'The scope or the role does not allow this, or the resource belongs to another company.',
  404: 'Not found.',
  408: 'The request was not sent in time.',
  409: 'Something later depends on the change.',
  413: 'The body is too large.',
  414: 'The URL is too long.',
  415: 'The content type or encoding of the body is not supported.',
  422: 'The Idempotency-Key was used before with other arguments.',
  429: 'Too many requests, or too many rows in a day: wait as Retry-After says.',
  431: 'The headers are too large.',
  500: 'Internal error; the reference is in the log.',
  503: 'The store is not available, or the service is too busy: try again as Retry-After says.',
};

const problemExample = (status: string, code: string | undefined) => ({
  type: 'about:blank',
  title: STATUS_CODES[status],
  status: Number(status),
  detail: STATUS_DESCRIPTIONS[status],
  code,
});

const RETRY_STATUSES: ReadonlySet<string> = new Set(['429', '503']);
const RETRY_HEADERS = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
const REUSED_KEY_HEADERS = {
  'Idempotent-Answered-At': { $ref: '#/components/headers/AnsweredAt' },
};

function headersOf(status: string) {
  if (RETRY_STATUSES.has(status)) return RETRY_HEADERS;
  return status === '422' ? REUSED_KEY_HEADERS : undefined;
}

export const problemResponse = (status: string, codes: readonly string[]) => ({
  description: `${STATUS_DESCRIPTIONS[status]} Codes: ${codes.join(', ')}.`,
  headers: headersOf(status),
  content: {
    'application/problem+json': {
      schema: { allOf: [componentRef('Problem'), { properties: { code: { enum: codes } } }] },
      example: problemExample(status, codes[0]),
    },
  },
});

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

export function sharedResponses(): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  const codesByStatus = { ...COMMON_CODES, ...WRITE_CODES, ...BODY_CODES };
  for (const [status, codes] of Object.entries(codesByStatus)) {
    const name = SHARED_RESPONSE_NAMES[status];
    if (name !== undefined) responses[name] = problemResponse(status, codes);
  }
  return responses;
}

export function errorResponses(operation: AnyOperation): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  for (const [status, codes] of Object.entries(errorCodesOf(operation))) {
    const name = SHARED_RESPONSE_NAMES[status];
    // The shared response does not list the code that only batches have.
    const isShared = name !== undefined && !codes.includes('server_busy');
    responses[status] = isShared
      ? { $ref: `#/components/responses/${name}` }
      : problemResponse(status, codes);
  }
  return responses;
}
