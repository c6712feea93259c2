import type { StoreKind } from '../../domain/alerts/means-of-notice.ts';
import type { Lang } from '../../domain/lang.ts';
import { sliceOf } from '../../domain/shares/loop-turns.ts';
import { formatAdvisoriesHeader } from '../../operation/advisories-header.ts';
import { toolFields } from '../../operation/arguments/tool-fields.ts';
import { authorize, type Identify, type Identity, mayCall } from '../../operation/authorization.ts';
import { LocalRunner } from '../../operation/local/local-runner.ts';
import type { CompanyReads, EvaluateAlerts } from '../../operation/local/operation-run.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import { isWrite } from '../../operation/operation-kind.ts';
import type { OperationResult } from '../../operation/operation-result.ts';
import {
  ADVISORIES_HEADER,
  ANSWERED_AT_HEADER,
  CHANGE_HEADER,
  endpointNames,
  parseAdvisoriesRequest,
  REPLAYED_HEADER,
} from '../../operation/rest-conventions.ts';
import { AcequiaError, type ErrorReporter } from '../../schema/error.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import type { Store } from '../../store/store.ts';
import type { Admit, Admitted } from '../admission/admission.ts';
import { type BatchBytes, inflateBatch, receiveBatch, smallBatch } from '../body/batch-bytes.ts';
import type { HttpLimits } from '../http-limits.ts';
import { type HttpReply, jsonReply, type ResponseHeaders } from '../reply.ts';
import {
  batchRequest,
  confirmationLang,
  isSmallBatch,
  type RestRequest,
  readRequest,
  receiveBody,
  writeRequest,
} from './rest-requests.ts';

export interface RestOptions {
  readonly store: Store;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly clock: () => number;
  readonly lang?: Lang | undefined;
  readonly limits: HttpLimits;
  readonly onReadings?: (company: CompanyRow) => void;
  readonly evaluateAlerts?: EvaluateAlerts;
  readonly report?: ErrorReporter;
  /** Address of the live page. */
  readonly pageUrl?: () => URL | null;
  readonly storeKind?: StoreKind;
  readonly reads?: CompanyReads | undefined;
}

/** One call of an operation, by an admitted client. */
interface RestCall {
  readonly operation: AnyOperation;
  readonly request: RestRequest;
  readonly headers: ResponseHeaders;
  readonly admitted: Admitted;
}

/** Runs operations for REST clients. */
export class RestEndpoint {
  readonly #options: RestOptions;
  readonly #admit: Admit;

  constructor(options: RestOptions, admit: Admit) {
    this.#options = options;
    this.#admit = admit;
  }

  async answer(
    operation: AnyOperation,
    request: RestRequest,
    headers: ResponseHeaders,
  ): Promise<HttpReply> {
    const { incoming } = request;
    const { scope } = operation;
    const admitted = await this.#admit(
      { incoming, acceptsBearerKeys: false, acceptsSessions: true, scope },
      headers,
    );

    const call: RestCall = { operation, request, headers, admitted };
    try {
      return await (isWrite(operation) ? this.#answerWrite(call) : this.#answerRead(call));
    } catch (error) {
      await admitted.challengeScope(error);
      const { operations } = this.#options;
      throw error instanceof AcequiaError ? forRestClient(operation, operations, error) : error;
    }
  }

  async #answerRead(call: RestCall): Promise<HttpReply> {
    const { operation, request, admitted } = call;
    const { identify, shares } = admitted;
    const runner = this.#runner(call, { identify });
    const operationRequest = readRequest(operation, request);

