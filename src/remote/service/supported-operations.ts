import { z } from 'zod/v3';
import { entryOf } from '../../domain/items.ts';
import { argument, operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { toolFields } from '../../operation/arguments/tool-fields.ts';
import type { AnyOperation, FactOperation } from '../../operation/operation.ts';
import { invalidInputError } from '../../schema/error.ts';
import { requiredOperations } from '../facts/fact-operations.ts';

/** The endpoints of a service ("GET /modules/{}"), each with the names of its query parameters. */
export type DocumentedEndpoints = ReadonlyMap<string, ReadonlySet<string>>;

export const endpointKey = ({
  method,
  path,
}: {
  readonly method: string;
  readonly path: string;
}): string => `${method.toUpperCase()} ${path.replace(/\{[^{}]*\}/g, '{}')}`;

const parameter = z
  .object({ $ref: z.string(), name: z.string(), in: z.string() })
  .partial()
  .catch({});
const parameters = z.array(parameter).catch([]);
const operation = z.object({ parameters }).optional().catch(undefined);
const METHODS = {
  get: operation,
  put: operation,
  post: operation,
  patch: operation,
  delete: operation,
};

const openApiDocument = z.object({
  paths: z.record(z.object({ ...METHODS, parameters }).catch({ parameters: [] })),
  components: z.object({ parameters: z.record(parameter).catch({}) }).catch({ parameters: {} }),
});

/** Null if `document` is not an OpenAPI document. Its paths may include the base path. */
export function parseEndpoints(document: unknown, basePath: string): DocumentedEndpoints | null {
  const { data } = openApiDocument.safeParse(document);
  if (data === undefined) return null;

  const resolve = ({ $ref, ...inline }: z.infer<typeof parameter>) =>
    $ref === undefined
      ? inline
      : data.components.parameters[$ref.replace('#/components/parameters/', '')];

  const endpoints = new Map<string, ReadonlySet<string>>();
  for (const [documentedPath, { parameters: shared, ...methods }] of Object.entries(data.paths)) {
    const path = documentedPath.startsWith(`${basePath}/`)
      ? documentedPath.slice(basePath.length)
      : documentedPath;

    for (const [method, documented] of Object.entries(methods)) {
      if (documented === undefined) continue;
      const names = [...shared, ...documented.parameters].flatMap((each) => {
        const { in: location, name } = resolve(each) ?? {};
        return location === 'query' && name !== undefined ? name : [];
      });
      endpoints.set(endpointKey({ method, path }), new Set(names));
    }
  }

  return endpoints;
}

export function supportedOperations(
  endpoints: DocumentedEndpoints,
  operations: Iterable<AnyOperation>,
): ReadonlySet<string> {
  const hasEndpoint = (operation: AnyOperation): boolean =>
    endpoints.has(endpointKey(operation.endpoint));

  const isSupported = (operation: AnyOperation): boolean => {
    if (!isComposedLocally(endpoints, operation)) return hasEndpoint(operation);
    return requiredOperations(operation.facts.reads).every(hasEndpoint);
  };

  return new Set([...operations].filter(isSupported).map(({ name }) => name));
}

/** True for operations that the service lacks, that render a picture, or that open the page. */
export const isComposedLocally = (
  endpoints: DocumentedEndpoints | null,
  operation: AnyOperation,
): operation is FactOperation =>
  operation.facts !== undefined &&
  (operation.render !== undefined ||
    operation.page?.audience === 'app-entry' ||
    lacksEndpoint(endpoints, operation));

/** A service without an OpenAPI document is assumed to have every endpoint. */
export const lacksEndpoint = (
  endpoints: DocumentedEndpoints | null,
  operation: AnyOperation,
): boolean => endpoints?.has(endpointKey(operation.endpoint)) === false;

/**
 * Drops query parameters that the service does not accept, and refuses those without which the
 * answer would mislead.
 */
export function dropUnsupported(
  operation: AnyOperation,
  restArguments: Readonly<Record<string, unknown>>,
  endpoints: DocumentedEndpoints | null,
): Readonly<Record<string, unknown>> {
  const supported = endpoints?.get(endpointKey(operation.endpoint));
  if (supported === undefined) return restArguments;

  const { byName } = toolFields(operation);
  const entries = Object.entries(restArguments).filter(([name, value]) => {
    const field = entryOf(byName, name);
    if (field.location !== 'query' || supported.has(name)) return true;
    if (value === undefined || value === false || field.metadata.mayBeDropped) return false;
    const message = say`The service does not take ${argument(field.argument)} here.`;
    throw invalidInputError('invalid_parameter', message, {
      hint: say`Leave ${argument(field.argument)} out and filter the full answer.`,
      field: field.argument,
    });
  });

  return Object.fromEntries(entries);
}

/** Throws invalid_parameter for `parcel` if the service has the endpoint only for modules. */
export function assertParcelSupported(
  operation: AnyOperation,
  endpoints: DocumentedEndpoints | null,
): void {
  const tool = operation.tool?.name;
  if (tool === undefined || !lacksEndpoint(endpoints, operation)) return;

  const called = operationName(tool);
  const message = say`The service does not take ${argument('parcel')} in ${called}.`;
  throw invalidInputError('invalid_parameter', message, {
    hint: say`Call ${called} for each probe of the parcel, with ${argument('module')}; ${operationName('list_modules')} names them.`,
    field: 'parcel',
  });
}
