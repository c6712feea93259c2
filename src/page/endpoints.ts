/** Method and path by the name of the operation; the build writes it from the operations. */
declare const ACEQUIA_ENDPOINTS: Readonly<Record<string, string>>;

export interface PageRequest {
  readonly method: string;
  readonly path: string;
  /** Fields that are in neither path nor query. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** Of an entry "POST /modules/{moduleId}/irrigation/events". */
export function toRequest(
  operation: string,
  fields: Readonly<Record<string, unknown>>,
  endpoints: Readonly<Record<string, string>> = ACEQUIA_ENDPOINTS,
): PageRequest {
  const endpoint = endpoints[operation];
  if (endpoint === undefined) throw new Error(`There is no operation ${operation}.`);
  const [method, template] = endpoint.split(' ') as [string, string];
  const others = new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = others.get(name);
    others.delete(name);
    return encodeURIComponent(String(value));
  });
  if (method !== 'GET' && method !== 'DELETE') return { method, path, body: Object.fromEntries(others) };
  const query = new URLSearchParams([...others].map(([name, value]) => [name, String(value)]));
  return { method, path: others.size === 0 ? path : `${path}?${query}`, body: null };
}

export const isWriteRequest = (
  operation: string,
  endpoints: Readonly<Record<string, string>> = ACEQUIA_ENDPOINTS,
): boolean => endpoints[operation]?.startsWith('GET ') === false;
