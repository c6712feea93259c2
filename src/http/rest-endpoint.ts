import type { IncomingMessage } from 'node:http';
import { LANGS, type Lang } from '../domain/lang.ts';
import type { CallTrace } from '../observe/observer.ts';
import {
  collectRestArguments,
  maxListLengths,
  type RestParameters,
  readRestArguments,
  withQueryFields,
} from '../operation/arguments/rest-arguments.ts';
import { authorize, type Identify, type Identity } from '../operation/authorization.ts';
import { fingerprintBatch } from '../operation/idempotency.ts';
import { LocalRunner } from '../operation/local/local-runner.ts';
import type { CompanyReads } from '../operation/local/operation-run.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { toolArgumentName } from '../operation/operation-fields.ts';
import { isWrite } from '../operation/operation-kind.ts';
import type { OperationResult } from '../operation/operation-result.ts';
import type { OperationRequest } from '../operation/operation-runner.ts';
import {
  ADVISORIES_HEADER,
  CHANGE_HEADER,
  CONFIRMATION_HEADER,
  formatAdvisoriesHeader,
  parseAdvisoriesRequest,
  toolNamesToEndpoints,
} from '../operation/rest-conventions.ts';
import { AcequiaError, invalidInputError } from '../schema/error.ts';
import type { CompanyRow } from '../store/company/companies.ts';
import type { Store } from '../store/store.ts';
import type { Admit, Admitted } from './admission.ts';
import { type BatchContent, readBatchJson } from './batch-json.ts';
import type { HttpLimits } from './limits.ts';
import { type HttpReply, jsonReply, type ResponseHeaders } from './reply.ts';
import {
  assertNoBody,
  type BatchBytes,
  byteChunks,
  readBatchBytes,
  readJson,
} from './request-body.ts';
import { type BatchSlot, batchSlots, type RunQueued } from './request-queues.ts';

export interface RestOptions {
  readonly store: Store;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly clock: () => number;
  readonly lang?: Lang | undefined;
  readonly limits: HttpLimits;
  readonly onReadings?: (company: CompanyRow) => void;
  /** Address of the live page. */
  readonly pageUrl?: () => URL | null;
  readonly reads?: CompanyReads | undefined;
}

interface RestRequest {
  readonly incoming: IncomingMessage;
  readonly path: Readonly<Record<string, string>>;
  readonly trace: CallTrace;
  /** Aborted when the client has gone. */
  readonly signal?: AbortSignal | undefined;
}

type RestHandler = (
  operation: AnyOperation,
  request: RestRequest,
  headers: ResponseHeaders,
) => Promise<HttpReply>;

export function restEndpoint(options: RestOptions, admit: Admit, queue: RunQueued): RestHandler {
  const { store, operations, clock, lang, limits, onReadings, pageUrl, reads } = options;
  const openSlot = batchSlots(limits);

  const withSlot = async <T>(key: string, body: (slot: BatchSlot) => Promise<T>): Promise<T> => {
    const slot = openSlot(key);
    try {
      return await body(slot);
    } finally {
      slot.release();
    }
  };

  async function answer(
    operation: AnyOperation,
    request: RestRequest,
    headers: ResponseHeaders,
    { identify, queueKey }: Admitted,
  ): Promise<HttpReply> {
    const { incoming, path, trace } = request;
    const noteLang =
      confirmationLang(incoming) ?? parseAdvisoriesRequest(incoming.headers)?.lang ?? lang;

    const runner = (source: { identify?: Identify; knownIdentity?: Identity }) =>
      new LocalRunner({
        store,
        operations,
        clock,
        lang: noteLang,
        onReadings,
        pageUrl,
        reads,
        ...source,
      });

    const parameters = { path, query: queryOf(incoming) };
    if (!isWrite(operation)) {
      const operationRequest = readRequest(operation, parameters, request);
      const answerRead = async (): Promise<HttpReply> => {
        const result = await runner({ identify }).run(operation, operationRequest);
        return toReply(operation, result, incoming, headers);
      };
      return queue(queueKey, trace.measureWait(answerRead));
    }

    // Authorize before reading the body, and read it before a transaction opens.
    const knownIdentity = await runner({ identify }).identity(trace);
    authorize(knownIdentity.caller, operation);
    const run = (operationRequest: OperationRequest): Promise<OperationResult> =>
      runner({ knownIdentity }).run(operation, operationRequest);

    const csv = operation.batch?.csv;
    const result = csv
      ? await withSlot(knownIdentity.caller.id, async (slot) => {
          const body = await readBatchBytes(incoming, limits, slot);
          const answerBatch = async (): Promise<OperationResult> =>
            run(await batchRequest(operation, parameters, request, body, csv, limits));
          return slot.run(trace.measureWait(answerBatch));
        })
      : await run(await writeRequest(operation, parameters, request, limits));
    if (result.isReplay) headers['Idempotent-Replayed'] = 'true';
    if (result.changeId != null) headers[CHANGE_HEADER] = String(result.changeId);

    return toReply(operation, result, incoming, headers);
  }

  return async (operation, request, headers) => {
    const { incoming } = request;
    const admitted = await admit(
      { incoming, acceptsBearerKeys: false, acceptsSessions: true, scope: operation.scope },
      headers,
    );
    return answer(operation, request, headers, admitted).catch(async (error) => {
      await admitted.challengeScope(error);
      throw error instanceof AcequiaError ? forRestClient(operation, operations, error) : error;
    });
  };
}

