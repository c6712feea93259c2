import type { Address } from './address.ts';

/** The endpoints of a service ("GET /modules/{}"), each with the query parameters it takes; null where nothing tells them. */
export type Endpoints = ReadonlyMap<string, ReadonlySet<string> | null>;

/** An endpoint by its method and its path below the base address; path parameters go by position. */
export const endpointKey = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}').replace(/\/+$/, '')}`;

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

/** What an OpenAPI document below the base address names; null where the text is none. */
export function endpointsNamed(text: string, address: Address): Endpoints | null {
  const document = jsonObject(text);
  const paths = objectIn(document?.paths);
  if (document === null || paths === null) return null;
  const named = new Map<string, ReadonlySet<string> | null>();
  const below = belowBase(document, Object.keys(paths), address);
  for (const [path, given] of Object.entries(paths)) {
    const item = objectIn(given) ?? {};
    for (const method of METHODS.filter((each) => objectIn(item[each]) !== null)) {
      const lists = [item.parameters, objectIn(item[method])!.parameters];
      for (const place of below(path)) named.set(endpointKey(method, place), queryIn(document, lists));
    }
  }
  return named;
}

/**
 * Where the paths of a document lie below the base address: by its servers, or as they stand where it has none or where
 * none of them is the address that it was asked at, as behind a proxy.
 */
function belowBase(document: Fields, paths: readonly string[], { origin, base }: Address): (path: string) => string[] {
  const strip = (path: string): string[] => (path.startsWith(`${base}/`) ? [path.slice(base.length)] : []);
  const roots = serversOf(document, `${origin}${base}/openapi.json`);
  const byServers = (path: string): string[] => roots.flatMap((root) => strip(`${root}${path}`));
  if (paths.some((path) => byServers(path).length > 0)) return byServers;
  return (path) => (base === '' ? [path] : [...strip(path), path].slice(0, 1));
}

/** The paths of the servers, which may be relative to the document, without a slash at their end. */
function serversOf({ servers }: Fields, documentUrl: string): string[] {
  return (Array.isArray(servers) ? servers : []).flatMap((server: unknown) => {
    const { url, variables } = objectIn(server) ?? {};
    if (typeof url !== 'string') return [];
    const filled = url.replace(/\{([^}]*)\}/g, (_, name: string) =>
      String(objectIn(objectIn(variables)?.[name])?.default ?? ''),
    );
    return URL.canParse(filled, documentUrl) ? [new URL(filled, documentUrl).pathname.replace(/\/+$/, '')] : [];
  });
}

/** The names of the query parameters in some lists of parameters; null where there is no list. */
function queryIn(document: Fields, lists: readonly unknown[]): ReadonlySet<string> | null {
  const told = lists.filter((list) => Array.isArray(list));
  if (told.length === 0) return null;
  const parameters = told.flat().map((each: unknown) => resolved(document, each));
  return new Set(parameters.filter((each) => each?.in === 'query').map((each) => String(each?.name)));
}

/** A parameter itself, where it is given by reference into the same document. */
function resolved(document: Fields, given: unknown): Fields | null {
  const parameter = objectIn(given);
  const reference = parameter?.$ref;
  if (typeof reference !== 'string') return parameter;
  const name = /^#\/components\/parameters\/([^/]+)$/.exec(reference)?.[1] ?? '';
  return objectIn(objectIn(objectIn(document.components)?.parameters)?.[name]);
}

type Fields = Readonly<Record<string, unknown>>;

const objectIn = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

function jsonObject(text: string): Fields | null {
  try {
    return objectIn(JSON.parse(text));
  } catch {
    return null;
  }
}
