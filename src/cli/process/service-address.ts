import { usageError } from './command.ts';

export interface ServiceAddressOptions {
  readonly publicUrl?: URL | undefined;
  readonly host: string;
  readonly port: number;
}

/** Where people open the service. Throws if the options do not say it. */
export function serviceAddress({ publicUrl, host, port }: ServiceAddressOptions): URL {
  if (publicUrl !== undefined) return publicUrl;
  if (['0.0.0.0', '::'].includes(host) || port === 0)
    throw usageError(
      port === 0 ? 'Port 0 is any free port.' : `${host} stands for every address of this machine, not for one.`,
      `Give --public-url, the address at which people open the service, or ${port === 0 ? '--port with the port that it printed' : '--host with the address of this machine in its network'}.`,
      '--public-url',
    );
  return new URL(`http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`);
}
