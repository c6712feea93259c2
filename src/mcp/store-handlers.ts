import listAlerts from '../../tools/alerts/list-alerts.ts';
import { toolsByName } from '../../tools/index.ts';
import type { IncomingCorrelation, Observer } from '../observe/observer.ts';
import {
  type Identify,
  type Identity,
  ownerOfOnlyCompany,
  takerOf,
} from '../operation/authorization.ts';
import { LocalRunner, type LocalRunnerOptions } from '../operation/local/local-runner.ts';
import type { ToolFilter } from '../operation/tool-filter.ts';
import { AcequiaError, type ErrorReporter } from '../schema/error.ts';
import { createUseRecorder, identifyByKey } from '../service/keys/api-keys.ts';
import { watchFiringAlerts } from '../service/watches.ts';
import { serviceSecret } from '../store/keys/secrets.ts';
import type { Store } from '../store/store.ts';
import { storeOfTaker } from '../store/store-interface.ts';
import type { WatchResource } from './listening/subscriptions.ts';
import type { StateSealing } from './questions/call-rounds.ts';
import { type HandlerOptions, handlersFor, type RequestHandlers } from './request-handlers.ts';
import { asProtocolError } from './tool-result.ts';

/** The options that the handlers of one store have in common. */
export interface StoreHandlerOptions
  extends Pick<
      LocalRunnerOptions,
      'store' | 'clock' | 'lang' | 'onReadings' | 'pageUrl' | 'storeKind' | 'reads'
    >,
    Pick<HandlerOptions, 'observer' | 'surface'> {
  readonly toolFilter: ToolFilter;
  readonly report: ErrorReporter;
}

interface OwnStoreOptions extends StoreHandlerOptions, Pick<LocalRunnerOptions, 'storeOption'> {
  /** If null, the caller is the OWNER of the store's only company. */
  readonly apiKey: string | null;
  close(): Promise<void>;
}

/** Handlers for the requests of one client, who has the store to itself. */
export function localHandlers({ apiKey, close, ...options }: OwnStoreOptions): RequestHandlers {
  const { store, clock, report } = options;
  const keyUseRecorder = createUseRecorder('api_keys', store, clock, report);
  const identify =
    apiKey === null ? ownerOfOnlyCompany : identifyByKey(apiKey, clock, keyUseRecorder.record);

  const handlers = handlersOnStore(options, {
    identify,
    close: async () => {
      await keyUseRecorder.close();
      await close();
    },
  });
  return { ...handlers, watchFiringAlerts: firingAlertsOf(store, identify) };
}

/** Handlers for the requests of one caller, recorded with the trace headers of this request. */
export const handlersForCaller = (
  identity: Identity,
  traceHeaders: IncomingCorrelation,
  options: StoreHandlerOptions & { readonly observer: Observer },
): RequestHandlers =>
  handlersOnStore(
    {
      ...options,
      store: storeOfTaker(options.store, takerOf(identity.caller)),
      observer: withTraceHeaders(options.observer, traceHeaders),
    },
    { knownIdentity: identity, isServed: true },
  );

function handlersOnStore(
  options: StoreHandlerOptions,
  caller: Pick<LocalRunnerOptions, 'identify' | 'knownIdentity' | 'isServed' | 'close'>,
): RequestHandlers {
  const runner = new LocalRunner({
    ...options,
    ...caller,
    operations: toolsByName,
    source: 'mcp',
  });
  return handlersFor(runner, { ...options, stateSealing: sealingOf(options.store, runner) });
}

const withTraceHeaders = (observer: Observer, traceHeaders: IncomingCorrelation): Observer => ({
  begin(call) {
    const traceparent = traceHeaders.traceparent ?? call.incoming?.traceparent;
    return observer.begin({ ...call, incoming: { ...traceHeaders, traceparent } });
  },
});

export const firingAlertsOf =
  (store: Store, identify: Identify, knownIdentity?: Identity): WatchResource =>
  (watcher) =>
    watchFiringAlerts(store, {
      ...watcher,
      identify,
      knownIdentity,
      access: listAlerts,
    }).catch((error) => {
      throw error instanceof AcequiaError ? asProtocolError(error) : error;
    });

/** Every process that uses the store can open what another one sealed. */
const sealingOf = (store: Store, runner: LocalRunner) => async (): Promise<StateSealing> => {
  const { caller, company } = await runner.identity();
  return {
    secret: await serviceSecret(store, 'request-state'),
    owner: `${company.id} ${caller.id}`,
  };
};
