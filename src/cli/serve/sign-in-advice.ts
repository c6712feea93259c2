import { storeOption } from '../process/settings.ts';

/** Adds the options that "acequia keys link" needs. */
export function signInAdvice(db: string, publicUrl: URL | null, listening: URL): string {
  const words = [`acequia keys link${storeOption(db)}`];

  const { hostname, port } = listening;
  const isDefaultAddress = hostname === '127.0.0.1' && port === '8383';
  if (publicUrl) words.push('--public-url', publicUrl.origin);
  else if (!isDefaultAddress) words.push('--host', hostname, '--port', port);

  return `"${words.join(' ')}" prints a link to sign in`;
}
