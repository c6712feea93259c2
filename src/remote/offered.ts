import type { AnyOperation, Endpoint } from '../operation/operation.ts';
import { type Endpoints, endpointKey } from './document.ts';

/** What a service has by the interface specification alone, "Endpoints" and the list of modules, with the queries it names. */
const DOCUMENTED: Endpoints = new Map(
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

const keyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => endpointKey(method, path);

/**
 * The names of the operations that a service has: those whose endpoint its document names or, without one, the
 * specification. One that is put together from others is there where all of those are.
 */
export function offeredBy(named: Endpoints | null, operations: Iterable<AnyOperation>): ReadonlySet<string> {
  const all = new Map([...operations].map((each) => [each.name, each]));
  const isOffered = (described: AnyOperation | undefined): boolean =>
    described !== undefined &&
    (isComposed(named, described)
      ? described.performs!.every((part) => isOffered(all.get(part)))
      : isNamed(named, described));
  return new Set([...all.values()].filter(isOffered).map(({ name }) => name));
}

/** Whether an operation is put together here from others: what the service has not, and every picture, which is drawn here. */
export const isComposed = (named: Endpoints | null, described: AnyOperation): boolean =>
  described.performs !== undefined && (described.render !== undefined || !isNamed(named, described));

/** Whether a service has the endpoint of an operation. */
const isNamed = (named: Endpoints | null, { endpoint }: AnyOperation): boolean =>
  (named ?? DOCUMENTED).has(keyOf(endpoint));

/** The query parameters that an endpoint takes by the document and the specification; null where neither tells them. */
export function queryTaken(
  named: Endpoints | null,
  endpoint: Pick<Endpoint, 'method' | 'path'>,
): ReadonlySet<string> | null {
  const told = named?.get(keyOf(endpoint)) ?? null;
  const documented = DOCUMENTED.get(keyOf(endpoint)) ?? null;
  return told === null || documented === null ? (told ?? documented) : new Set([...told, ...documented]);
}
