/** What a request may cost. */
export interface Limits {
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

/** A limit as the command line and the documentation name it. */
export interface DescribedLimit {
  readonly name: keyof Limits;
  readonly option: string;
  readonly env: string;
  readonly unit: string;
  readonly default: number;
  readonly least: number;
  readonly most: number;
  readonly text: string;
  /** How a request beyond it is refused. */
  readonly refusal: string;
}

/** Every limit over HTTP: the options of `acequia serve` and the table in the documentation come from here. */
export const LIMITS: readonly DescribedLimit[] = [
  {
    name: 'rate',
    option: '--rate-limit',
    env: 'ACEQUIA_RATE_LIMIT',
    unit: 'requests a minute',
    default: 600,
    least: 0,
    most: 1_000_000,
    text: 'requests a minute of one key, and of one address without a valid key; 0 for no limit',
    refusal: '429 rate_limited',
  },
  {
    name: 'burst',
    option: '--rate-burst',
    env: 'ACEQUIA_RATE_BURST',
    unit: 'requests',
    default: 600,
    least: 1,
    most: 1_000_000,
    text: 'requests that may come at once',
    refusal: '429 rate_limited',
  },
  {
    name: 'bodyBytes',
    option: '--max-body',
    env: 'ACEQUIA_MAX_BODY',
    unit: 'bytes',
    default: 1_048_576,
    least: 1_024,
    most: 67_108_864,
    text: 'bytes of a request body',
    refusal: '413 payload_too_large',
  },
  {
    name: 'batchBytes',
    option: '--max-batch',
    env: 'ACEQUIA_MAX_BATCH',
    unit: 'bytes',
    default: 16_777_216,
    least: 1_024,
    most: 268_435_456,
    text: 'bytes of a batch of readings, counted when inflated',
    refusal: '413 payload_too_large',
  },
  {
    name: 'jsonDepth',
    option: '--max-json-depth',
    env: 'ACEQUIA_MAX_JSON_DEPTH',
    unit: 'levels',
    default: 32,
    least: 4,
    most: 200,
    text: 'levels of objects and arrays within each other in a body',
    refusal: '400 invalid_body',
  },
  {
    name: 'urlBytes',
    option: '--max-url',
    env: 'ACEQUIA_MAX_URL',
    unit: 'bytes',
    default: 8_192,
    least: 1_024,
    most: 65_536,
    text: 'bytes of path and query',
    refusal: '414 uri_too_long',
  },
  {
    name: 'headerBytes',
    option: '--max-headers',
    env: 'ACEQUIA_MAX_HEADERS',
    unit: 'bytes',
    default: 16_384,
    least: 2_048,
    most: 131_072,
    text: 'bytes of the request line and all headers',
    refusal: '431 headers_too_large',
  },
  {
    name: 'headerSeconds',
    option: '--header-timeout',
    env: 'ACEQUIA_HEADER_TIMEOUT',
    unit: 'seconds',
    default: 10,
    least: 1,
    most: 300,
    text: 'seconds in which the headers of a request must arrive',
    refusal: '408 request_timeout',
  },
  {
    name: 'requestSeconds',
    option: '--request-timeout',
    env: 'ACEQUIA_REQUEST_TIMEOUT',
    unit: 'seconds',
    default: 30,
    least: 1,
    most: 600,
    text: 'seconds in which a whole request must arrive',
    refusal: '408 request_timeout',
  },
];

export const DEFAULT_LIMITS = Object.fromEntries(LIMITS.map((each) => [each.name, each.default])) as unknown as Limits;
