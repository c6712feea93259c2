/** Where a service is: paths of endpoints are appended to `base`. */
export interface ServiceAddress {
  readonly origin: string;
  /** Path of the base address without a slash at its end; the specification has it end in /v1. */
  readonly basePath: string;
}

/** The address in a base URL, with or without a slash at its end. */
export function parseServiceAddress(url: string): ServiceAddress {
  const { origin, pathname } = new URL(url);
  return { origin, basePath: pathname.replace(/\/+$/, '') };
}
