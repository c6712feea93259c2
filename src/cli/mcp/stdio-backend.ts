import type { RequestHandlers } from '../../mcp/request-handlers.ts';
import { backupJobs } from '../backups/backup-jobs.ts';
import { forecastOpener, mailTransportOpener } from '../process/job-setup.ts';
import type { Log } from '../process/log.ts';
import type { Observability } from '../process/observability.ts';
import {
  type CallObservation,
  type LocalStore,
  openHandlers,
  openLocalStore,
  unavailableHandlers,
} from '../process/request-handlers.ts';
import type { Settings } from '../process/settings.ts';

/** Answers calls and runs jobs. Each part is opened when it is first needed. */
export class StdioBackend {
  readonly #settings: Settings;
  readonly #log: Log;
  readonly #onFirstCall: () => void;
  readonly #background: Parameters<typeof openLocalStore>[2];
  #observability: Promise<Observability> | undefined;
  #store: Promise<LocalStore> | undefined;
  #handlers: Promise<RequestHandlers> | undefined;

  /** `onFirstCall` is called before the operations are first loaded. */
  constructor(settings: Settings, log: Log, onFirstCall: () => void) {
    this.#settings = settings;
    this.#log = log;
    this.#onFirstCall = onFirstCall;
    // Read at once, so that malformed settings are logged when the program starts.
    if (settings.remote === null)
      this.#background = {
        runner: 'stdio',
        openTransport: mailTransportOpener(log),
        openForecast: forecastOpener(log),
        backups: backupJobs(settings, log),
      };
  }

  /** The first call or job opens it; after a failure, the next one tries again. */
  readonly store = (): Promise<LocalStore> => {
    this.#store ??= this.#callObservation()
      .then((observation) => openLocalStore(this.#settings, observation, this.#background))
      .then(async (opened) => {
        // A first call may ask what can leave before the first round.
        if (this.#background?.openTransport) await opened.jobs.noteStart();
        return opened;
      })
      .catch((error) => {
        this.#store = undefined;
        throw error;
      });
    return this.#store;
  };

  /** Loads the operations with the first call; after a failure, the next call tries again. */
  readonly handlers = (): Promise<RequestHandlers> => {
    this.#onFirstCall();
    this.#handlers ??= this.#callObservation().then((observation) =>
      openHandlers(this.#settings, observation, this.store).catch((error) => {
        this.#handlers = undefined;
        return unavailableHandlers(error, observation);
      }),
    );
    return this.#handlers;
  };

  async close(): Promise<void> {
    // Closing the handlers closes the store, too.
    const opened = (await this.#handlers) ?? (await this.#store);
    await opened?.close();
    await (await this.#observability)?.end();
  }

  async #callObservation(): Promise<CallObservation> {
    this.#observability ??= import('../process/observability.ts').then(({ openObservability }) =>
      openObservability(this.#log),
    );
    const { observer } = await this.#observability;
    const { remote } = this.#settings;

    return {
      report: this.#log.unexpectedError,
      observer,
      surface: 'stdio',
      onBasePathChange: (url) =>
        void this.#log.warn({ remote, url }, 'the service is at another address: use this one'),
    };
  }
}
