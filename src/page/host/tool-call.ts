import {
  type Answer,
  type CallOptions,
  NO_ANSWER,
  type ServiceError,
} from '../service/page-service.ts';

/** Written by the build from the operations (src/mcp/page-tools.ts). */
export interface ToolTable {
  /** The arguments of tools that take an id as "#7", by the field of the endpoint. */
  readonly references: Readonly<Record<string, string>>;
  /** Names of tools by operation, where they differ. */
  readonly names: Readonly<Record<string, string>>;
  /** REST defaults by operation and argument, where tools have another default. */
  readonly defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Operations that empty a field named in `clear`. */
  readonly clearing: readonly string[];
  /** By operation, the field in which a tool returns a body that may be null. */
  readonly wraps: Readonly<Record<string, string>>;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type HostFields = Readonly<Record<string, unknown>>;

/**
 * The fields of an operation as arguments of its tool: references as #id, null fields as names in
 * `clear`, and the defaults of REST, because with those of tools an answer has less.
 */
export function toToolCall(
  operation: string,
  fields: HostFields,
  { idempotencyKey }: CallOptions,
  { references, names, defaults, clearing }: ToolTable,
): ToolCall {
  const values: Record<string, unknown> = { ...defaults[operation] };
  const cleared: string[] = [];

  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue;

    const argument = references[field] ?? field;
    if (value === null) cleared.push(argument);
    else values[argument] = field in references ? `#${value}` : value;
  }

  if (cleared.length > 0 && clearing.includes(operation)) values.clear = cleared;
  if (idempotencyKey !== undefined) values.idempotencyKey = idempotencyKey;

  return { name: names[operation] ?? operation, arguments: values };
}

export const isFields = (value: unknown): value is HostFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textsIn = ({ content }: HostFields): string[] =>
  (Array.isArray(content) ? content : []).flatMap((block: unknown) =>
    isFields(block) && typeof block.text === 'string' ? [block.text] : [],
  );

function parseRecord(text: string | undefined): HostFields | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Some hosts pass on only the texts of a result; the last one is the structured content as JSON.
 */
export const structuredOf = (result: HostFields): HostFields | null =>
  isFields(result.structuredContent)
    ? result.structuredContent
    : parseRecord(textsIn(result).at(-1));

/** Throws a ServiceError. */
export function toAnswer<Body>(
  operation: string,
  result: unknown,
  { wraps }: ToolTable,
): Answer<Body> {
  const fields = isFields(result) ? result : {};
  if (fields.isError) throw serviceErrorIn(fields);

  const structured = structuredOf(fields);
  if (structured === null)
    throw {
      code: NO_ANSWER,
      message: `${operation}: no result`,
      hint: null,
    } satisfies ServiceError;

  const { summary, changeId, ...rest } = structured;
  const wrap = wraps[operation];
  return {
    body: (wrap === undefined ? rest : rest[wrap]) as Body,
    summary: typeof summary === 'string' ? summary : undefined,
    changeId: typeof changeId === 'number' ? changeId : undefined,
  };
}

function serviceErrorIn(result: HostFields): ServiceError {
  const error = isFields(result._meta) ? result._meta['acequia/error'] : undefined;
  if (isFields(error) && typeof error.code === 'string' && typeof error.message === 'string')
    return {
      code: error.code,
      message: error.message,
      hint: typeof error.hint === 'string' ? error.hint : null,
    };

  // The first text of an error is its message, and the second one "CODE: hint".
  const [message = '', codeAndHint = ''] = textsIn(result);
  const match = /^([A-Za-z_]+):\s?(.*)$/s.exec(codeAndHint);
  return { code: match?.[1] ?? NO_ANSWER, message, hint: match?.[2] || null };
}

/** Tells the model what the person did, in the words of the tool, with ids to refer to it. */
export function describeAction(
  { name }: ToolCall,
  { body, summary = '', changeId }: Answer,
): string {
  const fields = isFields(body) ? body : {};
  const mentions = [name];
  if (fields.id !== undefined) mentions.push(`id ${fields.id}`);
  for (const [key, row] of Object.entries(fields))
    if (isFields(row) && row.id !== undefined) mentions.push(`${key} ${row.id}`);
  if (changeId !== undefined) mentions.push(`change ${changeId}`);

  return `${summary} (${mentions.join(', ')})`;
}
