import type { AnyOperation, Endpoint } from './operation.ts';

export const endpointName = ({ method, path }: Endpoint): string => `${method} ${path}`;

type NamedOperation = Pick<AnyOperation, 'name' | 'endpoint'>;

/** Messages name tools, which clients of REST know as endpoints. Quoted words are the client's own; "ingest" is in a path too. */
export const nameEndpoints = (text: string, operations: ReadonlyMap<string, NamedOperation>): string =>
  text.replace(/"[^"]*"|(?<!\/)\b[a-z_]+\b(?!:)/g, (word) => {
    const operation = operations.get(word);
    return operation === undefined ? word : endpointName(operation.endpoint);
  });

/** The reverse of `nameEndpoints`. */
export function nameTools(text: string, operations: Iterable<NamedOperation>): string {
  const names = new Map([...operations].map(({ name, endpoint }) => [endpointName(endpoint), name]));
  return text.replace(/"[^"]*"|\b[A-Z]+ \/[\w/{}-]+/g, (endpoint) => names.get(endpoint) ?? endpoint);
}
