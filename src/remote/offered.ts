import type { AnyOperation, Endpoint } from '../operation/operation.ts';
import { type DocumentedEndpoints, endpointKey } from './document.ts';

/** What a service has by the interface specification alone, "Endpoints" and the list of modules, with the queries it names. */
const DOCUMENTED: DocumentedEndpoints = new Map(
  Object.entries({
    'PUT /modules/{}/irrigation/installation': [],
    'PUT /parcels/{}/irrigation/installation': [],
    'PUT /modules/{}/irrigation/placement': [],
    'POST /modules/{}/irrigation/events': [],
    'PATCH /irrigation/events/{}': [],
    'POST /irrigation/schedules': [],
    'POST /alerts': [],
    'PATCH /alerts/{}': [],
    'GET /modules/{}/annotations': ['chartType'],
    'PATCH /annotations/{}': [],
    'GET /modules/{}': ['lang'],
    'GET /modules/{}/measurements/weighted': ['type', 'start', 'end', 'interval'],
    'GET /modules/{}/health': [],
    'GET /gateways': ['cursor', 'limit', 'search', 'lang'],
    'GET /parcels': ['cursor', 'limit'],
    'GET /parcels/{}/soil-profile': [],
    'PUT /parcels/{}/soil-profile': [],
    'GET /reference/enums': ['lang'],
    'GET /reference/soil-horizons': ['lang'],
    'GET /company': [],
    'GET /modules': [],
  }).map(([endpoint, query]): [string, ReadonlySet<string>] => [endpoint, new Set(query)]),
);

const keyOfEndpoint = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => endpointKey(method, path);

/**
 * The names of the operations that a service has: those whose endpoint its document names or, without one, the
 * specification. One that is put together from others is there where all of those are.
 */
export function supportedOperations(
  endpoints: DocumentedEndpoints | null,
  operations: Iterable<AnyOperation>,
): ReadonlySet<string> {
  const all = new Map([...operations].map((each) => [each.name, each]));
  const isAvailable = (operation: AnyOperation | undefined): boolean =>
    operation !== undefined &&
    (isComposedLocally(endpoints, operation)
      ? operation.performs!.every((part) => isAvailable(all.get(part)))
      : hasEndpoint(endpoints, operation));
  return new Set([...all.values()].filter(isAvailable).map(({ name }) => name));
}

/** Whether an operation is put together here from others: what the service has not, and every picture, which is drawn here. */
export const isComposedLocally = (endpoints: DocumentedEndpoints | null, operation: AnyOperation): boolean =>
  operation.performs !== undefined && (operation.render !== undefined || !hasEndpoint(endpoints, operation));

/** Whether a service has the endpoint of an operation. */
const hasEndpoint = (endpoints: DocumentedEndpoints | null, { endpoint }: AnyOperation): boolean =>
  (endpoints ?? DOCUMENTED).has(keyOfEndpoint(endpoint));

/** The query parameters that an endpoint takes by the document and the specification; null where neither tells them. */
export function supportedParams(
  endpoints: DocumentedEndpoints | null,
  endpoint: Pick<Endpoint, 'method' | 'path'>,
): ReadonlySet<string> | null {
  const documentedParams = endpoints?.get(keyOfEndpoint(endpoint)) ?? null;
  const documented = DOCUMENTED.get(keyOfEndpoint(endpoint)) ?? null;
  return documentedParams === null || documented === null
    ? (documentedParams ?? documented)
    : new Set([...documentedParams, ...documented]);
}
