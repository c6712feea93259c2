import type { Lang } from '../domain/lang.ts';
import type { NameDirectory, SummaryContext } from '../language/summary-context.ts';
import type { CallTrace } from '../observe/observer.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { isWrite } from '../operation/operation-kind.ts';
import type { OperationResult } from '../operation/operation-result.ts';
import type { OperationRequest, OperationRunner } from '../operation/operation-runner.ts';
import { undoRequest } from '../operation/undo-request.ts';
import { IdempotentArgumentCache } from './argument-cache.ts';
import { composeLocally } from './compose-locally.ts';
import { presentResponse, SUMMARY_NAMES_WAIT_MS, summaryContextAt } from './present-response.ts';
import { readRemoteArguments } from './remote-arguments.ts';
import { RemoteCompany } from './remote-company.ts';
import { argumentsInFull, RemoteRun } from './remote-run.ts';
import { isCompanyChanged, sendWrite } from './send-write.ts';
import { withTrace } from './service/connection.ts';
import { monotonicMs } from './service/deadline.ts';
import { REMOTE_LIMITS, type RemoteLimits } from './service/remote-limits.ts';
import { RemoteService, type RemoteServiceOptions } from './service/remote-service.ts';
import {
  assertParcelSupported,
  isComposedLocally,
  supportedOperations,
} from './service/supported-operations.ts';

export interface RemoteOptions {
  readonly url: string;
  readonly key: string | null;
  readonly clock: () => number;
  readonly lang?: Lang | undefined;
  readonly limits?: RemoteLimits;
  readonly onBasePathChange?: RemoteServiceOptions['onBasePathChange'];
}

/** Runs operations on a service elsewhere. */
export class RemoteRunner implements OperationRunner {
  readonly #service: RemoteService;
  readonly #company: RemoteCompany;
  readonly #argumentCache = new IdempotentArgumentCache();
  readonly #clock: () => number;
  readonly #callMs: number;

  constructor(options: RemoteOptions) {
    const { url, key, clock, lang, limits = REMOTE_LIMITS, onBasePathChange } = options;
    this.#service = new RemoteService({ url, key, limits, onBasePathChange });
    this.#company = new RemoteCompany(this.#service, lang, limits.callMs);
    this.#clock = clock;
    this.#callMs = limits.callMs;
  }

  get lang(): Lang {
    return this.#company.lang;
  }

  run(operation: AnyOperation, request: OperationRequest): Promise<OperationResult> {
    return withTrace(request.trace, async () => {
      const times = { now: this.#clock(), deadline: this.#deadline() };
      try {
        return await this.#runOnce(operation, request, times);
      } catch (error) {
        if (!isCompanyChanged(error)) throw error;
        await this.#company.refresh(times.deadline);
        return this.#runOnce(operation, request, times);
      }
    });
  }

  #runOnce(
    operation: AnyOperation,
    request: OperationRequest,
    times: Pick<RemoteRun, 'now' | 'deadline'>,
  ): Promise<OperationResult> {
    const context = { service: this.#service, company: this.#company };
    const run = new RemoteRun(context, operation, request, times);
    return isWrite(operation) ? this.#write(run) : this.#read(run);
  }

  async #read(run: RemoteRun): Promise<OperationResult> {
    const { operation } = run;
    const operationArguments = await readRemoteArguments(run);

    if (isComposedLocally(await this.#service.endpoints(), operation))
      return composeLocally(run, operation, operationArguments);

    const restArguments = argumentsInFull(operation, operationArguments.restArguments);
    const response = await run.requestRead(operation, restArguments);
    return presentResponse(run, operationArguments, response);
  }

  async #write(run: RemoteRun): Promise<OperationResult> {
    const { operation } = run;
    if (operation.tool?.name !== undefined)
      assertParcelSupported(operation, await this.#service.endpoints());

    const { operationArguments, response } = await sendWrite(run, this.#argumentCache);
    const result = await presentResponse(run, operationArguments, response);
    return { ...result, takeBack: this.#takeBackOf(run, result) };
  }

  /** The service keeps the answer under its key: a repeated call reads that it was undone. */
  #takeBackOf(
    { request: { undo, trace } }: RemoteRun,
    { changeId, isReplay }: OperationResult,
  ): OperationResult['takeBack'] {
    if (undo === undefined || changeId == null || isReplay) return undefined;

    return () =>
      this.run(undo, undoRequest(undo, changeId, trace)).then(
        () => true,
        () => false,
      );
  }

  personLang(): Promise<Lang> {
    return this.#company.personLang(this.#deadline());
  }

  async directory(trace?: CallTrace): Promise<NameDirectory> {
    const { directory } = this.#company.names(this.#deadline());
    return {
      modules: () => withTrace(trace, directory.modules),
      parcels: () => withTrace(trace, directory.parcels),
    };
  }

  summaryContext(): Promise<SummaryContext> {
    const deadline = monotonicMs() + SUMMARY_NAMES_WAIT_MS;
    return summaryContextAt(this.#company, this.#clock(), deadline);
  }

  async allowedOperations(all: Iterable<AnyOperation>): Promise<ReadonlySet<string> | null> {
    const endpoints = await this.#service.endpoints();
    return endpoints === null ? null : supportedOperations(endpoints, all);
  }

  close(): Promise<void> {
    return this.#service.close();
  }

  #deadline(): number {
    return monotonicMs() + this.#callMs;
  }
}
