import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Variables } from '../process/env-file.ts';

interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** By which this machine reaches the service; null if any free port is taken. */
export function serviceAddress({
  ACEQUIA_HOST: host = '127.0.0.1',
  ACEQUIA_PORT: port = '8383',
}: Variables): ServiceAddress | null {
  return port === '0' ? null : { host: EVERY_ADDRESS[host] ?? host, port: Number(port) };
}

export const formatAddress = ({ host, port }: ServiceAddress): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Whether any program listens there. */
export const isTaken = ({ host, port }: ServiceAddress): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: 2_000 });
    const end = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.on('connect', end(true)).on('error', end(false)).on('timeout', end(false));
  });

export async function isAnswering(address: ServiceAddress): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(2_000);
    return (await fetch(`${formatAddress(address)}/health`, { signal })).ok;
  } catch {
    return false;
  }
}

const START_LIMIT_MS = 15_000;

export async function answersSoon(address: ServiceAddress): Promise<boolean> {
  const until = performance.now() + START_LIMIT_MS;
  while (performance.now() < until) {
    if (await isAnswering(address)) return true;
    await pause(300);
  }
  return false;
}
