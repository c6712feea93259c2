export interface LimitSetting {
  readonly option: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly description: string;
  /** Status and code of the error. */
  readonly refusal: string;
}

/** Source of the options of `acequia serve` and of the table in docs/rest.md. */
export const HTTP_LIMITS = {
  rate: {
    option: '--rate-limit',
    default: 600,
    min: 0,
    max: 1_000_000,
    description: 'requests per minute per key, or per address without a valid key; 0 for no limit',
    refusal: '429 rate_limited',
  },
  burst: {
    option: '--rate-burst',
    default: 600,
    min: 1,
    max: 1_000_000,
    description: 'requests that may arrive at once',
    refusal: '429 rate_limited',
  },
  bodyBytes: {
    option: '--max-body',
    default: 1_048_576,
    min: 1_024,
    max: 67_108_864,
    description: 'bytes of a request body',
    refusal: '413 payload_too_large',
  },
  batchBytes: {
    option: '--max-batch',
    default: 16_777_216,
    min: 1_024,
    max: 268_435_456,
    description: 'bytes of a batch of readings, after decompression',
    refusal: '413 payload_too_large',
  },
  jsonDepth: {
    option: '--max-json-depth',
    default: 32,
    min: 4,
    max: 200,
    description: 'nesting depth of a JSON body',
    refusal: '400 invalid_body',
  },
  urlBytes: {
    option: '--max-url',
    default: 8_192,
    min: 1_024,
    max: 65_536,
    description: 'bytes of path and query',
    refusal: '414 uri_too_long',
  },
  headerBytes: {
    option: '--max-headers',
    default: 16_384,
    min: 2_048,
    max: 131_072,
    description: 'bytes of the request line and all headers',
    refusal: '431 headers_too_large',
  },
  headerSeconds: {
    option: '--header-timeout',
    default: 10,
    min: 1,
    max: 300,
    description: 'seconds in which the headers of a request must arrive',
    refusal: '408 request_timeout',
  },
  requestSeconds: {
    option: '--request-timeout',
    default: 30,
    min: 1,
    max: 600,
    description: 'seconds in which a body must arrive once the service reads it',
    refusal: '408 request_timeout',
  },
} as const satisfies Record<string, LimitSetting>;

export const limitVariable = ({ option }: LimitSetting): string =>
  `ACEQUIA_${option.slice(2).toUpperCase().replaceAll('-', '_')}`;

export type HttpLimits = Readonly<Record<keyof typeof HTTP_LIMITS, number>>;

export function httpLimits(readLimit: (setting: LimitSetting) => number): HttpLimits {
  return {
    rate: readLimit(HTTP_LIMITS.rate),
    burst: readLimit(HTTP_LIMITS.burst),
    bodyBytes: readLimit(HTTP_LIMITS.bodyBytes),
    batchBytes: readLimit(HTTP_LIMITS.batchBytes),
    jsonDepth: readLimit(HTTP_LIMITS.jsonDepth),
    urlBytes: readLimit(HTTP_LIMITS.urlBytes),
    headerBytes: readLimit(HTTP_LIMITS.headerBytes),
    headerSeconds: readLimit(HTTP_LIMITS.headerSeconds),
    requestSeconds: readLimit(HTTP_LIMITS.requestSeconds),
  };
}
