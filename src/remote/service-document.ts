import type { ServiceAddress } from './connection.ts';

/** The endpoints of a service ("GET /modules/{}"), each with the query parameters it takes; null where nothing tells them. */
export type DocumentedEndpoints = ReadonlyMap<string, ReadonlySet<string> | null>;

/** An endpoint by its method and its path below the base address; path parameters go by position. */
export const endpointKey = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}').replace(/\/+$/, '')}`;

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

/** What an OpenAPI document below the base address names; null where the text is none. */
export function parseEndpoints(text: string, address: ServiceAddress): DocumentedEndpoints | null {
  const document = parseObject(text);
  const paths = asObject(document?.paths);
  if (document === null || paths === null) return null;
  const endpoints = new Map<string, ReadonlySet<string> | null>();
  const relativePathsOf = relativeTo(document, Object.keys(paths), address);
  for (const [path, pathItem] of Object.entries(paths)) {
    const item = asObject(pathItem) ?? {};
    for (const method of METHODS.filter((each) => asObject(item[each]) !== null)) {
      const lists = [item.parameters, asObject(item[method])!.parameters];
      for (const relativePath of relativePathsOf(path))
        endpoints.set(endpointKey(method, relativePath), queryParameterNames(document, lists));
    }
  }
  return endpoints;
}

/**
 * Where the paths of a document lie below the base address: by its servers, or as they stand where it has none or where
 * none of them is the address that it was asked at, as behind a proxy.
 */
function relativeTo(
  document: JsonObject,
  paths: readonly string[],
  { origin, basePath }: ServiceAddress,
): (path: string) => string[] {
  const strip = (path: string): string[] => (path.startsWith(`${basePath}/`) ? [path.slice(basePath.length)] : []);
  const roots = serverPaths(document, `${origin}${basePath}/openapi.json`);
  const byServers = (path: string): string[] => roots.flatMap((root) => strip(`${root}${path}`));
  if (paths.some((path) => byServers(path).length > 0)) return byServers;
  return (path) => (basePath === '' ? [path] : [...strip(path), path].slice(0, 1));
}

/** The paths of the servers, which may be relative to the document, without a slash at their end. */
function serverPaths({ servers }: JsonObject, documentUrl: string): string[] {
  return (Array.isArray(servers) ? servers : []).flatMap((server: unknown) => {
    const { url, variables } = asObject(server) ?? {};
    if (typeof url !== 'string') return [];
    const filled = url.replace(/\{([^}]*)\}/g, (_, name: string) =>
      String(asObject(asObject(variables)?.[name])?.default ?? ''),
    );
    return URL.canParse(filled, documentUrl) ? [new URL(filled, documentUrl).pathname.replace(/\/+$/, '')] : [];
  });
}

/** The names of the query parameters in some lists of parameters; null where there is no list. */
function queryParameterNames(document: JsonObject, lists: readonly unknown[]): ReadonlySet<string> | null {
  const present = lists.filter((list) => Array.isArray(list));
  if (present.length === 0) return null;
  const parameters = present.flat().map((each: unknown) => resolveParameter(document, each));
  return new Set(parameters.filter((each) => each?.in === 'query').map((each) => String(each?.name)));
}

/** A parameter itself, where it is given by reference into the same document. */
function resolveParameter(document: JsonObject, value: unknown): JsonObject | null {
  const parameter = asObject(value);
  const reference = parameter?.$ref;
  if (typeof reference !== 'string') return parameter;
  const name = /^#\/components\/parameters\/([^/]+)$/.exec(reference)?.[1] ?? '';
  return asObject(asObject(asObject(document.components)?.parameters)?.[name]);
}

type JsonObject = Readonly<Record<string, unknown>>;

const asObject = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;

function parseObject(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}
