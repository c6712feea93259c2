import type { AnyOperation, RunRead } from '../operation/operation.ts';
import { argumentLocation } from '../operation/operation-fields.ts';
import type { OperationRequest } from '../operation/operation-runner.ts';
import type { ReadingFormats } from '../operation/rest-conventions.ts';
import { AcequiaError } from '../schema/error.ts';
import type { RemoteCompany } from './remote-company.ts';
import type { RemoteResponse, RemoteService } from './service/remote-service.ts';
import { dropUnsupported } from './service/supported-operations.ts';

type RestArguments = Readonly<Record<string, unknown>>;

export interface RemoteContext {
  readonly service: RemoteService;
  readonly company: RemoteCompany;
}

/** The state that the steps of one run share: prepare, request or compose, present. */
export class RemoteRun {
  readonly service: RemoteService;
  readonly company: RemoteCompany;
  readonly operation: AnyOperation;
  readonly request: OperationRequest;
  readonly now: number;
  /** By the monotonic clock, in ms, like all deadlines of requests. */
  readonly deadline: number;
  #formats: ReadingFormats | null = null;

  constructor(
    { service, company }: RemoteContext,
    operation: AnyOperation,
    request: OperationRequest,
    { now, deadline }: { readonly now: number; readonly deadline: number },
  ) {
    this.service = service;
    this.company = company;
    this.operation = operation;
    this.request = request;
    this.now = now;
    this.deadline = deadline;
  }

  /** For reading the words of the call. */
  async readFormats(): Promise<ReadingFormats | AcequiaError> {
    const formats = await this.company.formats(this.deadline);
    if (!(formats instanceof AcequiaError)) this.#formats = formats;
    return formats;
  }

  /** The formats of the words of the call and of its answer; null if they have not been read. */
  get formats(): ReadingFormats | null {
    this.#formats ??= this.company.cachedFormats();
    return this.#formats;
  }

  /** Runs the reads that arguments need. */
  readonly runRead: RunRead = async (part, fields) => (await this.requestRead(part, fields)).body;

  async requestRead(
    operation: AnyOperation,
    restArguments: RestArguments,
  ): Promise<RemoteResponse> {
    const endpoints = hasQuery(operation, restArguments) ? await this.service.endpoints() : null;
    const supported = dropUnsupported(operation, restArguments, endpoints);

    return this.service.request(operation, supported, {
      idempotencyKey: null,
      readIn: this.formats,
      lang: this.company.lang,
      deadline: this.deadline,
    });
  }
}

/** The summary is written from the whole body, which is then shortened here. */
export function argumentsInFull(
  { concise }: AnyOperation,
  restArguments: RestArguments,
): RestArguments {
  if (concise === undefined) return restArguments;
  const { detail: _, ...others } = restArguments;
  return others;
}

const hasQuery = ({ endpoint }: AnyOperation, restArguments: RestArguments): boolean =>
  Object.entries(restArguments).some(
    ([name, value]) => value !== undefined && argumentLocation(endpoint, name) === 'query',
  );