/** Shared code names tools and their arguments; REST clients know endpoints and fields. */
function forRestClient(
  operation: AnyOperation,
  operations: ReadonlyMap<string, AnyOperation>,
  { code, status, message, hint, field, retryAfterS }: AcequiaError,
): AcequiaError {
  const fieldName = Object.keys(operation.input.shape).find(
    (name) => toolArgumentName(operation, name) === field,
  );

  return new AcequiaError({
    code,
    status,
    message: toolNamesToEndpoints(message, operations),
    hint: hint && toolNamesToEndpoints(hint, operations),
    field:
      field !== undefined && Object.hasOwn(operation.input.shape, field)
        ? field
        : (fieldName ?? field),
    retryAfterS,
  });
}

function toReply(
  { endpoint }: AnyOperation,
  { body, json, picture, advisories, advisoryTexts }: OperationResult,
  incoming: IncomingMessage,
  headers: ResponseHeaders,
): HttpReply {
  if (parseAdvisoriesRequest(incoming.headers))
    headers[ADVISORIES_HEADER] = formatAdvisoriesHeader(advisoryTexts ?? advisories);
  const { status } = endpoint;
  if (picture) return { status, type: picture.mimeType, content: new Uint8Array(picture.data) };
  return json === undefined
    ? jsonReply(status, body)
    : { status, type: 'application/json', content: json };
}

const confirmationLang = ({ headers }: IncomingMessage): Lang | undefined =>
  LANGS.find((each) => each === headers[CONFIRMATION_HEADER]);

const NO_QUERY = new URLSearchParams();

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const at = url.indexOf('?');
  return at < 0 ? NO_QUERY : new URLSearchParams(url.slice(at));
}

/** Clients that do not ask for facts get sentences. */
const wantsAdvisoryTexts = ({ headers }: IncomingMessage): boolean =>
  parseAdvisoriesRequest(headers)?.wantsFacts === false;

type PathAndQuery = Omit<RestParameters, 'body'>;

const readRequest = (
  operation: AnyOperation,
  { path, query }: PathAndQuery,
  { incoming, trace, signal }: RestRequest,
): OperationRequest => ({
  rawArguments: {},
  wantsSummary: false,
  wantsJson: true,
  wantsAdvisoryTexts: wantsAdvisoryTexts(incoming),
  trace,
  signal,
  async readArguments(context) {
    assertNoBody(incoming);
    return readRestArguments(
      operation,
      collectRestArguments(operation, { path, query, body: undefined }),
      context,
    );
  },
});

async function writeRequest(
  operation: AnyOperation,
  { path, query }: PathAndQuery,
  request: RestRequest,
  limits: HttpLimits,
): Promise<OperationRequest> {
  const { incoming } = request;
  const keyed = keyedRequest(request);
  if (operation.endpoint.method === 'DELETE') assertNoBody(incoming);
  const args = collectRestArguments(operation, {
    path,
    query,
    body: await readJson(incoming, limits),
  });

  return {
    ...keyed,
    needsConfirmation: confirmationLang(incoming) !== undefined,
    rawArguments: args,
    readArguments: (context) => readRestArguments(operation, args, context),
  };
}

/** Passes rows and CSV on without validation: the operation validates them row by row. */
async function batchRequest(
  operation: AnyOperation,
  { path, query }: PathAndQuery,
  request: RestRequest,
  { bytes, isCsv }: BatchBytes,
  csv: string,
  { jsonDepth, bodyBytes }: HttpLimits,
): Promise<OperationRequest> {
  const keyed = keyedRequest(request);
  const layout = {
    maxRows: maxListLengths(operation),
    text: csv,
    depth: jsonDepth,
    fieldBytes: bodyBytes,
  };

  const readContent = async (): Promise<BatchContent> => {
    if (isCsv)
      return {
        fields: undefined,
        rows: new Map(),
        text: { [Symbol.iterator]: () => byteChunks(bytes) },
      };
    if (bytes.length === 0) return { fields: undefined, rows: new Map(), text: null };
    return readBatchJson(bytes, layout);
  };

  const content = await readContent();
  const body = withQueryFields(content.fields, query);
  const args = collectRestArguments(operation, { path, query: NO_QUERY, body });
  const attached: Record<string, unknown> = Object.fromEntries(content.rows);
  if (content.text !== null) attached[csv] = content.text;

  return {
    ...keyed,
    rawArguments: args,
    ...(keyed.idempotencyKey !== undefined && {
      fingerprint: await fingerprintBatch(args, content.rows, content.text ?? []),
    }),
    async readArguments(context) {
      const parsed = await readRestArguments(operation, args, context);
      return { ...parsed, input: { ...parsed.input, ...attached } };
    },
  };
}

const keyedRequest = ({ incoming, trace }: RestRequest) => ({
  idempotencyKey: idempotencyKeyIn(incoming),
  idempotencyKeyName: KEY_HEADER,
  wantsSummary: false,
  wantsAdvisoryTexts: wantsAdvisoryTexts(incoming),
  trace,
});

const KEY_HEADER = 'Idempotency-Key';

function idempotencyKeyIn({ headersDistinct }: IncomingMessage): string | undefined {
  const [key, another] = headersDistinct[KEY_HEADER.toLowerCase()] ?? [];
  if (key === undefined) return undefined;
  if (another !== undefined)
    throw invalidInputError('invalid_parameter', `${KEY_HEADER} is repeated.`, {
      hint: 'Send one for each entry.',
      field: KEY_HEADER,
    });

  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;

  throw invalidInputError(
    'invalid_parameter',
    `${KEY_HEADER} must be 1 to 255 printable ASCII characters.`,
    {
      hint: 'Send any short ASCII text that is new for this entry, such as a UUID, or leave it out.',
      field: KEY_HEADER,
    },
  );
}
