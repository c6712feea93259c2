import { inputField, toolArgumentName } from '../operation/input-fields.ts';
import { type AnyComposedOperation, type AnyOperation, argumentLocation } from '../operation/operation.ts';
import { invalidInput } from '../schema/error.ts';
import { fieldMetadata } from '../schema/field.ts';
import { type DocumentedEndpoints, endpointKey } from './service-document.ts';

export function supportedOperations(
  endpoints: DocumentedEndpoints,
  operations: Iterable<AnyOperation>,
): ReadonlySet<string> {
  const isSupported = (operation: AnyOperation): boolean =>
    isComposedLocally(endpoints, operation)
      ? Object.values(operation.performs).every(isSupported)
      : endpoints.has(endpointKey(operation.endpoint));
  return new Set([...operations].filter(isSupported).map(({ name }) => name));
}

/** True for what the service lacks, and for every picture. Without a document the service is taken to have everything. */
export const isComposedLocally = (
  endpoints: DocumentedEndpoints | null,
  operation: AnyOperation,
): operation is AnyComposedOperation =>
  operation.performs !== undefined &&
  (operation.render !== undefined || endpoints?.has(endpointKey(operation.endpoint)) === false);

type Wire = Readonly<Record<string, unknown>>;

/** Leaves out what the service does not take in a query. Refuses an argument without which the answer means something else. */
export function dropUnsupported(operation: AnyOperation, wire: Wire, endpoints: DocumentedEndpoints | null): Wire {
  const supported = endpoints?.get(endpointKey(operation.endpoint));
  if (supported === undefined) return wire;
  const entries = Object.entries(wire).filter(([name, value]) => {
    if (argumentLocation(operation.endpoint, name) !== 'query' || supported.has(name)) return true;
    if (value === undefined || value === false || mayBeDropped(operation, name)) return false;
    const argument = toolArgumentName(operation, name);
    throw invalidInput('invalid_parameter', `The service does not take ${argument} here.`, {
      hint: `Leave ${argument} out and filter the full answer.`,
      field: argument,
    });
  });
  return Object.fromEntries(entries);
}

function mayBeDropped(operation: AnyOperation, name: string): boolean {
  const schema = inputField(operation, name);
  return schema !== undefined && fieldMetadata(schema).mayBeDropped;
}
