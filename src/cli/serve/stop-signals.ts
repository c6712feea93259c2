const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first signal asks for a graceful end, the second for an immediate one. */
export class StopSignals {
  readonly #first = new AbortController();
  readonly #second = new AbortController();

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  get first(): AbortSignal {
    return this.#first.signal;
  }

  get second(): AbortSignal {
    return this.#second.signal;
  }

  removeListeners(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (): void => {
    const next = this.#first.signal.aborted ? this.#second : this.#first;
    next.abort();
  };
}
