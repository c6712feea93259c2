import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../../src/http/openapi/document.ts';
import { readExampleStories } from '../../../src/http/openapi/examples.ts';
import { operations } from '../../../tools/index.ts';

export const stories = await readExampleStories(
  fileURLToPath(new URL('../../../tools/', import.meta.url)),
);
const { version } = JSON.parse(
  await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
);

export interface DocumentedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: DocumentSchema;
  readonly example?: unknown;
}

export interface DocumentSchema {
  readonly [keyword: string]: unknown;
}

interface Content {
  readonly [type: string]: { readonly schema: DocumentSchema; readonly example?: unknown };
}

interface OperationObject {
  readonly operationId: string;
  readonly 'x-scope'?: string;
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

export interface DocumentedOperation extends OperationObject {
  readonly path: string;
  readonly method: string;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, DocumentSchema>>>>;
  readonly [part: string]: unknown;
}

export const renderDocument = (): OpenApiDocument =>
  JSON.parse(
    JSON.stringify(openApiDocument(operations, stories, version)),
  ) as unknown as OpenApiDocument;

/** ajv alone checks no formats. */
export function documentAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    strictTypes: false,
  });
  ajv.addFormat('date-time', (text: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text),
  );
  ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  ajv.addFormat('uri-reference', /^\S*$/);
  ajv.addVocabulary(['components']);
  return ajv;
}

function resolveRef<T>(document: OpenApiDocument, value: T): T {
  const reference = (value as { $ref?: string }).$ref;
  if (reference === undefined) return value;
  const target = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], document);
  if (target === undefined) throw new Error(`Nothing stands at ${reference}`);
  return target as T;
}

export const documentedOperations = (document: OpenApiDocument): DocumentedOperation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'servers')
      .map(([method, operation]) => ({
        ...operation,
        path,
        method,
        parameters: (operation.parameters ?? []).map((each) => resolveRef(document, each)),
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, response]) => [
            status,
            resolveRef(document, response),
          ]),
        ),
      })),
  );

export function schemaValidators(
  document: OpenApiDocument,
): (schema: DocumentSchema) => ValidateFunction {
  const ajv = documentAjv();
  const { schemas } = document.components;
  const compiled = new Map<DocumentSchema, ValidateFunction>();
  return (schema) => {
    const validator = compiled.get(schema);
    if (validator) return validator;
    const validate = ajv.compile({ components: { schemas }, ...schema });
    compiled.set(schema, validate);
    return validate;
  };
}
