import type { IncomingMessage } from 'node:http';
import type { TimeSlice } from '../../domain/event-loop.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import type { CallTrace } from '../../observe/observer.ts';
import {
  collectRestArguments,
  maxListLengths,
  readRestArguments,
  withQueryFields,
} from '../../operation/arguments/rest-arguments.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import type { OperationRequest } from '../../operation/operation-runner.ts';
import { fingerprintBatch } from '../../operation/replay/idempotency.ts';
import {
  assertReadIn,
  CONFIRMATION_HEADER,
  CONFIRMED,
  parseAdvisoriesRequest,
  parseInstantHeader,
  TOOL_CALL_HEADER,
  WORDS_READ_AT_HEADER,
} from '../../operation/rest-conventions.ts';
import { plainInputError } from '../../schema/error.ts';
import { MAX_SMALL_BATCH_BYTES } from '../../schema/ingest/ingest-batch.ts';
import { type BatchBytes, byteChunks } from '../body/batch-bytes.ts';
import { type BatchContent, type BatchLayout, readBatchJson } from '../body/batch-json.ts';
import { parseJsonBody, receiveJson } from '../body/json-body.ts';
import { assertNoBody } from '../body/request-body.ts';
import type { HttpLimits } from '../http-limits.ts';

export interface RestRequest {
  readonly incoming: IncomingMessage;
  readonly path: Readonly<Record<string, string>>;
  readonly trace: CallTrace;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
}

export const confirmationLang = ({ headers }: IncomingMessage): Lang | undefined =>
  LANGS.find((each) => each === headers[CONFIRMATION_HEADER]);

const NO_QUERY = new URLSearchParams();

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const start = url.indexOf('?');
  return start < 0 ? NO_QUERY : new URLSearchParams(url.slice(start));
}

/** Clients that do not ask for facts get sentences. */
const wantsAdvisoryTexts = ({ headers }: IncomingMessage): boolean =>
  parseAdvisoriesRequest(headers)?.wantsFacts === false;

export const readRequest = (
  operation: AnyOperation,
  { incoming, path, trace, signal }: RestRequest,
): OperationRequest => ({
  rawArguments: {},
  wantsSummary: false,
  wantsJson: true,
  wantsAdvisoryTexts: wantsAdvisoryTexts(incoming),
  trace,
  signal,
  async readArguments(context) {
    assertNoBody(incoming);
    assertReadIn(incoming.headers, context);
    const parameters = { path, query: queryOf(incoming), body: undefined };
    return readRestArguments(operation, collectRestArguments(operation, parameters), context);
  },
});

/** The bytes of the body, which are parsed when it is the turn of the call. */
export async function receiveBody(
  operation: AnyOperation,
  { incoming }: RestRequest,
  limits: HttpLimits,
): Promise<Buffer | null> {
  if (operation.endpoint.method === 'DELETE') assertNoBody(incoming);
  return receiveJson(incoming, limits);
}

export function writeRequest(
  operation: AnyOperation,
  request: RestRequest,
  bytes: Buffer | null,
  limits: HttpLimits,
): OperationRequest {
  const { incoming, path } = request;
  const settings = writeSettings(request);
  const body = bytes === null ? undefined : parseJsonBody(bytes, limits);
  const args = collectRestArguments(operation, { path, query: queryOf(incoming), body });

  return {
    ...settings,
    needsConfirmation: confirmationLang(incoming) !== undefined,
    isConfirmed: incoming.headers[CONFIRMATION_HEADER] === CONFIRMED,
    rawArguments: args,
    async readArguments(context) {
      assertReadIn(incoming.headers, context);
      return readRestArguments(operation, args, context);
    },
  };
}

interface BatchReading {
  readonly limits: HttpLimits;
  readonly slice: TimeSlice;
}

/** Passes rows and CSV on without validation: the operation validates them row by row. */
export async function batchRequest(
  operation: AnyOperation,
  request: RestRequest,
  batch: BatchBytes,
  csvField: string,
  { limits: { jsonDepth, bodyBytes }, slice }: BatchReading,
): Promise<OperationRequest> {
  const { incoming, path } = request;
  const settings = writeSettings(request);
  const layout = {
    maxRows: maxListLengths(operation),
    textField: csvField,
    maxDepth: jsonDepth,
    maxFieldBytes: bodyBytes,
  };
  const content = await readContent(batch, layout, slice);

  const body = withQueryFields(content.fields, queryOf(incoming));
  const args = collectRestArguments(operation, { path, query: NO_QUERY, body });
  const rowsAndText: Record<string, unknown> = Object.fromEntries(content.rows);
  if (content.text !== null) rowsAndText[csvField] = content.text;

  const operationRequest: OperationRequest = {
    ...settings,
    isSmallBatch: batch.bytes.length <= MAX_SMALL_BATCH_BYTES,
    rawArguments: args,
    async readArguments(context) {
      assertReadIn(incoming.headers, context);
      const parsed = await readRestArguments(operation, args, context);
      return { ...parsed, input: { ...parsed.input, ...rowsAndText } };
    },
  };

  // The fingerprint reads the whole batch, and only a repeated key needs it.
  if (settings.idempotencyKey === undefined) return operationRequest;
  const fingerprint = await fingerprintBatch(args, content.rows, content.text ?? [], slice);
  return { ...operationRequest, fingerprint };
}

/** Judged by the headers, before the body is read. */
export const isSmallBatch = ({ headers }: IncomingMessage): boolean =>
  headers['content-encoding'] === undefined &&
  Number(headers['content-length']) <= MAX_SMALL_BATCH_BYTES;

async function readContent(
  { bytes, isCsv }: BatchBytes,
  layout: BatchLayout,
  slice: TimeSlice,
): Promise<BatchContent> {
  if (isCsv) {
    const text = { [Symbol.iterator]: () => byteChunks(bytes) };
    return { fields: undefined, rows: new Map(), text };
  }
  if (bytes.length === 0) return { fields: undefined, rows: new Map(), text: null };
  return readBatchJson(bytes, layout, slice);
}

/** The settings that a batch and any other write have in common. */
const writeSettings = ({ incoming, trace }: RestRequest) => ({
  idempotencyKey: idempotencyKeyIn(incoming),
  idempotencyKeyName: IDEMPOTENCY_KEY_HEADER,
  isToolCall: incoming.headers[TOOL_CALL_HEADER] === '1',
  wordsReadAt: parseInstantHeader(incoming.headers, WORDS_READ_AT_HEADER),
  wantsSummary: false,
  wantsAdvisoryTexts: wantsAdvisoryTexts(incoming),
  trace,
});

const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

function idempotencyKeyIn({ headersDistinct }: IncomingMessage): string | undefined {
  const [key, another] = headersDistinct[IDEMPOTENCY_KEY_HEADER.toLowerCase()] ?? [];
  if (key === undefined) return undefined;
  if (another !== undefined)
    throw plainInputError('invalid_parameter', `${IDEMPOTENCY_KEY_HEADER} is repeated.`, {
      hint: 'Send one for each entry.',
      field: IDEMPOTENCY_KEY_HEADER,
    });

  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;

  throw plainInputError(
    'invalid_parameter',
    `${IDEMPOTENCY_KEY_HEADER} must be 1 to 255 printable ASCII characters.`,
    {
      hint: 'Send any short ASCII text that is new for this entry, such as a UUID, or leave it out.',
      field: IDEMPOTENCY_KEY_HEADER,
    },
  );
}