    const run = async (): Promise<HttpReply> =>
      toReply(call, await runner.run(operation, operationRequest));
    return shares.runCall(request.trace.measureWait(run), request.signal);
  }

  async #answerWrite(call: RestCall): Promise<HttpReply> {
    const { operation, request, headers, admitted } = call;
    const { identify } = admitted;

    // Authorize before reading the body, and read it before a transaction opens.
    const knownIdentity =
      recentIdentity(call) ?? (await this.#runner(call, { identify }).identity(request.trace));
    authorize(knownIdentity.caller, operation);

    const csvField = operation.batch?.csv;
    const result = csvField
      ? await this.#runBatch(call, knownIdentity, csvField)
      : await this.#runWrite(call, knownIdentity);

    if (result.isReplay) {
      headers[REPLAYED_HEADER] = 'true';
      if (result.answeredAt !== undefined)
        headers[ANSWERED_AT_HEADER] = new Date(result.answeredAt).toISOString();
    }
    if (result.changeId != null) headers[CHANGE_HEADER] = String(result.changeId);
    return toReply(call, result);
  }

  async #runWrite(call: RestCall, knownIdentity: Identity): Promise<OperationResult> {
    const { operation, request, admitted } = call;
    const { limits } = this.#options;
    const body = await receiveBody(operation, request, limits);

    const run = async (): Promise<OperationResult> => {
      request.trace.mark();
      const operationRequest = writeRequest(operation, request, body, limits);
      return this.#runner(call, { knownIdentity }).run(operation, operationRequest);
    };
    return admitted.shares.runCall(request.trace.measureWait(run));
  }

  async #runBatch(
    call: RestCall,
    knownIdentity: Identity,
    csvField: string,
  ): Promise<OperationResult> {
    const { operation, request, admitted } = call;
    const { limits } = this.#options;
    const { shares } = admitted;
    const { trace, incoming } = request;
    const memory = shares.bodyMemory();
    const batch = await receiveBatch(incoming, limits, memory);

    const store = async (body: BatchBytes): Promise<OperationResult> => {
      const reading = { limits, slice: sliceOf(shares.taker) };
      const operationRequest = await batchRequest(operation, request, body, csvField, reading);
      return this.#runner(call, { knownIdentity }).run(operation, operationRequest);
    };

    const small = await smallBatch(batch);
    if (small) return shares.runCall(trace.measureWait(() => store(small)));
    const run = async () => store(await inflateBatch(batch, limits, memory));
    return shares.runBatch(trace.measureWait(run));
  }

  #runner(
    { request: { incoming }, admitted }: RestCall,
    caller: { readonly identify: Identify } | { readonly knownIdentity: Identity },
  ): LocalRunner {
    const {
      store,
      operations,
      clock,
      lang,
      onReadings,
      evaluateAlerts,
      report,
      pageUrl,
      storeKind,
      reads,
    } = this.#options;
    const requestedLang =
      confirmationLang(incoming) ?? parseAdvisoriesRequest(incoming.headers)?.lang;
    const answerLang = requestedLang ?? lang;
    return new LocalRunner({
      store: admitted.shares.storeInTurn(store),
      operations,
      clock,
      lang: answerLang,
      onReadings,
      evaluateAlerts,
      report,
      pageUrl,
      isServed: true,
      storeKind,
      reads,
      ...caller,
    });
  }
}

/**
 * For a small batch a recent identity is enough: its only transaction confirms the key before it
 * reads anything.
 */
function recentIdentity({ operation, request, admitted }: RestCall): Identity | null {
  if (!operation.batch || !isSmallBatch(request.incoming)) return null;
  const identity = admitted.recentIdentity();
  return identity !== null && mayCall(identity.caller, operation) ? identity : null;
}

/** Shared code names tools and their arguments; REST clients know endpoints and fields. */
function forRestClient(
  operation: AnyOperation,
  operations: ReadonlyMap<string, AnyOperation>,
  { problem }: AcequiaError,
): AcequiaError {
  const field = problem.field === undefined ? undefined : restFieldName(operation, problem.field);
  return new AcequiaError({ ...problem, field }, [], endpointNames(operations));
}

/** An error may name a field, an argument of the tool, or neither, such as a header. */
function restFieldName(operation: AnyOperation, name: string): string {
  const { byName, byArgument } = toolFields(operation);
  if (byName.has(name)) return name;
  return byArgument.get(name)?.name ?? name;
}

function toReply(
  { operation, request, headers }: RestCall,
  { body, json, picture, advisories, advisoryTexts }: OperationResult,
): HttpReply {
  if (parseAdvisoriesRequest(request.incoming.headers))
    headers[ADVISORIES_HEADER] = formatAdvisoriesHeader(advisories, advisoryTexts);

  const { status } = operation.endpoint;
  if (picture) return { status, type: picture.mimeType, content: new Uint8Array(picture.data) };
  if (json !== undefined) return { status, type: 'application/json', content: json };
  return jsonReply(status, body);
}
