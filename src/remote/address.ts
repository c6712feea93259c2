/** Where a service is: paths of endpoints are appended to `base`. */
export interface Address {
  readonly origin: string;
  /** Path of the base address without a slash at its end; the specification has it end in /v1. */
  readonly base: string;
}

/** The address in a base URL, with or without a slash at its end. */
export function addressOf(url: string): Address {
  const { origin, pathname } = new URL(url);
  return { origin, base: pathname.replace(/\/+$/, '') };
}
