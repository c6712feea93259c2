import { z } from 'zod';

/** The endpoints of a service ("GET /modules/{}"), each with the names of its query parameters. */
export type DocumentedEndpoints = ReadonlyMap<string, ReadonlySet<string>>;

export const endpointKey = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`;

const parameter = z.object({ $ref: z.string(), name: z.string(), in: z.string() }).partial().catch({});
const parameters = z.array(parameter).catch([]);
const operation = z.object({ parameters }).optional().catch(undefined);
const METHODS = { get: operation, put: operation, post: operation, patch: operation, delete: operation };

const openApiDocument = z.object({
  paths: z.record(z.object({ ...METHODS, parameters }).catch({ parameters: [] })),
  components: z.object({ parameters: z.record(parameter).catch({}) }).catch({ parameters: {} }),
});

/** Null if it is not an OpenAPI document. Its paths are read as paths below the base address, or as those of the host. */
export function parseEndpoints(document: unknown, basePath: string): DocumentedEndpoints | null {
  const { data } = openApiDocument.safeParse(document);
  if (data === undefined) return null;
  const resolve = ({ $ref, ...inline }: z.infer<typeof parameter>) =>
    $ref === undefined ? inline : data.components.parameters[$ref.replace('#/components/parameters/', '')];
  const endpoints = new Map<string, ReadonlySet<string>>();
  for (const [documentedPath, { parameters: shared, ...methods }] of Object.entries(data.paths)) {
    const path = documentedPath.startsWith(`${basePath}/`) ? documentedPath.slice(basePath.length) : documentedPath;
    for (const [method, described] of Object.entries(methods)) {
      if (described === undefined) continue;
      const names = [...shared, ...described.parameters].flatMap((each) => {
        const { in: location, name } = resolve(each) ?? {};
        return location === 'query' && name !== undefined ? name : [];
      });
      endpoints.set(endpointKey({ method, path }), new Set(names));
    }
  }
  return endpoints;
}
