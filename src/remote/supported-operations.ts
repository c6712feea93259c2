import { smallestInterval } from '../domain/periods.ts';
import { inputField, toolArgumentName } from '../operation/input-fields.ts';
import {
  type AnyComposedOperation,
  type AnyOperation,
  argumentLocation,
  type Endpoint,
} from '../operation/operation.ts';
import { invalidInput } from '../schema/error.ts';
import { fieldMetadata } from '../schema/field.ts';
import { type DocumentedEndpoints, endpointKey } from './service-document.ts';

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
  const isAvailable = (operation: AnyOperation): boolean =>
    isComposedLocally(endpoints, operation)
      ? Object.values(operation.performs).every(isAvailable)
      : hasEndpoint(endpoints, operation);
  return new Set([...operations].filter(isAvailable).map(({ name }) => name));
}

/** Whether an operation is put together here from others: what the service has not, and every picture, which is drawn here. */
export const isComposedLocally = (
  endpoints: DocumentedEndpoints | null,
  operation: AnyOperation,
): operation is AnyComposedOperation =>
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

type Wire = Readonly<Record<string, unknown>>;

const WEEK_MS = 7 * 86_400_000;

/** Whether any argument travels in the query, which not every service takes whole. */
export const hasQueryParams = ({ endpoint }: Pick<AnyOperation, 'endpoint'>, wire: Wire): boolean =>
  Object.entries(wire).some(([name, value]) => value !== undefined && argumentLocation(endpoint, name) === 'query');

/**
 * The arguments of a read as a service takes them that knows these query parameters. What would change the answer's
 * meaning when it is left out is refused. Where the most points of a series are not understood, the period and an interval
 * that keeps to them are sent instead; `now` in ms.
 */
export function dropUnsupported(
  operation: AnyOperation,
  wire: Wire,
  supported: ReadonlySet<string>,
  now: number,
): Wire {
  const sentEntries = Object.entries(wire).filter(([name, value]) => {
    if (argumentLocation(operation.endpoint, name) !== 'query' || supported.has(name)) return true;
    if (value === undefined || value === false || mayBeDropped(operation, name)) return false;
    const argument = toolArgumentName(operation, name);
    throw invalidInput('invalid_parameter', `The service does not take ${argument} here.`, {
      hint: `Leave ${argument} out, and look for it in the whole answer.`,
      field: argument,
    });
  });
  return {
    ...Object.fromEntries(sentEntries),
    ...(supported.has('interval') && !supported.has('maxPoints') && coarseInterval(wire, now)),
  };
}

function mayBeDropped(operation: AnyOperation, name: string): boolean {
  const schema = inputField(operation, name);
  return schema !== undefined && fieldMetadata(schema).mayBeDropped;
}

/** The period of a series and an interval that gives at most `maxPoints` in it, where none was asked for. */
function coarseInterval({ interval, maxPoints, start, end }: Wire, now: number): Wire {
  if (interval !== undefined || typeof maxPoints !== 'number') return {};
  const endAt = end === undefined ? now : Date.parse(String(end));
  const startAt = start === undefined ? endAt - WEEK_MS : Date.parse(String(start));
  if (Number.isNaN(startAt) || Number.isNaN(endAt)) return {};
  return {
    start: new Date(startAt).toISOString(),
    end: new Date(endAt).toISOString(),
    interval: smallestInterval({ start: startAt, end: endAt }, maxPoints) / 1000,
  };
}

interface Series {
  readonly start?: string;
  readonly end?: string;
  readonly data?: readonly unknown[];
}

/** Refuses a series of more points than who asked can hold, as the store here does, whatever the service made of that. */
export function refuseTooManyPoints({ mostPoints, interval }: Wire, body: unknown): void {
  const { data, start, end } = (body ?? {}) as Series;
  if (typeof mostPoints !== 'number' || !Array.isArray(data) || data.length <= mostPoints) return;
  const period = { start: Date.parse(start ?? ''), end: Date.parse(end ?? '') };
  const finest = Number.isNaN(period.end - period.start) ? null : smallestInterval(period, mostPoints) / 1000;
  const what = interval === undefined ? 'The answer of the service' : `An interval of ${interval} s`;
  throw invalidInput('invalid_parameter', `${what} gives more than ${mostPoints} points there.`, {
    hint: `Use ${finest === null ? 'a longer interval' : `interval ${finest} or a longer one`}, or a shorter period.`,
    field: 'interval',
  });
}
