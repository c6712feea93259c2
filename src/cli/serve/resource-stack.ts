type Close = () => unknown;

/** Closes what was opened in reverse order, because each may use what was opened before it. */
export class ResourceStack {
  readonly #closers: Close[] = [];

  add<Resource extends { close(): unknown }>(resource: Resource): Resource {
    this.defer(() => resource.close());
    return resource;
  }

  defer(close: Close): void {
    this.#closers.push(close);
  }

  /** A failure does not keep the resources below from being closed. */
  async close(): Promise<void> {
    const close = this.#closers.pop();
    if (close === undefined) return;
    try {
      await close();
    } finally {
      await this.close();
    }
  }
}
