import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AcequiaError } from '../schema/error.ts';

/** Where to listen. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** The options that say so, for who has to choose others. */
  readonly options: string;
}

/** Begins to listen; refuses an address that cannot be had. */
export function listen(server: Server, address: ListenAddress): Promise<void> {
  const { host, port } = address;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, address)));
    server.listen({ host, port }, resolve);
  });
}

const LISTEN_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no such host is known',
};

const listenError = ({ code = '' }: NodeJS.ErrnoException, { host, port, options }: ListenAddress): AcequiaError =>
  new AcequiaError({
    code: 'address_unavailable',
    status: 503,
    message: `Nothing can be served on ${host}, port ${port}: ${LISTEN_FAILURES[code] ?? `listening failed (${code})`}.`,
    hint: `Choose another with ${options}; port 0 is any that is free.`,
  });

/** Scheme, host and port of a server that listens. */
export function serverUrl(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
