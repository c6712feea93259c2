export interface HttpLimits {
  readonly rate: number;
  readonly burst: number;
  readonly bodyBytes: number;
  readonly batchBytes: number;
  readonly jsonDepth: number;
  readonly urlBytes: number;
  readonly headerBytes: number;
  readonly headerSeconds: number;
  readonly requestSeconds: number;
}

export interface LimitSetting {
  readonly name: keyof HttpLimits;
  readonly option: string;
  readonly env: string;
  readonly unit: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly description: string;
  readonly refusal: string;
}

/** Source of the options of `acequia serve` and of the table in docs/rest.md. */
export const HTTP_LIMITS: readonly LimitSetting[] = [
  {
    name: 'rate',
    option: '--rate-limit',
    env: 'ACEQUIA_RATE_LIMIT',
    unit: 'requests a minute',
    default: 600,
    min: 0,
    max: 1_000_000,
    description: 'requests a minute of one key, and of one address without a valid key; 0 for no limit',
    refusal: '429 rate_limited',
  },
  {
    name: 'burst',
    option: '--rate-burst',
    env: 'ACEQUIA_RATE_BURST',
    unit: 'requests',
    default: 600,
    min: 1,
    max: 1_000_000,
    description: 'requests that may come at once',
    refusal: '429 rate_limited',
  },
  {
    name: 'bodyBytes',
    option: '--max-body',
    env: 'ACEQUIA_MAX_BODY',
    unit: 'bytes',
    default: 1_048_576,
    min: 1_024,
    max: 67_108_864,
    description: 'bytes of a request body',
    refusal: '413 payload_too_large',
  },
  {
    name: 'batchBytes',
    option: '--max-batch',
    env: 'ACEQUIA_MAX_BATCH',
    unit: 'bytes',
    default: 16_777_216,
    min: 1_024,
    max: 268_435_456,
    description: 'bytes of a batch of readings, counted when inflated',
    refusal: '413 payload_too_large',
  },
  {
    name: 'jsonDepth',
    option: '--max-json-depth',
    env: 'ACEQUIA_MAX_JSON_DEPTH',
    unit: 'levels',
    default: 32,
    min: 4,
    max: 200,
    description: 'levels of objects and arrays within each other in a body',
    refusal: '400 invalid_body',
  },
  {
    name: 'urlBytes',
    option: '--max-url',
    env: 'ACEQUIA_MAX_URL',
    unit: 'bytes',
    default: 8_192,
    min: 1_024,
    max: 65_536,
    description: 'bytes of path and query',
    refusal: '414 uri_too_long',
  },
  {
    name: 'headerBytes',
    option: '--max-headers',
    env: 'ACEQUIA_MAX_HEADERS',
    unit: 'bytes',
    default: 16_384,
    min: 2_048,
    max: 131_072,
    description: 'bytes of the request line and all headers',
    refusal: '431 headers_too_large',
  },
  {
    name: 'headerSeconds',
    option: '--header-timeout',
    env: 'ACEQUIA_HEADER_TIMEOUT',
    unit: 'seconds',
    default: 10,
    min: 1,
    max: 300,
    description: 'seconds in which the headers of a request must arrive',
    refusal: '408 request_timeout',
  },
  {
    name: 'requestSeconds',
    option: '--request-timeout',
    env: 'ACEQUIA_REQUEST_TIMEOUT',
    unit: 'seconds',
    default: 30,
    min: 1,
    max: 600,
    description: 'seconds in which a whole request must arrive',
    refusal: '408 request_timeout',
  },
];

export const DEFAULT_HTTP_LIMITS = Object.fromEntries(
  HTTP_LIMITS.map((each) => [each.name, each.default]),
) as unknown as HttpLimits;
