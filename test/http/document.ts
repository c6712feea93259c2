import { readFile } from 'node:fs/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../src/http/openapi.ts';
import { operations } from '../../tools/index.ts';

const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Schema {
  readonly [keyword: string]: unknown;
}

interface Content {
  readonly [type: string]: { readonly schema: Schema; readonly example?: unknown };
}

export interface Described {
  readonly operationId: string;
  readonly 'x-scope'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

/** An operation of the document, with where it stands. */
export interface Placed extends Described {
  readonly path: string;
  readonly method: string;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  readonly [part: string]: unknown;
}

/** The document as the build renders it. */
export const rendered = (): Document =>
  JSON.parse(JSON.stringify(openApiDocument(operations, version))) as unknown as Document;

/** A validator that knows the formats the document names; ajv alone checks none. */
export function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false });
  ajv.addFormat('date-time', (text: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text),
  );
  ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  ajv.addFormat('uri-reference', /^\S*$/);
  ajv.addVocabulary(['components']);
  return ajv;
}

/** What follows `$ref` inside the document. */
function resolved<T>(document: Document, value: T): T {
  const reference = (value as { $ref?: string }).$ref;
  if (reference === undefined) return value;
  const found = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], document);
  if (found === undefined) throw new Error(`Nothing stands at ${reference}`);
  return found as T;
}

/** Every operation of the document, parameters and responses resolved. */
export const placedOperations = (document: Document): Placed[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'servers')
      .map(([method, described]) => ({
        ...described,
        path,
        method,
        parameters: (described.parameters ?? []).map((each) => resolved(document, each)),
        responses: Object.fromEntries(
          Object.entries(described.responses).map(([status, response]) => [status, resolved(document, response)]),
        ),
      })),
  );

/** Validates against schemas of the document, which refer to its components. */
export function validators(document: Document): (schema: Schema) => ValidateFunction {
  const ajv = newAjv();
  const { schemas } = document.components;
  const compiled = new Map<Schema, ValidateFunction>();
  return (schema) => {
    const known = compiled.get(schema);
    if (known) return known;
    const made = ajv.compile({ components: { schemas }, ...schema });
    compiled.set(schema, made);
    return made;
  };
}
