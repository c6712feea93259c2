import { toolsByName } from '../../../tools/index.ts';
import type { Lang } from '../../domain/lang.ts';
import type { IncomingCorrelation, Observer } from '../../observe/observer.ts';
import type { Identity } from '../../operation/authorization.ts';
import { LocalRunner } from '../../operation/local/local-runner.ts';
import type { CompanyReads } from '../../operation/local/operation-run.ts';
import { FilteredRunner, type ToolFilter } from '../../operation/tool-filter.ts';
import type { ErrorReporter } from '../../schema/error.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import type { Store } from '../../store/store.ts';
import { observedHandlers } from '../observed-handlers.ts';
import { handlersFor, type RequestHandlers, sealingOfStore } from '../request-handlers.ts';

export interface CallerHandlerOptions {
  readonly store: Store;
  readonly clock: () => number;
  readonly lang: Lang | undefined;
  readonly toolFilter: ToolFilter;
  readonly report: ErrorReporter;
  readonly onReadings?: ((company: CompanyRow) => void) | undefined;
  readonly observer: Observer;
  readonly pageUrl?: (() => URL | null) | undefined;
  readonly reads?: CompanyReads | undefined;
}

/** Handlers for the requests of one caller, recorded with the trace headers of this request. */
export function handlersForCaller(
  identity: Identity,
  traceHeaders: IncomingCorrelation,
  {
    store,
    clock,
    lang,
    toolFilter,
    report,
    onReadings,
    observer,
    pageUrl,
    reads,
  }: CallerHandlerOptions,
): RequestHandlers {
  const runner = new LocalRunner({
    store,
    clock,
    lang,
    report,
    onReadings,
    pageUrl,
    reads,
    operations: toolsByName,
    source: 'mcp',
    knownIdentity: identity,
  });

  const correlatedObserver: Observer = {
    begin(call) {
      const traceparent = traceHeaders.traceparent ?? call.incoming?.traceparent;
      return observer.begin({ ...call, incoming: { ...traceHeaders, traceparent } });
    },
  };

  return observedHandlers(
    handlersFor(new FilteredRunner(runner, toolFilter), report, {
      stateSealing: sealingOfStore(store, runner),
    }),
    correlatedObserver,
    'mcp',
  );
}
