import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { urlHost } from '../domain/loopback.ts';
import { type AcequiaError, plainError } from '../schema/error.ts';

interface ListenAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The command line options that set host and port, for the hint of an error. */
  readonly options: string;
}

/**
 * Connections that the system keeps until they are accepted, where it allows as many. Beyond them it
 * drops the first packet of a connection, which its client repeats a second later.
 */
const BACKLOG = 4_096;

export function listen(server: Server, address: ListenAddress): Promise<void> {
  const { host, port } = address;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, address)));
    server.listen({ host, port, backlog: BACKLOG }, resolve);
  });
}

const LISTEN_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'this user may not use that port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host is unknown',
};

const listenError = (
  { code = '' }: NodeJS.ErrnoException,
  { host, port, options }: ListenAddress,
): AcequiaError =>
  plainError({
    code: 'address_unavailable',
    status: 503,
    message: `Cannot listen on ${host}, port ${port}: ${LISTEN_FAILURES[code] ?? code}.`,
    hint: `Choose another with ${options}; port 0 takes any free port.`,
  });

/** The server must be listening. */
export function serverUrl(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${urlHost(address)}:${port}`;
}
