import type { z } from 'zod/v3';
import { throwIfCancelled } from '../../domain/event-loop.ts';
import type { Lang } from '../../domain/lang.ts';
import { type ListPage, type PageRequest, readAllRows } from '../../domain/list-pages.ts';
import type { CallOperation } from '../../operation/operation.ts';
import { withLang } from '../../operation/operation-fields.ts';
import type { ConformedResponse } from '../service/response-shape.ts';
import { type DocumentedEndpoints, lacksEndpoint } from '../service/supported-operations.ts';

type FieldsOf<O extends CallOperation> = z.input<O['input']>;
type BodyOf<O extends CallOperation> = z.output<O['output']>;
type RowOf<O extends CallOperation> =
  BodyOf<O> extends { readonly data: readonly (infer Row)[] } ? Row : never;

/** A service, as one call reads it. */
export interface ServiceReads {
  /** Null without an OpenAPI document. */
  readonly endpoints: DocumentedEndpoints | null;
  /** The language of labels and default names. */
  readonly lang: Lang;
  readonly signal: AbortSignal | undefined;
  requestRead(
    operation: CallOperation,
    restArguments: Readonly<Record<string, unknown>>,
  ): Promise<ConformedResponse>;
}

/** Sends the reads that the facts of one answer are made of. */
export class FactRequests {
  readonly #service: ServiceReads;
  readonly #answers = new Map<string, Promise<unknown>>();
  /** The paths in answers of the service that differ from their schemas. */
  readonly mismatches: string[] = [];

  constructor(service: ServiceReads) {
    this.#service = service;
  }

  isSupported(operation: CallOperation): boolean {
    return !lacksEndpoint(this.#service.endpoints, operation);
  }

  async read<O extends CallOperation>(operation: O, fields: FieldsOf<O>): Promise<BodyOf<O>> {
    const { lang, signal } = this.#service;
    throwIfCancelled(signal);
    const restArguments = withLang(operation, fields, lang);
    const { body, mismatches } = await this.#service.requestRead(operation, restArguments);
    this.mismatches.push(...mismatches.map((path) => `${operation.name}: ${path}`));
    return body;
  }

  /** Keeps the answer for other kinds of facts. Series are too large to be kept. */
  async readOnce<O extends CallOperation>(operation: O, fields: FieldsOf<O>): Promise<BodyOf<O>> {
    const key = `${operation.name} ${JSON.stringify(fields)}`;
    const answer = this.#answers.get(key) ?? this.read(operation, fields);
    this.#answers.set(key, answer);
    return answer;
  }

  /** The rows of all pages. */
  readRows<O extends CallOperation>(
    operation: O,
    fields: Omit<FieldsOf<O>, keyof PageRequest>,
  ): Promise<RowOf<O>[]> {
    return readAllRows((page) => this.readPage(operation, { ...fields, ...page }));
  }

  readPage<O extends CallOperation>(
    operation: O,
    fields: FieldsOf<O>,
  ): Promise<ListPage<RowOf<O>>> {
    return this.readOnce(operation, fields);
  }
}
