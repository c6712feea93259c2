/** The address by which clients reach the service: the configured one, else where it listens. */
export class PublicAddress {
  #url: URL | null;

  constructor(configured: URL | null) {
    this.#url = configured;
  }

  /** Null until the service listens. */
  get url(): URL | null {
    return this.#url;
  }

  /** For requests, which arrive only once the service listens. */
  get requiredUrl(): URL {
    if (this.#url === null) throw new Error('The service does not listen yet');
    return this.#url;
  }

  listenOn(url: URL): void {
    this.#url ??= url;
  }
}
