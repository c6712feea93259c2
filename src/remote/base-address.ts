import { REMOTE_LIMITS } from './service/remote-limits.ts';
import { RemoteService, type RemoteServiceOptions } from './service/remote-service.ts';

/** Finds the base address of the service, whose path may differ from that of `url`. */
export async function findBaseAddress(
  options: Pick<RemoteServiceOptions, 'url' | 'key'>,
): Promise<string> {
  const service = new RemoteService({ ...options, limits: REMOTE_LIMITS });
  try {
    await service.endpoints();
    const { origin, basePath } = service.address();
    return `${origin}${basePath}`;
  } finally {
    await service.close();
  }
}
